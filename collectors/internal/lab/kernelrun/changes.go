package kernelrun

import "fmt"

// observedUs is the length of every run, before and after a change: the same requests come in both.
const observedUs = 20_000_000

// Case is a service that is observed as it is, and the same service after changes. A change's name
// is the service's name, a plus sign and what was changed.
type Case struct {
	Observed Plan
	Changed  []Plan
}

// Changes are the services whose quota, pool and load are really changed.
func Changes(seed uint64) []Case {
	var cases []Case
	for number, setting := range []struct {
		quotaUs, periodUs int64
		threads           int
		utilization       float64
		shape             Shape
	}{
		{20_000, periodUs, 4, 0.5, Shape{Tasks: 2, TaskUs: 2000}},
		{30_000, periodUs, 8, 0.45, Shape{Tasks: 4, TaskUs: 2000}},
		{40_000, periodUs, 8, 0.5, Shape{Tasks: 4, TaskUs: 3000}},
		{40_000, periodUs, 2, 0.55, Shape{Tasks: 1, TaskUs: 5000}},
		{50_000, periodUs, 6, 0.4, Shape{Tasks: 4, TaskUs: 3000, OnOff: true}},
		{60_000, periodUs, 8, 0.5, Shape{Tasks: 6, TaskUs: 3000}},
		{60_000, periodUs, 16, 0.35, Shape{Tasks: 12, TaskUs: 2000, OnOff: true}},
		{80_000, periodUs, 4, 0.55, Shape{Tasks: 2, TaskUs: 4000}},
		{80_000, periodUs, 8, 0.45, Shape{Tasks: 8, TaskUs: 4000}},
		{100_000, periodUs, 8, 0.5, Shape{Tasks: 4, TaskUs: 5000}},
		{20_000, 50_000, 4, 0.5, Shape{Tasks: 4, TaskUs: 2000}},
		{120_000, periodUs, 12, 0.45, Shape{Tasks: 8, TaskUs: 4000, OnOff: true}},
	} {
		plan := Plan{Name: fmt.Sprintf("w%d", number), QuotaUs: setting.quotaUs, PeriodUs: setting.periodUs,
			Threads: setting.threads, TimeoutUs: NobodyLeaves, HorizonUs: observedUs, Utilization: setting.utilization}
		cases = append(cases, plan.changes(setting.shape, seed+uint64(number), number))
	}
	return cases
}

// changes makes two changes of each service, another pair for each of three neighbours. The same
// requests come again, closer together where the load is what changes.
func (p Plan) changes(shape Shape, seed uint64, number int) Case {
	quota := func(name string, times float64) Plan {
		changed := p
		changed.Name, changed.QuotaUs = p.Name+"+"+name, int64(times*float64(p.QuotaUs))
		changed.Utilization = p.Utilization / times
		return changed.Draw(shape, seed)
	}
	load := p
	load.Name, load.Utilization = p.Name+"+load1.4", 1.4*p.Utilization
	pool := p
	pool.Name, pool.Threads = p.Name+"+pool", max(1, p.Threads/4)
	pairs := [][]Plan{
		{quota("quota0.7", 0.7), quota("quota1.3", 1.3)},
		{quota("quota0.7", 0.7), load.Draw(shape, seed)},
		{pool.Draw(shape, seed), quota("quota1.3", 1.3)},
	}
	return Case{Observed: p.Draw(shape, seed), Changed: pairs[number%len(pairs)]}
}
