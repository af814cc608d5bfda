package kernelrun

import "fmt"

const (
	horizonUs  = 10_000_000
	periodUs   = 100_000
	shortUs    = 20_000
	workedUs   = 200_000
	workedGap  = 1_137_000 // not a multiple of the period: every request meets it at another phase
	workedHalf = 40_000
)

// Services are the services that the simulator is compared on, drawn from a seed.
func Services(seed uint64) []Plan {
	open := func(name string, quotaUs, period, burst int64, threads int, utilization float64, shape Shape) Plan {
		plan := Plan{Name: name, QuotaUs: quotaUs, PeriodUs: period, BurstUs: burst, Threads: threads,
			TimeoutUs: NobodyLeaves, HorizonUs: horizonUs, Utilization: utilization}
		return plan.Draw(shape, seed+uint64(len(name))*1000+uint64(quotaUs))
	}
	return []Plan{
		workedExample(),
		twoWorkers(),
		open("q20-t4-u50", 20_000, periodUs, 0, 4, 0.5, Shape{Tasks: 1, TaskUs: 4000}),
		open("q20-t8-u70", 20_000, periodUs, 0, 8, 0.7, Shape{Tasks: 2, TaskUs: 2000}),
		open("q40-t1-u70", 40_000, periodUs, 0, 1, 0.7, Shape{Tasks: 1, TaskUs: 6000}),
		open("q40-t8-u60", 40_000, periodUs, 0, 8, 0.6, Shape{Tasks: 4, TaskUs: 3000}),
		open("q40-t16-u80", 40_000, periodUs, 0, 16, 0.8, Shape{Tasks: 8, TaskUs: 1500}),
		open("q60-t8-u50-onoff", 60_000, periodUs, 0, 8, 0.5, Shape{Tasks: 4, TaskUs: 3000, OnOff: true}),
		open("q60-t8-u70-onoff-b50", 60_000, periodUs, 50_000, 8, 0.7, Shape{Tasks: 4, TaskUs: 3000, OnOff: true}),
		open("q80-t4-u90", 80_000, periodUs, 0, 4, 0.9, Shape{Tasks: 1, TaskUs: 5000}),
		open("q80-t8-u60-b50", 80_000, periodUs, 50_000, 8, 0.6, Shape{Tasks: 8, TaskUs: 3000}),
		open("q100-t8-u70", 100_000, periodUs, 0, 8, 0.7, Shape{Tasks: 8, TaskUs: 4000}),
		open("q150-t8-u70", 150_000, periodUs, 0, 8, 0.7, Shape{Tasks: 8, TaskUs: 4000}),
		open("q10-p20-t4-u60", 10_000, shortUs, 0, 4, 0.6, Shape{Tasks: 2, TaskUs: 2000}),
		open("q16-p20-t8-u80", 16_000, shortUs, 0, 8, 0.8, Shape{Tasks: 4, TaskUs: 1500}),
		impatient("q40-s3-r1-low", 40_000, 0.45, 1, seed+1),
		impatient("q40-s3-r1-high", 40_000, 0.95, 1, seed+2),
		impatient("q60-s6-r2-low", 60_000, 0.35, 2, seed+3),
		impatient("q60-s6-r2-high", 60_000, 0.9, 2, seed+4),
	}
}

// workedExample is the articles' request of 200 ms of CPU under 40 ms each 100 ms, eight times.
func workedExample() Plan {
	plan := Plan{Name: "200ms-at-0.4", QuotaUs: workedHalf, PeriodUs: periodUs, Threads: 1, Shards: 1, TimeoutUs: NobodyLeaves,
		HorizonUs: horizonUs, Utilization: 8 * workedUs / 0.4 / horizonUs}
	for number := range int64(8) {
		plan.Requests = append(plan.Requests, Request{ArrivesUs: 200_000 + number*workedGap, TaskUs: []int64{workedUs}})
	}
	return plan
}

// twoWorkers is the articles' second example: 20 ms quota, one worker with much and one with little.
func twoWorkers() Plan {
	plan := Plan{Name: "two-workers-20ms", QuotaUs: 20_000, PeriodUs: periodUs, Threads: 2, Shards: 1, TimeoutUs: NobodyLeaves,
		HorizonUs: horizonUs, Utilization: 0.6}
	for at := int64(200_000); at < horizonUs-workedUs; at += 2*periodUs + 3_700 {
		plan.Requests = append(plan.Requests, Request{ArrivesUs: at, TaskUs: []int64{22_000}},
			Request{ArrivesUs: at + 7_000, TaskUs: []int64{2_000}})
	}
	return plan
}

// impatient is a service whose clients leave after 150 ms and ask again.
func impatient(name string, quotaUs int64, utilization float64, retries int, seed uint64) Plan {
	plan := Plan{Name: fmt.Sprintf("retry-%s", name), QuotaUs: quotaUs, PeriodUs: periodUs, Threads: 10,
		TimeoutUs: 150_000, Retries: retries, HorizonUs: horizonUs, Utilization: utilization}
	return plan.Draw(Shape{Tasks: 4, TaskUs: 2500}, seed)
}
