package tickpoll

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	// readAfterTickNs is how long after a tick the thread is due to wake; it is awake some 35 us later.
	// That is long enough for the tick handlers of all CPUs to have charged their tasks, and short
	// enough that little was used since.
	readAfterTickNs = 50_000
	// longestNapNs is how long the thread sleeps at a time while it waits for time that comes again.
	longestNapNs = 100_000_000
	// followWithinNs is how far around an expected tick it is looked for.
	followWithinNs = 200_000
	// lostAfter is how many ticks in a row may go unseen before the phase is searched anew.
	lostAfter = 6
	// admitPerSlot bounds the new cgroups taken over between two samples.
	admitPerSlot = 64
)

// loop owns all sampling state. It runs on one locked thread.
type loop struct {
	clock    timekeeper
	schedule *sampler.Schedule
	log      sampler.Logger
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

func newLoop(clock timekeeper, recorder *sampler.Recorder, log sampler.Logger,
	events <-chan discovery.Event, cuts chan<- sampler.Batch) *loop {
	return &loop{
		clock: clock, recorder: recorder, log: log, byCgroup: map[*discovery.Cgroup]*handle{},
		schedule: sampler.NewSchedule(recorder.Covered()), events: events, cuts: cuts,
	}
}

// run samples slot after slot until ctx ends, then takes the final readings.
func (l *loop) run(ctx context.Context) {
	read := l.schedule.Last()
	for ctx.Err() == nil {
		wallNs, monoNs := l.clock.now()
		turn := l.schedule.Next(wallNs, monoNs, l.recorder.SlotsPerSample())
		if turn.SteppedNs != 0 {
			l.stepped(turn)
		}
		l.open(usagewindow.WindowOf(turn.Slot))
		if turn.DueNs-monoNs > longestNapNs && !l.waitFor(ctx, &turn) {
			break
		}
		tick, planned := l.plan(turn.DueNs)
		if turn.Slot%usagewindow.SlotsPerWindow == l.recorder.SlotsPerSample() {
			l.follow(tick)
		}
		l.clock.sleepUntil(planned)
		if l.clock.mono()-planned > sampler.TooLateNs {
			continue // missed: the next turn leaves it out
		}
		l.admit()
		l.sampleAll(turn.Slot, planned)
		read = turn.Slot
		if read == usagewindow.LastSlotOf(l.window) {
			l.readEnds()
			l.cut(read)
			l.window += usagewindow.WindowUs
		}
	}
	if l.window != 0 {
		l.readFinals()
		// Between a window and the first slot of the next one that slot is missed, so that there is a cut that holds nothing back.
		l.cut(max(read, l.slotOfNow(), usagewindow.LastSlotOf(l.window-usagewindow.WindowUs)+1))
	}
	for _, h := range append(l.handles, l.root) {
		if h != nil {
			h.Close()
		}
	}
}

// slotOfNow is the slot of the window under way that ended last, read or not.
func (l *loop) slotOfNow() int64 {
	wallNs, _ := l.clock.now()
	return min(wallNs/(usagewindow.SampleIntervalUs*1000), usagewindow.LastSlotOf(l.window))
}

// plan returns the tick after the end of a slot, and the instant at which to read.
func (l *loop) plan(endNs int64) (tick, planned int64) {
	if l.ticks == nil {
		return endNs, endNs
	}
	tick = l.ticks.AtOrAfter(endNs)
	if !l.ticks.Found() {
		return tick, endNs
	}
	return tick, tick + readAfterTickNs
}

// open begins the window of the next slot. One that is left behind ends with the readings it has.
// Where whole windows lie between, what was used in them belongs to none.
func (l *loop) open(window int64) {
	switch {
	case l.window == 0:
		l.window = window
	case window > l.window:
		l.cut(usagewindow.LastSlotOf(l.window))
		if window > l.window+usagewindow.WindowUs {
			l.restartCounters()
		}
		l.window = window
	}
}

// stepped notes that the wall clock was set, or that the host was suspended, which stops the
// monotonic clock and so looks the same.
func (l *loop) stepped(turn sampler.Turn) {
	l.recorder.NoteClockStep()
	asleep := l.clock.asleep()
	switch {
	case asleep > 0:
		l.log.Infof("the host was suspended for %s; sampling goes on", asleep.Round(time.Millisecond))
	case turn.Repeated:
		l.restartCounters()
		l.log.Warnf("the wall clock was set back by %s: that much time has been measured already and is left out; "+
			"starting the agent again would end the wait", time.Duration(-turn.SteppedNs).Round(time.Millisecond))
	default:
		l.log.Warnf("the wall clock was set forward by %s; sampling goes on", time.Duration(turn.SteppedNs).Round(time.Millisecond))
	}
}

// waitFor naps until a slot that is far ahead is near, and reports whether it came. The wall clock
// may be set meanwhile.
func (l *loop) waitFor(ctx context.Context, turn *sampler.Turn) bool {
	for ctx.Err() == nil {
		wallNs, monoNs := l.clock.now()
		turn.DueNs = l.schedule.DueNs(turn.Slot, wallNs, monoNs)
		if turn.DueNs-monoNs <= longestNapNs {
			return true
		}
		l.clock.sleepUntil(monoNs + longestNapNs)
	}
	return false
}

// restartCounters leaves what was used since the last reading out of every record.
func (l *loop) restartCounters() {
	for _, h := range l.handles {
		h.builder.RestartCounters()
	}
	if l.root != nil {
		l.root.builder.RestartCounters()
	}
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
	l.clock.sleepUntil(tick - followWithinNs)
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
	if h.builder.Skipped() {
		if h.gone {
			h.retire()
		}
		return !h.gone
	}
	at := l.clock.mono()
	if at-planned > sampler.TooLateNs {
		return true // the thread was held up between two cgroups
	}
	usageNs, stat, err := h.ReadUsage(l.buffer[:])
	if err == nil {
		h.builder.Sample(slot, at, usageNs, (at-planned)/1000)
		switch {
		case h.Unified():
			h.builder.Stat(stat)
		case h.wantsStat(slot, usageNs, l.recorder.SlotsPerSample()) && (h.fresh || !l.recorder.Lean()):
			stat, err = h.ReadStat(l.buffer[:])
			if err == nil {
				h.builder.Stat(stat)
				h.sawStat(slot, stat.Periods)
			}
		}
	}
	if err == discovery.ErrRemoved || h.gone {
		h.retire()
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
		if h.builder.Skipped() {
			continue
		}
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
		if h.builder.Skipped() {
			continue
		}
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
