// Package kernelrun runs written-down services in real cgroups and writes down what the kernel made
// of them, so that a simulation of the same requests can be held against it. The arrivals and the
// work are drawn here from a seed; the CPU time that each task really took is recorded, because the
// simulator is to be judged on scheduling, not on how fast this machine burns.
// Where work gets dearer with the CPUs that run it, the dearer work is really burnt.
package kernelrun

import (
	"math"
	"math/rand/v2"
	"time"
)

// Plan is one service and who asks it. All times are microseconds.
type Plan struct {
	Name     string
	QuotaUs  int64
	PeriodUs int64
	BurstUs  int64
	Threads  int
	// Shards have the quota and the threads each. The clients of several shards leave a dead one and
	// send its requests to the others.
	Shards int
	// TimeoutUs and Retries are of the clients; a timeout beyond the horizon means that nobody gives up.
	TimeoutUs int64
	Retries   int
	HorizonUs int64
	// Utilization is offered work / quota of all shards, as planned.
	Utilization float64
	// Kappa is how work gets dearer with the CPUs that run a shard; 0 = it never does. See Price.
	Kappa    float64
	Requests []Request
}

// Request is one request: it is answered when all its tasks are done.
type Request struct {
	ArrivesUs int64
	// Home is the shard that it is meant for.
	Home   int
	TaskUs []int64
}

// Shape is how the requests of a service are drawn.
type Shape struct {
	// Tasks is the fan-out, TaskUs the mean work of a task (exponential, cut at four means).
	Tasks  int
	TaskUs float64
	// OnOff makes the rate switch between twice and a third of the mean every half second or so.
	OnOff bool
	// Weights are the parts of the requests that are meant for each shard; none means one shard.
	Weights []float64
}

const longestWorkMeans = 4

// Draw fills a plan with requests that offer its utilization of its quota.
func (p Plan) Draw(shape Shape, seed uint64) Plan {
	random := rand.New(rand.NewPCG(seed, 0x6b65726e656c))
	p.Shards = max(1, len(shape.Weights))
	cores := p.Utilization * float64(p.QuotaUs) / float64(p.PeriodUs) * float64(p.Shards)
	perUs := cores / (float64(shape.Tasks) * shape.TaskUs)
	rate, switchesUs := 1.0, math.Inf(1)
	if shape.OnOff {
		rate, switchesUs = 2, random.ExpFloat64()*onUs
	}
	mean := 1 - math.Exp(-longestWorkMeans)
	for at := random.ExpFloat64() / (perUs * rate); at < float64(p.HorizonUs); at += random.ExpFloat64() / (perUs * rate) {
		for at > switchesUs {
			if rate == onRate {
				rate, switchesUs = offRate, switchesUs+random.ExpFloat64()*offUs
			} else {
				rate, switchesUs = onRate, switchesUs+random.ExpFloat64()*onUs
			}
		}
		request := Request{ArrivesUs: int64(at), Home: shape.home(random)}
		for range shape.Tasks {
			us := math.Min(random.ExpFloat64(), longestWorkMeans) / mean * shape.TaskUs
			request.TaskUs = append(request.TaskUs, max(50, int64(us)))
		}
		p.Requests = append(p.Requests, request)
	}
	return p
}

func (s Shape) home(random *rand.Rand) int {
	if len(s.Weights) == 0 {
		return 0
	}
	var all float64
	for _, weight := range s.Weights {
		all += weight
	}
	rest := random.Float64() * all
	for shard, weight := range s.Weights {
		if rest < weight {
			return shard
		}
		rest -= weight
	}
	return len(s.Weights) - 1
}

// Price is what work costs while so many CPUs run a shard, 1 up to as many as its quota: the law of CpuCost in
// streaming/domain, with the quota for its reference.
func (p Plan) Price(cpus int) float64 {
	reference := float64(p.QuotaUs) / float64(p.PeriodUs)
	return 1 + p.Kappa*max(0, float64(cpus)-reference)/reference
}

// Duration is how long a run of the plan takes.
func (p Plan) Duration() time.Duration { return time.Duration(p.HorizonUs) * time.Microsecond }

// Twice the mean rate for 0.4 s and a third of it for 0.6 s make the mean on average.
const (
	onRate, offRate = 2.0, 1.0 / 3
	onUs, offUs     = 400_000, 600_000
)

// NobodyLeaves is a time-out beyond any horizon.
const NobodyLeaves = int64(10 * time.Minute / time.Microsecond)
