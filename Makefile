# Entry points of Quotascope. `make` alone lists them.
SHELL := /usr/bin/env bash
.DEFAULT_GOAL := help

run := infra/native/run

.PHONY: help
help: ## List the targets
	@grep --extended-regexp --no-filename '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | \
	  awk -F ':.*## ' '{ printf "  make %-14s %s\n", $$1, $$2 }'

.PHONY: demo
demo: ## Build and start everything, load it with the lab, print the first ranked report
	@$(run) demo

.PHONY: down
down: ## Stop everything and remove its processes and cgroups
	@$(run) down

.PHONY: status
status: ## Show which services and jobs run, and where
	@$(run) status

.PHONY: logs
logs: ## Follow the logs (SERVICE=name for one service)
	@$(run) logs $(SERVICE)

.PHONY: report
report: ## Print which services to look at first; NAME=list names the other questions, ARGS="--service x --since 7d --csv"
	@$(run) report $(NAME) $(ARGS)

.PHONY: test
test: ## Run every test; the last line counts over all languages
	@$(run) test

.PHONY: test-fast
test-fast: ## Run the tests that need no server, under three minutes
	@$(run) test --fast

.PHONY: test-browser
test-browser: ## Run the dashboards in a real browser
	@$(run) test browser

.PHONY: test-secure
test-secure: ## Run what each role may and may not see, by browser, API and SQL
	@$(run) test secure sql

.PHONY: person
person: ## Give somebody a login: NAME=... ROLE=planner|owner|reviewer|operator [TEAM=... of an owner]
	@$(run) person --name "$(NAME)" --role "$(ROLE)" $(if $(TEAM),--team "$(TEAM)")

.PHONY: weekly
weekly: ## Write the report of the last days as PDF and CSV into build/weekly [NAME=login, default admin] [DAYS=7] [FOLDER=...]
	@$(run) weekly $(if $(NAME),--name "$(NAME)") $(if $(DAYS),--days "$(DAYS)") $(if $(FOLDER),--folder "$(FOLDER)")

.PHONY: test-v2
test-v2: ## Run the kernel tests and the lab on cgroup v2, in a virtual machine
	@$(run) test v2

.PHONY: test-kernels
test-kernels: ## Run the same on 5.10, on 6.12, and on 6.12 with a CPU without ticks
	@$(run) test v2-5.10 v2-6.12 v2-6.12-tickless

.PHONY: test-e2e
test-e2e: ## Run the end-to-end test on free ports
	@$(run) test e2e

.PHONY: chaos
chaos: ## Do every fault to a pipeline of its own and compare its tables with the log (FAULT="name name", LIST=1, SEED=7)
	@infra/chaos/run $(if $(LIST),--list) $(if $(SEED),--seed $(SEED)) $(FAULT)

.PHONY: mutation
mutation: ## Take each protection away in a copy and demand that its test misses it (MUTATION=name, LIST=1)
	@infra/chaos/run mutation $(if $(LIST),--list) $(MUTATION)

.PHONY: bench
bench: ## Run every bench in turn and gather one table with goals (an hour, wants a quiet machine; QUICK=1: twenty minutes)
	@python3 infra/bench/every.py $(BENCHES)

.PHONY: bench-fidelity
bench-fidelity: ## Compare every sampler with threads that stamp themselves (QUICK=1: a minute)
	@infra/bench/run fidelity

.PHONY: bench-overhead
bench-overhead: ## Measure what the collector costs the machine, in ratios of one run (QUICK=1: two minutes)
	@infra/bench/run overhead

.PHONY: bench-alarm-delay
bench-alarm-delay: ## Measure how long after a minute's end its alerts arrive, on ramps in a stack of its own (QUICK=1: hosts and cliffs)
	@infra/bench/run alarm-delay

.PHONY: bench-raw-hour
bench-raw-hour: ## Send an hour of a simulated fleet as collectors do and demand a row for every record (RATE=1000 DURATION_S=3600)
	@RATE=$(RATE) DURATION_S=$(DURATION_S) infra/bench/run raw-hour

.PHONY: fleet-week
fleet-week: ## Run a simulated week of 200 services through the jobs and score what they find (SMALL=1: 20 services, 3 days; KEEP=1 leaves it up)
	@infra/fleet/run $(if $(SMALL),--small) $(if $(KEEP),--keep --dashboards) $(ARGS)
.PHONY: bench-pages
bench-pages: ## Time every chart's query on a large simulated fleet (SERVICES=5000 MINUTE_DAYS=14)
	@SERVICES=$(SERVICES) MINUTE_DAYS=$(MINUTE_DAYS) infra/bench/run pages

.PHONY: soak
soak: ## Run the collector with churn and outages and demand that it stays flat (SOAK_MINUTES=30)
	@infra/soak/run

.PHONY: fuzz
fuzz: ## Fuzz every parser of the collectors (FUZZ_SECONDS=30 each)
	@infra/fuzz/run

.PHONY: lint
lint: ## Check style and the files that cannot run here: compose, Dockerfiles, YAML, shell
	@infra/lint/run

.PHONY: validate
validate: ## Judge the estimators on simulated services; write docs/model/validation.md (POPULATION=holdout for the other)
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes io.quotascope.validate.Validate \
	  --population $(or $(POPULATION),development) --out docs/model/validation$(if $(POPULATION),-$(POPULATION)).md

.PHONY: compare-alerts
compare-alerts: ## Count alerts of ours and of peers' rules on SERVICES simulated services; write them to docs/model/alerts.md
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes \
	  io.quotascope.validate.alerts.CompareAlerts $(or $(SERVICES),20) docs/model/alerts.md

.PHONY: fit-cliff
fit-cliff: ## Fit the constants of CliffCalibration on SERVICES development and REHEARSED other services and print them (minutes)
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes \
	  io.quotascope.validate.fit.FitCliff $(or $(SERVICES),160) $(or $(REHEARSED),100)

.PHONY: fit-warning
fit-warning: ## Print what each headroom of EarlyWarning would have warned of on SERVICES slow ramps (minutes)
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes \
	  io.quotascope.validate.alerts.FitWarning $(or $(SERVICES),40)

.PHONY: fit-savings
fit-savings: ## Fit the constants of GainError on SERVICES development services and print them (minutes)
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes \
	  io.quotascope.validate.fit.FitSavings $(or $(SERVICES),96)

.PHONY: validate-kernel
validate-kernel: ## Run services in real cgroups, change them, collapse them (33 minutes, wants a quiet machine; PARTS="simulator changes collapse", one or more; ONLY=k0 for one service)
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@mkdir -p streaming/validate/target/kernel
	@cd collectors && go build -o ../streaming/validate/target/kernel/kernelrun ./cmd/kernelrun
	@failed=0; for part in $(or $(PARTS),simulator changes collapse); do echo "== $$part"; \
	  file=streaming/validate/target/kernel/$$part.txt; rm -f $$file; \
	  streaming/validate/target/kernel/kernelrun --part $$part --only "$(ONLY)" --out $$file || { rm -f $$file; failed=1; }; done; \
	java -Xmx2g -cp streaming/domain/target/classes:streaming/validate/target/classes \
	  io.quotascope.validate.kernel.ValidateKernel streaming/validate/target/kernel docs/model/validation-kernel.md && exit $$failed

.PHONY: bench-simulator
bench-simulator: ## Print the CPU time of simulating 20 s of a service on 64 CPUs
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain,validate compile
	@java -XX:+UseSerialGC -cp streaming/domain/target/classes:streaming/validate/target/classes io.quotascope.validate.speed.SimulatorSpeed

.PHONY: bench-model
bench-model: ## Print the CPU time of a what-if and of the whole analysis of a container
	@mvn --quiet --batch-mode --file streaming/pom.xml --projects domain test-compile
	@java -XX:+UseSerialGC -cp streaming/domain/target/classes:streaming/domain/target/test-classes \
	  io.quotascope.domain.whatif.WhatIfBenchmark
