package ebpf

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	// wakeMost is how often the goroutine looks when nothing calls it. It divides a window, so that it looks when one ends.
	wakeMost = 250 * time.Millisecond
	// wakeStrangers is that while bandwidth counters are read from files: twice per period, so that throttled periods are
	// seen one by one, and never oftener than for the shortest period whose runs are reported.
	wakeStrangersMin, wakeStrangersMax = 25 * time.Millisecond, 50 * time.Millisecond
	// settleSlices is how long a slice is left alone after its end: until the tick has charged who still runs, on a CPU
	// that a hypervisor may have held up meanwhile.
	settleSlices = 50
	// settleTicklessSlices is that on hosts with nohz_full CPUs, whose threads are charged once a second.
	settleTicklessSlices = 150
	// settleMostSlices is how long slices settle at most, on hosts whose CPUs a hypervisor holds up for longer. With it a
	// reader may still be starved for five seconds.
	settleMostSlices = 300
	// takeSlices is how many slices are taken at a time, when no window ends.
	takeSlices = 100
	// sweepSlices is how far ahead of the present cells are emptied.
	sweepSlices = 2 * takeSlices
	// admitPerWake bounds the events that are taken between two looks.
	admitPerWake = 256
)

// loop owns all reading state and runs on one goroutine.
type loop struct {
	kernel  *kernel
	slicing slicing
	// monotonic and wallOffset read the clocks, in nanoseconds.
	monotonic, wallOffset func() int64
	settle                int64
	trees                 cgroupfs.Trees
	recorder              *sampler.Recorder
	log                   sampler.Logger
	events                <-chan discovery.Event
	// wantsRunnable is whether runnable threads are counted when nothing has to be saved.
	wantsRunnable bool
	cuts          chan<- sampler.Batch

	shards   []*shard
	byCgroup map[*discovery.Cgroup]*shard
	slots    *slots
	// highest is the highest ring ever given away.
	highest uint32
	// every is how often to look, strangers are the shards whose files that is for.
	every     time.Duration
	strangers []*shard
	root      *discovery.Files
	// names is nil unless threads are told by name.
	names *names

	// begun is the first slice of all, next the first that was not taken, swept the first that was not swept.
	begun, next, swept int64
	// overrunFrom and overrunTo enclose slices that share their cells with slices that nobody took.
	overrunFrom, overrunTo int64
	// window is the one under way and windowBefore the last that was cut; 0 for none.
	window, windowBefore int64
	// lastSlot is the last slot that was passed on, or that an earlier back end of this numbering covered.
	lastSlot int64
	// repeating is set while the wall clock, set back, shows time that was measured already.
	repeating bool
	offsetNs  int64
	// ended is set between a window's end, when counters are read, and its cut, when its last slices have settled.
	ended bool
	// endedNs is when that began.
	endedNs int64

	amounts, hostNs [ringSlices]int64
	threadTime      [ringSlices]int64
	buffer          [4096]byte

	// refused counts windows that nobody took, readErrors readings that failed for another reason than removal.
	refused, readErrors atomic.Int64
	// lateNs is CPU time of cgroups that was charged after its slice was taken, lateOtherNs that of everything else.
	lateNs, lateOtherNs atomic.Int64
	// vanished counts cgroups that were gone before they could be tracked.
	vanished atomic.Int64
}

// run takes slices until ctx ends, then what there is.
func (l *loop) run(ctx context.Context) {
	l.start(l.slicing.sliceAt(l.monotonic()) + 1)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			l.finish()
			return
		case news := <-l.events:
			before := l.every
			l.hear(news) // at once, because a new cgroup is not measured until then
			if l.every < before {
				timer.Reset(untilNext(l.every))
			}
			continue
		case <-timer.C:
		}
		l.step(l.monotonic())
		timer.Reset(untilNext(l.every))
	}
}

// start makes a slice the first, and reads from what the host's counter grows.
func (l *loop) start(first int64) {
	l.begun, l.next, l.swept, l.every = first, first, first, wakeMost
	l.lastSlot, l.offsetNs = l.recorder.Covered(), l.slicing.offsetNs
	l.readHost()
}

// untilNext lets the goroutine wake at whole multiples of the interval.
func untilNext(every time.Duration) time.Duration {
	now := time.Now()
	return now.Truncate(every).Add(every).Sub(now)
}

// step does what is due at an instant.
func (l *loop) step(nowNs int64) {
	l.admit()
	now := l.slicing.sliceAt(nowNs)
	l.noticeOverrun(now)
	if l.window != 0 && !l.ended && now >= l.windowEnd() {
		l.readEnds()
	} else {
		l.readStrangers()
		for _, s := range l.shards {
			l.takeNotes(s)
		}
		l.reviewLongSpans(nowNs)
	}
	settled := now - l.settle
	if settled-l.next >= takeSlices || l.ended && settled >= l.windowEnd() {
		l.followClock()
		l.takeUntil(settled)
		l.sweep(now)
		l.survey()
	}
	l.slots.release(now, l.wipe)
	l.trackWaiting()
}

// windowEnd is the first slice after the window under way.
func (l *loop) windowEnd() int64 { return l.slicing.sliceOf(usagewindow.LastSlotOf(l.window)) + 1 }

// takeUntil takes all slices before the given one and cuts the windows that end among them.
func (l *loop) takeUntil(until int64) {
	for l.next < until {
		slot := l.slicing.slotOf(l.next)
		if slot <= l.lastSlot {
			stop := min(until, l.slicing.sliceOf(l.lastSlot)+1, l.next+ringSlices)
			l.repeating = true
			l.takeSlices(l.next, stop)
			l.next = stop
			continue
		}
		l.open(usagewindow.WindowOf(slot))
		stop := min(until, l.windowEnd(), l.next+ringSlices)
		if stop -= l.slicing.slotOf(stop-1) % l.recorder.SlotsPerSample(); stop <= l.next {
			return // the rest of a sample is not there yet
		}
		l.takeSlices(l.next, stop)
		l.next = stop
		l.lastSlot = l.slicing.slotOf(stop - 1)
		if stop == l.windowEnd() {
			l.cut()
		}
	}
}

// open begins the window of the next slot. One that is left behind ends with what it has. Where whole windows lie between,
// or time that came twice, what was used in it belongs to none.
func (l *loop) open(window int64) {
	if l.window != 0 && window > l.window {
		l.cut()
	}
	left := l.windowBefore != 0 && window > l.windowBefore+usagewindow.WindowUs
	if left || l.repeating {
		l.repeating = false
		l.restartCounters()
	}
	l.window = window
}

// noticeOverrun finds out whether programs have come round to slices that were not taken. Those are lost, and the slices
// that were added into their cells cannot be told from them.
func (l *loop) noticeOverrun(now int64) {
	if now < l.next+ringSlices {
		return
	}
	if l.overrunTo < l.next {
		l.overrunFrom = l.next + ringSlices
	}
	l.overrunTo = now
}

// whole reports whether a cell held its slice and nothing else. now is the slice under way after the cell was emptied.
func (l *loop) whole(slice, now int64) bool {
	return slice+ringSlices > now && (slice < l.overrunFrom || slice > l.overrunTo)
}

// wholeStretch reports whether all of some slices are whole.
func (l *loop) wholeStretch(from, until, now int64) bool {
	return from+ringSlices > now && (until <= l.overrunFrom || from > l.overrunTo)
}

// sweep empties cells some time before they are used again. What is in them was charged after they had been taken.
func (l *loop) sweep(now int64) {
	from, until := max(l.swept, now+1), min(now+sweepSlices, l.next+ringSlices)
	if l.overrunTo >= l.next {
		from = max(from, l.overrunTo+1)
	}
	if from >= until {
		return
	}
	l.sweepRings(from, until)
	l.swept = until
}

// usedBefore is how long before the first slice CPU time may have been used that was charged in it: until then nobody looked,
// and a tick, or on nohz_full CPUs a second, had passed since the last charge.
const usedBefore = 100

// misplaced reports whether what was charged to a slice in its last round is missing elsewhere. What lies shortly before the
// first slice is nobody's; what lies farther back is one charge of more time than has passed, as the kernel makes one when a
// guest's scheduler clock jumps.
func (l *loop) misplaced(slice int64) bool { return slice >= l.begun || slice < l.begun-usedBefore }

// sweepRings sweeps all rings, and lets slices settle longer when that finds CPU time of a cgroup.
func (l *loop) sweepRings(from, until int64) {
	var other, late int64
	for slice := from; slice < until; slice++ {
		if ns := l.kernel.rings.takeOther(l.kernel.settings, slice); l.misplaced(slice - ringSlices) {
			other += ns
		}
	}
	for _, s := range l.shards {
		late += l.sweepRing(s, from, until)
	}
	l.lateNs.Add(late)
	l.lateOtherNs.Add(other)
	if late > 0 {
		l.settle = min(2*l.settle, settleMostSlices)
	}
}

// sweepRing sweeps the ring of one shard.
func (l *loop) sweepRing(s *shard, from, until int64) (lateNs int64) {
	rings := l.kernel.rings
	for slice := from; slice < until; slice++ {
		at := cell(s.slot, slice)
		ns := int64(take(&rings.usage[at])) << l.kernel.settings.usageShift
		s.sumNs += ns
		if l.misplaced(slice - ringSlices) {
			lateNs += ns
		}
		if rings.cycles != nil {
			take(&rings.cycles[at])
			take(&rings.instructions[at])
		}
		if rings.runnable != nil {
			take(&rings.runnable[at])
			rings.throttled[at] = 0
		}
	}
	return lateNs
}

// followClock moves slots when the wall clock has moved against the monotonic one, which a suspended host looks like too.
func (l *loop) followClock() {
	offsetNs := l.wallOffset()
	stepNs := offsetNs - l.offsetNs
	l.offsetNs = offsetNs
	l.slicing.follow(offsetNs)
	if stepNs < sampler.TooLateNs && stepNs > -sampler.TooLateNs {
		return
	}
	l.recorder.NoteClockStep()
	step := time.Duration(stepNs).Round(time.Millisecond)
	if stepNs < 0 {
		l.log.Warnf("the wall clock was set back by %s: that much time has been measured already and is left out; "+
			"starting the agent again would end the wait", -step)
		return
	}
	l.log.Warnf("the wall clock was set forward by %s, or the host was suspended; sampling goes on", step)
}

// restartCounters leaves what was used since the last readings out of every record.
func (l *loop) restartCounters() {
	l.recorder.Host().RestartCounters()
	for _, s := range l.shards {
		l.takeNotes(s)
		s.builder.RestartCounters()
		s.watched = false // what lies between belongs to no window, in whatever order it was
	}
	l.readEnds()
	l.ended = false
}

// finish takes the slices up to now, partly settled as they are, and hands over the partial window.
func (l *loop) finish() {
	l.takeUntil(l.slicing.sliceAt(l.monotonic()))
	if l.window == 0 && l.windowBefore != 0 {
		// A window ended with the last slice. The one under way is missed, so that there is a cut that holds nothing back.
		l.lastSlot++
		l.window = l.windowBefore + usagewindow.WindowUs
	}
	if l.window != 0 {
		l.cut()
	}
	if from := l.swept - ringSlices; from < l.next {
		l.sweepRings(from+ringSlices, l.next+ringSlices) // these cells are not used again, but what is in them was late
	}
	for _, s := range l.shards {
		s.cgroup.Files.Close()
	}
	for _, news := range l.slots.waiting {
		news.Ancestor.Close()
		news.Cgroup.Files.Close()
	}
	if l.root != nil {
		l.root.Close()
	}
}

// cut ends the window under way with what was read at its end, and hands it over without waiting.
func (l *loop) cut() {
	if !l.ended {
		l.readEnds()
	}
	for _, s := range l.shards {
		if s.ended {
			s.builder.SetThreads(s.threads)
		}
		s.ended = false
	}
	l.tellNames()
	select {
	case l.cuts <- l.recorder.Cut(l.window, min(l.lastSlot, usagewindow.LastSlotOf(l.window))):
	default:
		l.refused.Add(1)
	}
	l.ended, l.window, l.windowBefore = false, 0, l.window
	l.economize()
	for _, s := range l.shards {
		s.release()
	}
}

// tellNames states who used the CPU above the quota.
func (l *loop) tellNames() {
	if l.names == nil || l.recorder.Lean() {
		return
	}
	bySlot, err := l.names.gather()
	if err != nil {
		l.readErrors.Add(1)
		return
	}
	for _, s := range l.shards {
		if s.limited && !s.builder.Skipped() {
			threads := bySlot[s.slot]
			if threads == nil {
				threads = []usagewindow.ExcursionThread{} // measured, and nobody was
			}
			s.builder.SetExcursionThreads(threads)
		}
	}
}

// economize does without what is optional while the agent has to save.
func (l *loop) economize() {
	for _, s := range l.shards {
		l.allow(s)
		l.watch(s)
	}
	if wanted := l.wantsRunnable && !l.recorder.Lean(); wanted != l.kernel.runnable {
		if err := l.kernel.watchQueues(wanted); err != nil {
			l.log.Warnf("runnable threads are not counted: %v", err)
			l.wantsRunnable = false
		}
	}
}
