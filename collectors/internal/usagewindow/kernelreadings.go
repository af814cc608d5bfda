package usagewindow

import (
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/counter"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
)

// Hardware is what hardware counters counted in samples below and above quota.
type Hardware struct {
	CyclesBelowQuota, CyclesAboveQuota             int64
	InstructionsBelowQuota, InstructionsAboveQuota int64
}

// kernelReadings are the quantities that only a back end inside the kernel can read. Each is null in the record until it is
// stated for the first time: a back end that measures it states it in every window, be it 0. Runnable threads and throttled wall
// time are null again in a window that states none: the agent stops watching run queues to save.
type kernelReadings struct {
	runnable    histogram.Runnable
	hasRunnable bool
	wall        growth
	wallNs      int64
	// hasWall tells that it was stated in this window, beganWall that it ever was.
	hasWall, beganWall bool
	phaseUs            *int32
	threads            []ExcursionThread
	hardware           Hardware
	hasHardware        bool
}

// Slice takes the CPU time that one slot really had, usedNs in elapsedNs, as exact accounting states it. Slots come in order;
// one that never comes counts as missed. Cumulative usage goes through Final.
func (b *Builder) Slice(slot, elapsedNs, usedNs int64) {
	b.tape.Slice(b.number, slot, elapsedNs, usedNs)
	if b.skipped {
		return
	}
	elapsedNs, usedNs, whole := b.halves.join(slot, elapsedNs, usedNs, b.slices.step)
	if !whole {
		return
	}
	b.slices.exact(slot, elapsedNs, usedNs, b.limits.Limit, b.limits.Limited)
}

// Idle takes so many slots in a row in which nothing was used, as Slice would one by one.
func (b *Builder) Idle(first, elapsedNs, count int64) {
	if _, unheard := b.tape.(silence); !unheard || b.slices.step != 1 {
		for slot := first; slot < first+count; slot++ {
			b.Slice(slot, elapsedNs, 0)
		}
		return
	}
	if !b.skipped {
		b.slices.idle(first, count, elapsedNs, b.limits.Limit, b.limits.Limited)
	}
}

// AddRunnable counts samples of unthrottled time that found so many threads runnable; in a window at most as many as there
// are samples of usage.
func (b *Builder) AddRunnable(threads, samples int64) {
	b.tape.Runnable(b.number, threads, samples)
	if b.lean {
		return
	}
	b.kernel.runnable.Add(threads, uint64(samples))
	b.kernel.hasRunnable = true
}

// AddThrottledWall adds wall time with any CPU of the group throttled.
func (b *Builder) AddThrottledWall(ns int64) {
	b.tape.ThrottledWall(b.number, ns)
	k := &b.kernel
	if !k.beganWall {
		k.wall.counter, k.beganWall = counter.From(0), true
	}
	k.hasWall = true
	k.wallNs += ns
	k.wall.advance(counter.MicrosOf(k.wallNs))
}

// SetPeriodPhase notes when the kernel's periods end, modulo the period, on CLOCK_MONOTONIC; nil when it cannot be read.
func (b *Builder) SetPeriodPhase(phaseUs *int32) {
	b.tape.PeriodPhase(b.number, phaseUs)
	b.kernel.phaseUs = phaseUs
}

// SetExcursionThreads states the top thread names of this window's slices above quota; it holds for one window.
func (b *Builder) SetExcursionThreads(threads []ExcursionThread) {
	b.tape.ExcursionThreads(b.number, threads)
	b.kernel.threads = threads
}

// AddHardware adds hardware counts of this window's slices.
func (b *Builder) AddHardware(counts Hardware) {
	b.tape.Hardware(b.number, counts)
	h := &b.kernel.hardware
	h.CyclesBelowQuota += counts.CyclesBelowQuota
	h.CyclesAboveQuota += counts.CyclesAboveQuota
	h.InstructionsBelowQuota += counts.InstructionsBelowQuota
	h.InstructionsAboveQuota += counts.InstructionsAboveQuota
	b.kernel.hasHardware = true
}

// SetSlotsPerSample makes a sample span so many slots: 1, or 2 while the agent samples half as often. It belongs between
// Take and the first reading of the next window, so that no window mixes two lengths; slots are then multiples of it.
func (b *Builder) SetSlotsPerSample(slots int64) {
	b.tape.SlotsPerSample(b.number, slots)
	b.slices.step = slots
}

// fill writes what was stated into w and begins the next window.
func (k *kernelReadings) fill(w *Window) {
	if k.hasRunnable {
		w.RunnableHistogram = k.runnable.AppendPacked([]byte{})
		k.runnable, k.hasRunnable = histogram.Runnable{}, false
	}
	if k.hasWall {
		w.ThrottledWallUs, k.hasWall = k.wall.takeWindow(), false
	}
	if k.hasHardware {
		h := k.hardware
		w.CyclesBelowQuota, w.CyclesAboveQuota = &h.CyclesBelowQuota, &h.CyclesAboveQuota
		w.InstructionsBelowQuota, w.InstructionsAboveQuota = &h.InstructionsBelowQuota, &h.InstructionsAboveQuota
		k.hardware = Hardware{}
	}
	w.PeriodPhaseUs, w.ExcursionThreads = k.phaseUs, k.threads
	k.threads = nil
}

// ancestor follows the bandwidth counters of the tightest ancestor with a quota. In a window in which that was another one,
// or at an end of which it was not read, no growth is the window's, so it is null.
type ancestor struct {
	throttling throttling
	// read tells whether there was a reading in this window, begun whether there ever was one.
	read, begun bool
	changed     bool
}

// AncestorStat takes a reading of cpu.stat of the cgroup at Limits.AncestorPath.
func (b *Builder) AncestorStat(stat cgroupfs.CPUStat) {
	b.tape.AncestorStat(b.number, stat)
	b.ancestor.throttling.take(stat)
	b.ancestor.read, b.ancestor.begun = true, true
}

func (a *ancestor) change() { *a = ancestor{changed: a.changed || a.begun} }

func (a *ancestor) fill(w *Window, limited bool) {
	var own Window
	a.throttling.fill(&own) // also in a window that has no use for it, or the next one would contain it
	if limited && a.read && !a.changed {
		w.AncestorPeriods, w.AncestorThrottledPeriods = own.Periods, own.ThrottledPeriods
		w.AncestorThrottledUs = own.ThrottledUs
	}
	a.changed, a.read = limited && a.begun && !a.read, false
}
