package io.quotascope.validate.score;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Loop;
import io.quotascope.domain.cfs.service.ServicePlan;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.whatif.HostRoom;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimators.ReplayedDemand;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What-if "no quota on a host of given load": seen under its quota, asked how long its work would
 * wait for CPUs that neighbours keep busy. The truth is what those neighbours add to the 99th
 * percentile of latency of the same requests without a quota. The work costs the same at any
 * concurrency, so that neighbours cost nothing but CPUs.
 */
public final class LoadedHost {
    private static final long HORIZON_US = 30_000_000;
    private static final double[] LOADS = {0.8, 0.95};
    private static final long WAITS_US = 10_000;
    private static final long TURN_US = 20_000;

    private final Truths truths;
    private final Findings findings;

    /** Scores into findings. */
    public LoadedHost(Truths truths, Findings findings) {
        this.truths = truths;
        this.findings = findings;
    }

    private record Answer(double load, double addedUs, double estimateUs) {
        boolean isRight() {
            return addedUs > WAITS_US == estimateUs > WAITS_US;
        }
    }

    /** Asks about every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        List<Answer> answers = subjects.parallelStream().flatMap(one -> ask(one).stream()).toList();
        for (double load : LOADS) {
            write(load, answers.stream().filter(a -> a.load() == load).toList());
        }
    }

    private List<Answer> ask(Subject priced) {
        ServicePlan plan =
                new ServicePlan(
                        new Client(10 * HORIZON_US, 0, 0),
                        priced.plan().pools(),
                        Optional.empty(),
                        List.of());
        Subject subject =
                new Subject(
                        priced.name(),
                        priced.hostCpus(),
                        priced.quota(),
                        priced.rules(),
                        CpuCost.CONSTANT,
                        plan,
                        priced.load(),
                        priced.utilization());
        ServiceRun run = Truths.observed(subject, subject.load(), HORIZON_US);
        Observation seen =
                Seen.of(
                        subject,
                        run,
                        Input.SUMMARIES,
                        Optional.of(plan.client()),
                        OptionalDouble.empty());
        Optional<WhatIf> model = ReplayedDemand.model(seen);
        List<Answer> answers = new ArrayList<>();
        for (double load : LOADS) {
            int busy = (int) Math.round(load * subject.hostCpus());
            model.ifPresent(
                    whatIf ->
                            answers.add(
                                    new Answer(
                                            load,
                                            latencyUs(subject, busy) - latencyUs(subject, 0),
                                            whatIf.outcome(new Scenario.NoQuota(room(seen, busy)))
                                                    .delay()
                                                    .p99())));
        }
        return answers;
    }

    private static HostRoom room(Observation seen, int busy) {
        BucketTally usage = new BucketTally();
        double cores = busy + seen.usedCores();
        usage.add(UsageLayout.bucket(Math.round(cores * 1e6), 1_000_000), 1);
        return new HostRoom(seen.hostCpus(), usage.toCounts(), seen.usedCores());
    }

    /** 99th percentile without a quota beside neighbours that keep so many CPUs busy. */
    private double latencyUs(Subject subject, int busy) {
        return truths.ask(
                "latency without quota beside " + busy + ' ' + subject + HORIZON_US,
                () -> {
                    List<Loop> neighbours =
                            busy == 0 ? List.of() : List.of(Loop.steady(busy, TURN_US, 0));
                    ServicePlan plan =
                            new ServicePlan(
                                    subject.plan().client(),
                                    subject.plan().pools(),
                                    Optional.empty(),
                                    neighbours);
                    return ServiceSimulator.run(
                                    subject.setup(new CpuLimit.Unlimited(), HORIZON_US),
                                    plan,
                                    subject.load().requests(HORIZON_US))
                            .requests()
                            .latencyUs(0.99);
                });
    }

    private void write(double load, List<Answer> answers) {
        long right = answers.stream().filter(Answer::isRight).count();
        long safe = answers.stream().filter(a -> a.estimateUs() <= WAITS_US).count();
        long wrong =
                answers.stream()
                        .filter(a -> a.estimateUs() <= WAITS_US && a.addedUs() > WAITS_US)
                        .count();
        findings.add(
                Row.plain(
                        String.format(
                                Locale.ROOT,
                                "no quota, neighbours keep %.0f %% of the host busy: will the slowest hundredth wait > 10 ms: accuracy; falsely safe",
                                100 * load),
                        "summaries",
                        "what-if",
                        String.format(
                                Locale.ROOT,
                                "%.2f; %.0f %% of %d called safe",
                                right / (double) answers.size(),
                                100.0 * wrong / Math.max(1, safe),
                                safe),
                        answers.size()));
    }
}
