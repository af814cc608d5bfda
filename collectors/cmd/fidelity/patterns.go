package main

import (
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
)

// pattern is a load with the limits it runs under.
type pattern struct {
	name, lesson string
	load         stamp.Load
	quota        *cfs.Bandwidth
	// forks starts a neighbour that forks all the time.
	forks bool
}

const ms = time.Millisecond

func patterns() []pattern {
	bursts := stamp.Load{Threads: 2, Cpus: 2, BusyMin: 1 * ms, BusyMax: 8 * ms, IdleMin: 1 * ms, IdleMax: 8 * ms, Seed: 7}
	return []pattern{
		{name: "constant", lesson: "one thread that never sleeps: every slice is 1.0 cores",
			load: stamp.Load{Threads: 1, BusyMin: stamp.Forever, BusyMax: stamp.Forever, Seed: 1}},
		{name: "bursts", lesson: "two threads, bursts and pauses of 1 to 8 ms", load: bursts},
		{name: "bursts-forks", lesson: "the same beside a neighbour that forks 500 times a second", load: bursts, forks: true},
		{name: "threads", lesson: "24 threads that mostly sleep",
			load: stamp.Load{Threads: 24, BusyMin: 1 * ms, BusyMax: 8 * ms, IdleMin: 40 * ms, IdleMax: 120 * ms, Seed: 3}},
		{name: "quota", lesson: "four threads that want more than their quota of half a core",
			load:  stamp.Load{Threads: 4, BusyMin: 1 * ms, BusyMax: 8 * ms, IdleMin: 1 * ms, IdleMax: 8 * ms, Seed: 5},
			quota: &cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}},
	}
}
