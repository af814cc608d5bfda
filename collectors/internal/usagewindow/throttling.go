package usagewindow

import (
	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/counter"
)

// shortestRunPeriodUs is the shortest period whose runs are reported: cpu.stat is read every 20 to
// 50 ms, so shorter periods would mostly be ambiguous.
const shortestRunPeriodUs = 50_000

// growth sums what one cumulative counter grew by in a window.
type growth struct {
	counter counter.Cumulative
	sum     int64
}

func (g *growth) advance(reading int64) int64 {
	step := g.counter.Advance(reading).Growth
	g.sum += step
	return step
}

func (g *growth) takeWindow() *int64 {
	sum := g.sum
	g.sum = 0
	return &sum
}

// throttling follows the bandwidth counters of cpu.stat over windows.
type throttling struct {
	periods, throttled, throttledUs, bursts, burstUsedUs growth

	runs         cfs.Runs
	hasBandwidth bool
	hasBursts    bool
}

// newThrottling expects the first reading to be a baseline, or to count from 0 for a newborn.
func newThrottling(born bool) throttling {
	var t throttling
	if born {
		for _, g := range []*growth{&t.periods, &t.throttled, &t.throttledUs, &t.bursts, &t.burstUsedUs} {
			g.counter = counter.From(0)
		}
	}
	return t
}

func (t *throttling) take(stat cgroupfs.CPUStat) {
	if stat.HasBandwidth {
		t.hasBandwidth = true
		periods, throttled := t.periods.advance(stat.Periods), t.throttled.advance(stat.ThrottledPeriods)
		t.throttledUs.advance(counter.MicrosOf(stat.ThrottledNs))
		t.runs.Add(periods, throttled)
	}
	if stat.HasBursts {
		t.hasBursts = true
		t.bursts.advance(stat.Bursts)
		t.burstUsedUs.advance(counter.MicrosOf(stat.BurstUsedNs))
	}
}

// fill writes the window's counters into w and begins the next window.
func (t *throttling) fill(w *Window) {
	runs, longest, known := t.runs.TakeWindow()
	if t.hasBandwidth {
		w.Periods, w.ThrottledPeriods = t.periods.takeWindow(), t.throttled.takeWindow()
		w.ThrottledUs = t.throttledUs.takeWindow()
		if known && w.PeriodUs != nil && *w.PeriodUs >= shortestRunPeriodUs {
			w.ThrottledRuns, w.ThrottledRunPeriodsMax = pointer(int32(runs)), pointer(int32(longest))
		}
	}
	if t.hasBursts {
		w.Bursts, w.BurstUsedUs = t.bursts.takeWindow(), t.burstUsedUs.takeWindow()
	}
}

func pointer[T any](value T) *T { return &value }
