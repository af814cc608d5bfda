package kernelrun

import (
	"fmt"
	"math"
)

const (
	// triedUs is the length of a run that is to show whether a load is too much.
	triedUs = 10_000_000
	// watchedUs is the length of the run in which a service is watched well below its collapse.
	watchedUs = 20_000_000
	// watchedAt is the load of that run / the collapse load.
	watchedAt = 0.6
	// grownKappa is the price of concurrency of the services whose work gets dearer: that of half of the simulated
	// ones.
	grownKappa = 0.3
)

// span is where a collapse is searched: between two loads, as multiples of the quota, with so many tries.
type span struct {
	from, to float64
	tries    int
}

// The load is then known to 7 % where work costs the same at any concurrency, to 5 % where it gets dearer: such
// services collapse at a lower load, and nobody knows at how much lower a one.
var (
	constantSpan = span{0.35, 1, 4}
	grownSpan    = span{0.15, 0.8, 5}
)

// Driven is a service whose load is raised until it collapses.
type Driven struct {
	Name  string
	plan  Plan
	shape Shape
	seed  uint64
}

// DrivenServices are the services that are driven into collapse: k0 to k6, whose work costs the same at any
// concurrency, and g0 to g6, whose work gets dearer. The last of each kind has three shards behind clients that leave
// a dead one; together they fit two CPUs.
func DrivenServices(seed uint64) []Driven {
	type setting struct {
		quotaUs   int64
		threads   int
		timeoutUs int64
		retries   int
		shape     Shape
	}
	var all []Driven
	add := func(kind string, kappa float64, seed uint64, settings []setting) {
		for number, s := range settings {
			all = append(all, Driven{Name: fmt.Sprintf("%s%d", kind, number), shape: s.shape, seed: seed + uint64(number),
				plan: Plan{QuotaUs: s.quotaUs, PeriodUs: periodUs, Threads: s.threads,
					TimeoutUs: s.timeoutUs, Retries: s.retries, Kappa: kappa}})
		}
	}
	add("k", 0, seed, []setting{
		{30_000, 8, 120_000, 1, Shape{Tasks: 2, TaskUs: 2500}},
		{40_000, 10, 100_000, 1, Shape{Tasks: 3, TaskUs: 3000}},
		{50_000, 6, 300_000, 2, Shape{Tasks: 2, TaskUs: 6000}},
		{60_000, 10, 150_000, 2, Shape{Tasks: 6, TaskUs: 3000}},
		{80_000, 16, 100_000, 1, Shape{Tasks: 8, TaskUs: 3000}},
		{100_000, 12, 200_000, 3, Shape{Tasks: 5, TaskUs: 4000, OnOff: true}},
		{40_000, 8, 150_000, 1, Shape{Tasks: 3, TaskUs: 2500, Weights: []float64{1.3, 1, 0.7}}},
	})
	add("g", grownKappa, seed+100, []setting{
		{40_000, 6, 400_000, 1, Shape{Tasks: 1, TaskUs: 4000}},
		{50_000, 12, 150_000, 2, Shape{Tasks: 3, TaskUs: 2500}},
		{60_000, 8, 250_000, 1, Shape{Tasks: 2, TaskUs: 5000}},
		{70_000, 10, 500_000, 3, Shape{Tasks: 4, TaskUs: 3000}},
		{80_000, 16, 120_000, 1, Shape{Tasks: 6, TaskUs: 3000}},
		{100_000, 8, 300_000, 2, Shape{Tasks: 3, TaskUs: 6000, OnOff: true}},
		{40_000, 6, 200_000, 2, Shape{Tasks: 2, TaskUs: 3000, Weights: []float64{1.2, 1, 0.8}}},
	})
	return all
}

// At is the service at a load, as a multiple of its quota.
func (d Driven) At(utilization float64, horizonUs int64) Plan {
	plan := d.plan
	plan.Name, plan.Utilization, plan.HorizonUs = fmt.Sprintf("%s@%.3f", d.Name, utilization), utilization, horizonUs
	return plan.Draw(d.shape, d.seed)
}

func (d Driven) span() span {
	if d.plan.Kappa > 0 {
		return grownSpan
	}
	return constantSpan
}

// SearchUs is how long a search takes.
func (d Driven) SearchUs() int64 { return int64(d.span().tries)*triedUs + watchedUs }

// Search finds the load at which a service collapses by halving the interval in which it lies, and then
// watches the service well below it. Run runs a plan, sampled or not, and says whether it collapsed.
func (d Driven) Search(run func(plan Plan, sampled bool) (collapsed bool, err error)) error {
	span := d.span()
	whole, broken := span.from, span.to
	for range span.tries {
		tried := math.Sqrt(whole * broken)
		collapsed, err := run(d.At(tried, triedUs), false)
		if err != nil {
			return err
		}
		if collapsed {
			broken = tried
		} else {
			whole = tried
		}
	}
	_, err := run(d.At(watchedAt*math.Sqrt(whole*broken), watchedUs), true)
	return err
}
