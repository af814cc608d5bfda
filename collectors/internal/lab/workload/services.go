package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/offered"
)

// periodUs is the kernel's default enforcement period, which nearly every fleet runs with.
const periodUs = 100_000

// All returns the services in the order in which they are shown. Together they offer less than
// one core, so that the rest of a demonstration still fits on a machine of two.
func All() []Service {
	return []Service{
		checkout(), searchFanout(), feedGc(), fibtestWorkers(),
		apiSteady(), authTuned(), reportsIdle(), batchNeighbour(),
	}
}

// Select returns the services named in a comma-separated list, or all of them for an empty list.
func Select(list string) ([]Service, error) {
	all := All()
	if list == "" {
		return all, nil
	}
	wanted := strings.Split(list, ",")
	names := make([]string, len(all))
	for i, service := range all {
		names[i] = service.Name
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no service %q in the lab; there are %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(all, func(s Service) bool { return !slices.Contains(wanted, s.Name) }), nil
}

func quota(us int64) *cfs.Bandwidth { return &cfs.Bandwidth{QuotaUs: us, PeriodUs: periodUs} }

func checkout() Service {
	return Service{
		Name: "checkout", Team: "payments", Owner: "payments-oncall", Limit: quota(20_000), CpuShares: DefaultCpuShares,
		Lesson: "An open-loop server whose 16 threads outnumber its 0.2 core: a single request spends a period's quota " +
			"in half the time, so it is throttled in many periods while its average use stays far below the quota.",
		ShardLoads: []float64{1, 1},
		Pool:       Pool{Threads: 16, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 3, TasksPerRequest: 4, TaskUs: 6000, Spread: offered.Exponential,
			TimeoutUs: 1_000_000, Retries: 1, SloUs: 50_000},
	}
}

func searchFanout() Service {
	return Service{
		Name: "search-fanout", Team: "search", Owner: "search-oncall", Limit: quota(35_000), CpuShares: DefaultCpuShares,
		Lesson: "Requests fan out into eight tasks, clients give up after 300 ms and ask once more, and the server works " +
			"for those who left: healthy at about half of its quota, in a death spiral a little above it.",
		ShardLoads: []float64{1},
		Pool:       Pool{Threads: 12, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 4.5, TasksPerRequest: 8, TaskUs: 3500, Spread: offered.Exponential,
			TimeoutUs: 300_000, Retries: 1, SloUs: 100_000},
	}
}

func feedGc() Service {
	return Service{
		Name: "feed-gc", Team: "search", Owner: "feed-oncall", Limit: quota(30_000), CpuShares: DefaultCpuShares,
		Lesson: "A modest server that stops the world every 2.5 s while two collector threads spend 80 ms of CPU: the " +
			"average hides bursts that eat the quota of several periods, and every pause becomes a long one.",
		ShardLoads: []float64{1},
		Pool:       Pool{Threads: 4, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 8, TasksPerRequest: 1, TaskUs: 5000, Spread: offered.Exponential,
			TimeoutUs: 1_000_000, Retries: 1, SloUs: 100_000},
		Collections: &Collections{EveryMs: 2500, Threads: 2, BurnUs: 40_000},
	}
}

func fibtestWorkers() Service {
	return Service{
		Name: "fibtest-workers", Team: "platform", Owner: "platform-oncall", Limit: quota(10_000), CpuShares: DefaultCpuShares,
		Lesson: "The fibtest pattern: one fast thread computes flat out for a quarter of the time while eight slow threads " +
			"wake for a moment; kernels that expire unused bandwidth slices starve it far below its quota.",
		ShardLoads: []float64{1},
		Loops: []Loop{
			{Name: "fast", Threads: 1, BurnUs: 500, OnMs: 1500, OffMs: 4500},
			{Name: "slow", Threads: 8, BurnUs: 100, SleepUs: 50_000},
		},
	}
}

func apiSteady() Service {
	return Service{
		Name: "api-steady", Team: "platform", Owner: "platform-oncall", Limit: quota(30_000), CpuShares: DefaultCpuShares,
		Lesson: "Three shards of one service with a load of 1.5 : 1 : 0.5, as load balancers really leave it: the service's " +
			"average looks fine, its busiest shard does not.",
		ShardLoads: []float64{1.5, 1, 0.5},
		Pool:       Pool{Threads: 4, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 7, TasksPerRequest: 1, TaskUs: 6000, Spread: offered.Exponential,
			TimeoutUs: 1_000_000, Retries: 1, SloUs: 100_000},
	}
}

func authTuned() Service {
	return Service{
		Name: "auth-tuned", Team: "payments", Owner: "identity-oncall", Limit: quota(50_000), CpuShares: DefaultCpuShares,
		Lesson: "The well-tuned one: one worker thread, short even tasks and a quota that covers the worst period, so that " +
			"it is practically never throttled though it does more work than most others.",
		ShardLoads: []float64{1},
		Pool:       Pool{Threads: 1, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 20, TasksPerRequest: 1, TaskUs: 4000, Spread: offered.Fixed,
			TimeoutUs: 500_000, Retries: 1, SloUs: 50_000},
	}
}

func reportsIdle() Service {
	return Service{
		Name: "reports-idle", Team: "platform", Owner: "reporting-oncall", Limit: quota(100_000), CpuShares: DefaultCpuShares,
		Lesson:     "The over-reserved one: a whole core is kept for it and it uses a fiftieth; it can give most of it back.",
		ShardLoads: []float64{1},
		Pool:       Pool{Threads: 2, QueueTasks: 2000},
		Traffic: &Traffic{RequestsPerSecond: 15, TasksPerRequest: 1, TaskUs: 1000, Spread: offered.Fixed,
			TimeoutUs: 1_000_000, Retries: 0, SloUs: 200_000},
	}
}

func batchNeighbour() Service {
	return Service{
		Name: "batch-neighbour", Team: "platform", Owner: "batch-oncall", Limit: nil, CpuShares: 102,
		Lesson: "The noisy neighbour: no quota, so it can never be throttled, and a low weight, so that it yields when " +
			"the others want the CPU; it computes for 50 ms of every second.",
		ShardLoads: []float64{1},
		Loops:      []Loop{{Name: "batch", Threads: 1, BurnUs: 500, OnMs: 50, OffMs: 950}},
	}
}
