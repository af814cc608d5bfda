package usagewindow

import (
	"github.com/quotascope/quotascope/collectors/internal/counter"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
)

// SetLean leaves out what is optional in a record: exemplars and runnable threads.
func (b *Builder) SetLean(lean bool) {
	if lean != b.lean {
		b.tape.Lean(b.number, lean)
		b.kernel.hasRunnable = false // null from here on, until it is stated again
		b.kernel.runnable = histogram.Runnable{}
	}
	b.lean = lean
}

// SetSkipped leaves the shard out, or takes it up again: between Take and the first reading of the next
// window. One that is taken up counts from its next reading, like a cgroup older than the agent.
func (b *Builder) SetSkipped(skipped bool) {
	if skipped == b.skipped {
		return
	}
	b.tape.Skipped(b.number, skipped)
	b.skipped = skipped
	if !skipped {
		b.slices.begun = false
		b.slices.clear()
		b.usage, b.throttling, b.kernel = growth{}, newThrottling(false), kernelReadings{}
		b.ancestor.change()
	}
}

// Skipped reports whether the shard is left out.
func (b *Builder) Skipped() bool { return b.skipped }

// RestartCounters makes the growth since the last reading belong to no window: whole windows lie
// between, or time that was counted already.
func (b *Builder) RestartCounters() {
	b.tape.RestartCounters(b.number)
	t := &b.throttling
	for _, g := range []*growth{&b.usage, &t.periods, &t.throttled, &t.throttledUs, &t.bursts, &t.burstUsedUs} {
		g.counter = counter.Cumulative{}
	}
	b.ancestor.change()
}

// halves joins exact slices while a sample spans several slots.
type halves struct {
	last, slots, elapsedNs, usedNs int64
}

// join adds a slice and reports whether it completes a sample, all of whose slots were there.
func (h *halves) join(slot, elapsedNs, usedNs, step int64) (allElapsedNs, allUsedNs int64, whole bool) {
	if slot != h.last+1 || (slot-1)%step == 0 {
		*h = halves{}
	}
	h.last, h.slots = slot, h.slots+1
	h.elapsedNs, h.usedNs = h.elapsedNs+elapsedNs, h.usedNs+usedNs
	return h.elapsedNs, h.usedNs, slot%step == 0 && h.slots == step
}
