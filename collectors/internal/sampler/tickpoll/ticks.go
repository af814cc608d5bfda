// Package tickpoll samples usage by reading cgroup files just after a timer tick.
//
// The kernel charges CPU time at ticks, so a counter read at a random instant is up to one tick old
// on every CPU. Read 50 to 100 us after a tick it is nearly complete, and what is left is the
// alternation of 2 and 3 ticks per 10 ms at HZ=250, which dividing by the elapsed time removes.
package tickpoll

// Ticks predicts the kernel's timer ticks on CLOCK_MONOTONIC. Ticks of all CPUs share one phase
// (unless the kernel runs with skew_tick=1), and the phase stays for the uptime, because the tick
// timer is forwarded on that very clock. It is nevertheless followed, for kernels without
// high-resolution timers.
type Ticks struct {
	periodNs int64
	phaseNs  int64
	found    bool
	// slowest is the smallest positive residual of the observations since the last correction. An
	// observation is late by the time the interrupt took, never early.
	slowest int64
	seen    int
}

// followAfter is how many observations decide a correction towards later.
const followAfter = 8

// NewTicks returns ticks of the given period, in nanoseconds, of still unknown phase.
func NewTicks(periodNs int64) *Ticks { return &Ticks{periodNs: periodNs} }

// Observe takes the instant at which a tick was seen to have happened.
func (t *Ticks) Observe(ns int64) {
	if !t.found {
		t.phaseNs, t.found = mod(ns, t.periodNs), true
		return
	}
	residual := mod(ns-t.phaseNs, t.periodNs)
	if residual > t.periodNs/2 {
		residual -= t.periodNs
	}
	if residual < 0 {
		t.phaseNs = mod(t.phaseNs+residual, t.periodNs)
		t.seen, t.slowest = 0, 0
		return
	}
	if t.seen == 0 || residual < t.slowest {
		t.slowest = residual
	}
	if t.seen++; t.seen >= followAfter {
		t.phaseNs = mod(t.phaseNs+t.slowest, t.periodNs)
		t.seen, t.slowest = 0, 0
	}
}

// Forget drops the phase, so that the next observation sets it anew.
func (t *Ticks) Forget() { t.found, t.seen = false, 0 }

// Found reports whether the phase is known.
func (t *Ticks) Found() bool { return t.found }

// PeriodNs returns the time between ticks.
func (t *Ticks) PeriodNs() int64 { return t.periodNs }

// AtOrAfter returns the first tick at or after ns; ns itself while the phase is unknown.
func (t *Ticks) AtOrAfter(ns int64) int64 {
	if !t.found {
		return ns
	}
	return ns + mod(t.phaseNs-ns, t.periodNs)
}

// Hz returns the ticks per second, rounded: 4 ms is 250, 3.333333 ms is 300.
func (t *Ticks) Hz() int32 { return int32((1_000_000_000 + t.periodNs/2) / t.periodNs) }

// mod is the remainder that is never negative.
func mod(a, b int64) int64 {
	if r := a % b; r < 0 {
		return r + b
	} else {
		return r
	}
}
