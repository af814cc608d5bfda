// Package workload names the services of the lab: what each of them does, how it is limited, and
// which lesson about CPU quotas it teaches. It is pure description; package shard carries it out.
package workload

import (
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/offered"
)

// Cluster is the cluster that all lab services belong to.
const Cluster = "lab"

// DefaultCpuShares is the kernel's own cpu.shares of a new cgroup.
const DefaultCpuShares = 1024

// Service is one named service of the lab.
type Service struct {
	Name string
	// Lesson says what the service shows, for `cfslab list`.
	Lesson string
	// Team and Owner go to the service catalog.
	Team, Owner string
	// Limit is the CFS bandwidth of each shard; nil means unlimited.
	Limit *cfs.Bandwidth
	// CpuShares is the weight against neighbours on the v1 scale, where 1024 is the default.
	CpuShares int64
	// ShardLoads has one entry per shard: the shard's load as a multiple of Traffic and Loops.
	ShardLoads []float64
	// Pool serves Traffic. A service without Traffic has no threads in it.
	Pool Pool
	// Traffic is what clients ask for; nil if nobody asks.
	Traffic *Traffic
	// Collections are garbage-collector-like bursts; nil if there are none.
	Collections *Collections
	// Loops are background threads that work by themselves.
	Loops []Loop
}

// Pool is a pool of worker threads in front of a first-in first-out queue.
type Pool struct {
	Threads int `json:"threads"`
	// QueueTasks bounds the queue; a request that does not fit is refused at once.
	QueueTasks int `json:"queue_tasks"`
}

// Traffic is an open-loop Poisson stream of requests to one shard of load 1.
type Traffic struct {
	RequestsPerSecond float64
	// TasksPerRequest is the fan-out: a request is answered when all its tasks are done.
	TasksPerRequest int
	// TaskUs is the mean CPU time of a task in microseconds.
	TaskUs int64
	Spread offered.Spread
	// TimeoutUs is how long a client waits for an attempt, microseconds.
	TimeoutUs int64
	// Retries is how often a client asks again. The server never learns that a client has left:
	// work for it is wasted, which is what makes a retry storm self-sustaining.
	Retries int
	// SloUs is the latency the owner promises, microseconds.
	SloUs int64
}

// Collections stop the pool at regular intervals and burn CPU on several threads at once.
type Collections struct {
	EveryMs int64 `json:"every_ms"`
	Threads int   `json:"threads"`
	// BurnUs is the CPU time each collecting thread spends per collection, microseconds.
	BurnUs int64 `json:"burn_us"`
}

// Loop is a kind of thread that burns, sleeps and starts again.
type Loop struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"`
	// BurnUs is the CPU time of one turn, SleepUs the pause after it, microseconds.
	BurnUs  int64 `json:"burn_us"`
	SleepUs int64 `json:"sleep_us"`
	// OnMs and OffMs make the thread work for OnMs and rest for OffMs in turn. OffMs 0: never rests.
	OnMs  int64 `json:"on_ms"`
	OffMs int64 `json:"off_ms"`
}

// ShardName returns the name of a shard by its index; it is the last part of the cgroup path.
func ShardName(index int) string { return fmt.Sprintf("shard-%d", index) }

// Threads returns how many worker threads one shard runs, without those of the Go runtime.
func (s Service) Threads() int {
	threads := s.Pool.Threads
	if s.Collections != nil {
		threads += s.Collections.Threads
	}
	for _, loop := range s.Loops {
		threads += loop.Threads
	}
	return threads
}

// OfferedCores returns the CPU time per wall time that all shards together are asked for.
func (s Service) OfferedCores() float64 {
	var perShard float64
	if s.Traffic != nil {
		perShard += s.Traffic.RequestsPerSecond * float64(s.Traffic.TasksPerRequest) * float64(s.Traffic.TaskUs) / 1e6
	}
	if gc := s.Collections; gc != nil {
		perShard += float64(gc.Threads) * float64(gc.BurnUs) / 1e3 / float64(gc.EveryMs)
	}
	for _, loop := range s.Loops {
		perShard += loop.cores(s.Limit)
	}
	var loads float64
	for _, load := range s.ShardLoads {
		loads += load
	}
	return perShard * loads
}

// cores is what a loop can use: a loop that never sleeps wants a whole core and is held by the limit.
func (l Loop) cores(limit *cfs.Bandwidth) float64 {
	perThread := float64(l.BurnUs) / float64(l.BurnUs+l.SleepUs)
	if l.SleepUs == 0 && limit != nil {
		perThread = min(perThread, float64(limit.QuotaUs)/float64(limit.PeriodUs))
	}
	if l.OffMs > 0 {
		perThread *= float64(l.OnMs) / float64(l.OnMs+l.OffMs)
	}
	return perThread * float64(l.Threads)
}
