package sampler

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/protection"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// thrift keeps the agent inside its budget. judge belongs to the goroutine that hands over, which
// knows the cost; economize and settle to the sampling one, which makes the saving.
type thrift struct {
	budget protection.Budget
	log    Logger
	state  protection.State
	atNs   int64
	wanted atomic.Pointer[protection.State]
	// inForce is what the shards were last set to; nil is everything.
	inForce *protection.State
	skipped int
}

// Protect keeps the agent's whole cost inside a budget and logs every step.
func (r *Recorder) Protect(budget protection.Budget, log Logger) { r.budget, r.log = budget, log }

// Lean reports whether optional features are off in the window under way. It changes at Cut only.
func (r *Recorder) Lean() bool { return leanIn(r.inForce) }

func leanIn(s *protection.State) bool { return s != nil && s.Step >= protection.Lean }

func slotsPerSampleIn(s *protection.State) int64 {
	if s != nil && s.Step >= protection.HalfRate {
		return 2
	}
	return 1
}

// begin notes when the first cost was read.
func (t *thrift) begin(atNs int64) { t.atNs = atNs }

// judge decides on the cost that the host's record states.
func (t *thrift) judge(h *usagewindow.HostWindow, atNs int64) {
	if t.budget == (protection.Budget{}) {
		return
	}
	wallUs := (atNs - t.atNs) / 1000
	if atNs == 0 {
		wallUs = usagewindow.WindowUs
	}
	t.atNs = atNs
	cost := protection.Cost{CPUUs: h.AgentCPUUs, WallUs: wallUs, MemoryBytes: h.AgentRssBytes}
	if h.BpfRunUs != nil {
		cost.CPUUs += *h.BpfRunUs
	}
	if h.BpfMapBytes != nil {
		cost.MemoryBytes += *h.BpfMapBytes
	}
	next := protection.Decide(t.state, t.budget, cost)
	switch before := t.state; {
	case next.Step > before.Step || next.KeepPermille() < before.KeepPermille():
		t.log.Warnf("over its budget, the agent goes down to %s (step %d, %d in 1000 cgroups kept): %s",
			next.Step, next.Step, next.KeepPermille(), next.Reason)
	case next.Step < before.Step || next.KeepPermille() > before.KeepPermille():
		t.log.Infof("inside its budget, the agent goes back to %s (step %d, %d in 1000 cgroups kept)",
			next.Step, next.Step, next.KeepPermille())
	}
	t.state = next
	t.wanted.Store(&next)
}

// conduct is what one window went without, and how its clock behaved.
type conduct struct {
	inForce    *protection.State
	skipped    int
	clockSteps int
	// finishedUs is when the window was handed over; 0 where nobody waits for it.
	finishedUs int64
}

// PromisedUs is how long after its end a window is handed over at the latest, unless the agent was kept from it: slices
// settle for three seconds at most, and are taken once a second.
const PromisedUs = 5_000_000

// state puts the conduct of a live window into its host reading. A replayed one has it there already.
func (c conduct) state(reading *HostReading, host *usagewindow.HostWindow) {
	reading.ClockSteps += c.clockSteps
	if c.finishedUs > host.WindowStartUs+usagewindow.WindowUs+PromisedUs {
		reading.LateWindows += int(host.ShardRecords)
	}
	if c.inForce == nil {
		return
	}
	reading.ProtectionStep, reading.BudgetSkippedCgroups = int32(c.inForce.Step), c.skipped
	if c.inForce.Reason != "" {
		reading.ProtectionReason = &c.inForce.Reason
	}
}

// economize puts what was decided in force for the next window.
func (r *Recorder) economize(windows []*usagewindow.Window) {
	wanted := r.wanted.Load()
	if wanted == nil || wanted == r.inForce {
		return
	}
	r.inForce = wanted
	r.SetSlotsPerSample(slotsPerSampleIn(wanted))
	for _, shard := range r.shards {
		shard.builder.SetLean(leanIn(wanted))
	}
	r.skipped = skip(r.shards, windows, wanted.KeepPermille())
}

// skip leaves out all but some thousandths of the shards and returns how many. What a shard costs
// does not depend on what it uses, but what its record is worth does: throttled shards are kept
// first, because they are what the product is about, then those that used most; the smallest go.
// One that is left out has no reading to be judged by and comes back by its id when there is room.
func skip(shards []*tracked, windows []*usagewindow.Window, keepPermille int64) (skipped int) {
	if keepPermille >= 1000 {
		for _, shard := range shards {
			shard.builder.SetSkipped(false)
		}
		return 0
	}
	worth := make(map[int64]*usagewindow.Window, len(windows))
	for _, window := range windows {
		worth[window.ShardID] = window
	}
	ordered := slices.Clone(shards)
	slices.SortFunc(ordered, func(a, b *tracked) int {
		idA, idB := a.builder.Subject().ShardID, b.builder.Subject().ShardID
		throttledA, usageA := worthOf(worth[idA])
		throttledB, usageB := worthOf(worth[idB])
		return cmp.Or(cmp.Compare(throttledB, throttledA), cmp.Compare(usageB, usageA), cmp.Compare(idA, idB))
	})
	keep := max(int64(len(ordered))*keepPermille/1000, 1)
	for i, shard := range ordered {
		left := int64(i) >= keep
		shard.builder.SetSkipped(left)
		if left {
			skipped++
		}
	}
	return skipped
}

// worthOf returns 1 for a throttled shard, and its usage; a shard without a record is last.
func worthOf(w *usagewindow.Window) (throttled, usageUs int64) {
	switch {
	case w == nil:
		return 0, -1
	case w.ThrottledPeriods != nil && *w.ThrottledPeriods > 0:
		return 1, w.UsageUs
	}
	return 0, w.UsageUs
}
