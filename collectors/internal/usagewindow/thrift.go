package usagewindow

import "github.com/quotascope/quotascope/collectors/internal/counter"

// SetLean leaves out what is optional in a record: exemplars.
func (b *Builder) SetLean(lean bool) {
	if lean != b.lean {
		b.tape.Lean(b.number, lean)
	}
	b.lean = lean
}

// SetSkipped leaves the shard out, or takes it up again. One that is taken up counts from its next
// reading, like a cgroup that is older than the agent.
func (b *Builder) SetSkipped(skipped bool) {
	if skipped == b.skipped {
		return
	}
	b.tape.Skipped(b.number, skipped)
	b.skipped = skipped
	if !skipped {
		b.restart()
		b.slices.begun = false
	}
}

// Skipped reports whether the shard is left out.
func (b *Builder) Skipped() bool { return b.skipped }

// RestartCounters makes the growth since the last reading belong to no window: whole windows lie
// between, or time that was counted already.
func (b *Builder) RestartCounters() {
	b.tape.RestartCounters(b.number)
	b.restart()
}

func (b *Builder) restart() {
	t := &b.throttling
	for _, g := range []*growth{&b.usage, &t.periods, &t.throttled, &t.throttledUs, &t.bursts, &t.burstUsedUs} {
		g.counter = counter.Cumulative{}
	}
	b.ancestor.change()
}
