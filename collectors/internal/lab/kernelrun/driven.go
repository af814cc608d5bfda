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
	// Between these loads, as multiples of the quota, the collapse is searched with so many tries:
	// its load is then known to 7 %.
	driveFrom, driveTo = 0.35, 1.0
	driveTries         = 4
)

// Driven is a service whose load is raised until it collapses.
type Driven struct {
	Name  string
	plan  Plan
	shape Shape
	seed  uint64
}

// DrivenServices are the services that are driven into collapse. The last one has three shards behind
// clients that leave a dead one; together they fit two CPUs.
func DrivenServices(seed uint64) []Driven {
	var all []Driven
	for number, setting := range []struct {
		quotaUs   int64
		threads   int
		timeoutUs int64
		retries   int
		shape     Shape
	}{
		{30_000, 8, 120_000, 1, Shape{Tasks: 2, TaskUs: 2500}},
		{40_000, 10, 100_000, 1, Shape{Tasks: 3, TaskUs: 3000}},
		{50_000, 6, 300_000, 2, Shape{Tasks: 2, TaskUs: 6000}},
		{60_000, 10, 150_000, 2, Shape{Tasks: 6, TaskUs: 3000}},
		{80_000, 16, 100_000, 1, Shape{Tasks: 8, TaskUs: 3000}},
		{100_000, 12, 200_000, 3, Shape{Tasks: 5, TaskUs: 4000, OnOff: true}},
		{40_000, 8, 150_000, 1, Shape{Tasks: 3, TaskUs: 2500, Weights: []float64{1.3, 1, 0.7}}},
	} {
		all = append(all, Driven{Name: fmt.Sprintf("k%d", number), shape: setting.shape, seed: seed + uint64(number),
			plan: Plan{QuotaUs: setting.quotaUs, PeriodUs: periodUs, Threads: setting.threads,
				TimeoutUs: setting.timeoutUs, Retries: setting.retries}})
	}
	return all
}

// At is the service at a load, as a multiple of its quota.
func (d Driven) At(utilization float64, horizonUs int64) Plan {
	plan := d.plan
	plan.Name, plan.Utilization, plan.HorizonUs = fmt.Sprintf("%s@%.3f", d.Name, utilization), utilization, horizonUs
	return plan.Draw(d.shape, d.seed)
}

// SearchUs is how long a search takes.
const SearchUs = driveTries*triedUs + watchedUs

// Search finds the load at which a service collapses by halving the interval in which it lies, and then
// watches the service well below it. Run runs a plan, sampled or not, and says whether it collapsed.
func (d Driven) Search(run func(plan Plan, sampled bool) (collapsed bool, err error)) error {
	whole, broken := driveFrom, driveTo
	for range driveTries {
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
