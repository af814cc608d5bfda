package tickpoll

import (
	"context"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	intervalNs = usagewindow.SampleIntervalUs * 1000
	// readAfterTickNs is how long after a tick the thread is due to wake; it is awake some 35 us later.
	// That is long enough for the tick handlers of all CPUs to have charged their tasks, and short
	// enough that little was used since.
	readAfterTickNs = 50_000
	// tooLateNs is the lateness from which a slot counts as missed: the slice would be closer to two
	// slots long than to one.
	tooLateNs = intervalNs / 2
	// farAheadNs is how far ahead a slot lies only if the wall clock was set back.
	farAheadNs = 10 * intervalNs
	// followWithinNs is how far around an expected tick it is looked for.
	followWithinNs = 200_000
	// lostAfter is how many ticks in a row may go unseen before the phase is searched anew.
	lostAfter = 6
	// admitPerSlot bounds the new cgroups taken over between two samples.
	admitPerSlot = 64
)

// loop owns all sampling state. It runs on one locked thread.
type loop struct {
	clock    clock
	ticks    *Ticks
	unseen   int
	recorder *sampler.Recorder
	root     *handle
	handles  []*handle
	// byCgroup finds the handle of an event; a removed cgroup leaves it with its Gone event.
	byCgroup map[*discovery.Cgroup]*handle
	admitted int64
	events   <-chan discovery.Event
	cuts     chan<- sampler.Batch
	// refused counts windows that could not be handed over because nobody took them.
	refused atomic.Int64
	// readErrors counts readings that failed for another reason than removal.
	readErrors atomic.Int64
	window     int64
	buffer     [4096]byte
}

func newLoop(clock clock, recorder *sampler.Recorder, events <-chan discovery.Event, cuts chan<- sampler.Batch) *loop {
	return &loop{
		clock: clock, recorder: recorder, byCgroup: map[*discovery.Cgroup]*handle{}, events: events, cuts: cuts,
	}
}

// run samples slot after slot until ctx ends, then takes the final readings.
func (l *loop) run(ctx context.Context) {
	wallNs, _ := l.clock.now()
	slot := wallNs/intervalNs + 1
	l.window = usagewindow.WindowOf(slot)
	for ctx.Err() == nil {
		wallNs, monoNs := l.clock.now()
		tick, planned := l.plan(slot, wallNs, monoNs)
		if monoNs-planned > tooLateNs || planned-monoNs > farAheadNs {
			slot = l.jump(slot, wallNs/intervalNs+1)
			continue
		}
		if slot%usagewindow.SlotsPerWindow == 1 {
			l.follow(tick)
		}
		sleepUntil(planned)
		if l.clock.mono()-planned > tooLateNs {
			continue // the next round leaves this slot out
		}
		l.admit()
		l.sampleAll(slot, planned)
		if slot == usagewindow.LastSlotOf(l.window) {
			l.readEnds()
			l.cut(slot)
			l.window += usagewindow.WindowUs
		}
		slot++
	}
	l.readFinals()
	l.cut(slot - 1)
	for _, h := range append(l.handles, l.root) {
		if h != nil {
			h.Close()
		}
	}
}

// plan returns the tick after the end of a slot, and the instant at which to read.
func (l *loop) plan(slot, wallNs, monoNs int64) (tick, planned int64) {
	end := monoNs + slot*intervalNs - wallNs
	if l.ticks == nil {
		return end, end
	}
	tick = l.ticks.AtOrAfter(end)
	if !l.ticks.Found() {
		return tick, end
	}
	return tick, tick + readAfterTickNs
}

// jump leaves out the slots that cannot be read any more, or goes back with a clock that was set
// back. A window that is left behind ends with the readings it has.
func (l *loop) jump(slot, next int64) int64 {
	if next == slot {
		next++
	}
	if window := usagewindow.WindowOf(next); window != l.window {
		l.cut(min(usagewindow.LastSlotOf(l.window), max(slot, next)-1))
		l.window = window
	}
	return next
}

// search finds the phase of the tick by watching three of them, at most 8 ms of CPU time at HZ=250.
func (l *loop) search() {
	for range 3 {
		if at, seen := l.clock.seeTick(l.clock.mono() + 2*l.ticks.PeriodNs()); seen {
			l.ticks.Observe(at)
		}
	}
	l.unseen = 0
}

// follow looks for an expected tick once per window, so that a drifting phase is noticed.
func (l *loop) follow(tick int64) {
	if l.ticks == nil {
		return
	}
	if !l.ticks.Found() || l.unseen >= lostAfter {
		l.ticks.Forget()
		l.search()
		return
	}
	if l.clock.mono() > tick-followWithinNs {
		return
	}
	sleepUntil(tick - followWithinNs)
	if at, seen := l.clock.seeTick(tick + followWithinNs/2); seen {
		l.ticks.Observe(at)
		l.unseen = 0
	} else {
		l.unseen++
	}
}

// admit takes over new cgroups and new limits without waiting.
func (l *loop) admit() {
	for range admitPerSlot {
		select {
		case news := <-l.events:
			l.take(news)
		default:
			return
		}
	}
}

func (l *loop) take(news discovery.Event) {
	switch news.Kind {
	case discovery.Found:
		h := &handle{Files: news.Cgroup.Files, builder: l.recorder.Track(*news.Found), fresh: true, statPhase: l.admitted}
		l.handles, l.byCgroup[news.Cgroup] = append(l.handles, h), h
		l.admitted++
		l.takeAncestor(h, news.Ancestor)
	case discovery.LimitsChanged:
		h := l.byCgroup[news.Cgroup]
		if h == nil || h.builder.Retired() {
			news.Ancestor.Close()
			return
		}
		h.builder.SetLimits(*news.Limits)
		l.takeAncestor(h, news.Ancestor)
	case discovery.Gone:
		if h := l.byCgroup[news.Cgroup]; h != nil {
			h.gone = true
		}
		delete(l.byCgroup, news.Cgroup)
	}
}

// takeAncestor reads the counters of a limited ancestor from which the window's growth counts.
func (l *loop) takeAncestor(h *handle, ancestor *discovery.StatFile) {
	h.SetAncestor(ancestor)
	l.readAncestor(h)
	h.chooseStatSlots()
}

func (l *loop) readAncestor(h *handle) {
	if stat, ok := h.ReadAncestor(l.buffer[:]); ok {
		h.builder.AncestorStat(stat)
	}
}

// sampleAll reads every cgroup once. It allocates nothing unless a cgroup is gone.
func (l *loop) sampleAll(slot, planned int64) {
	if l.root != nil {
		at := l.clock.mono()
		if usageNs, _, err := l.root.ReadUsage(l.buffer[:]); err == nil {
			l.root.builder.Sample(slot, at, usageNs, (at-planned)/1000)
		}
	}
	for i := 0; i < len(l.handles); {
		if l.sample(l.handles[i], slot, planned) {
			i++
			continue
		}
		last := len(l.handles) - 1
		l.handles[i], l.handles[last] = l.handles[last], nil
		l.handles = l.handles[:last]
	}
}

// sample reads one cgroup and reports whether it still exists.
func (l *loop) sample(h *handle, slot, planned int64) bool {
	at := l.clock.mono()
	if at-planned > tooLateNs {
		return true // the thread was held up between two cgroups
	}
	usageNs, stat, err := h.ReadUsage(l.buffer[:])
	if err == nil {
		h.builder.Sample(slot, at, usageNs, (at-planned)/1000)
		switch {
		case h.Unified():
			h.builder.Stat(stat)
		case h.fresh || (slot+h.statPhase)%h.statEvery == 0:
			stat, err = h.ReadStat(l.buffer[:])
			if err == nil {
				h.builder.Stat(stat)
				h.fresh = false
			}
		}
	}
	if err == discovery.ErrRemoved || h.gone {
		h.builder.Retire()
		h.Close()
		return false
	}
	if err != nil {
		l.readErrors.Add(1)
	}
	return true
}

// readEnds reads what is stated once per window.
func (l *loop) readEnds() {
	for _, h := range l.handles {
		if !h.Unified() {
			if stat, err := h.ReadStat(l.buffer[:]); err == nil {
				h.builder.Stat(stat)
			}
		}
		h.builder.SetThreads(h.ReadThreads(l.buffer[:]))
		l.readAncestor(h)
	}
}

// readFinals takes the last readings of all counters when the agent stops between two windows.
func (l *loop) readFinals() {
	for _, h := range l.handles {
		if usageNs, stat, err := h.ReadUsage(l.buffer[:]); err == nil {
			h.builder.Final(usageNs)
			if h.Unified() {
				h.builder.Stat(stat)
			}
		}
	}
	if l.root != nil {
		if usageNs, _, err := l.root.ReadUsage(l.buffer[:]); err == nil {
			l.root.builder.Final(usageNs)
		}
	}
	l.readEnds()
}

// cut ends the current window and hands it over without waiting.
func (l *loop) cut(lastSlot int64) {
	select {
	case l.cuts <- l.recorder.Cut(l.window, lastSlot):
	default:
		l.refused.Add(1)
	}
}
