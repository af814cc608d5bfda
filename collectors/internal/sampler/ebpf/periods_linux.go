package ebpf

import (
	"errors"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// setLimits puts limits in force.
func (l *loop) setLimits(s *shard, limits usagewindow.Limits) {
	s.builder.SetLimits(limits)
	l.noteLimits(s, limits)
}

// noteLimits notes what the reading goroutine and the programs need of them often.
func (l *loop) noteLimits(s *shard, limits usagewindow.Limits) {
	s.limited, s.quotaUs, s.periodUs = limits.Limited, limits.Limit.QuotaUs, limits.Limit.PeriodUs
	l.watch(s)
	l.kernel.rings.bandwidths[s.slot].dueNs = 0 // other limits may end periods at other times
	l.allow(s)
	if l.stranger(s) && !s.strange {
		l.meet(s)
	}
}

// watch tells the programs whether the periods of a cgroup are to be noted.
func (l *loop) watch(s *shard) {
	watched := uint64(0)
	if s.limited && !s.removed && !s.builder.Skipped() && !l.recorder.Lean() {
		watched = 1
	}
	if b := &l.kernel.rings.bandwidths[s.slot]; b.watched != watched {
		b.watched, b.dueNs = watched, 0
		s.watched = false // until a reading from which on all periods are noted
	}
}

// restingSlices is after how long without usage a cgroup rests: its bandwidth counters stand still then.
const restingSlices = 200

// stranger is whether the counters of a cgroup are to be read from its file within a window: nothing is noted, because no
// task has run since the cgroup was tracked; but if it was throttled before, its periods are counted.
func (l *loop) stranger(s *shard) bool {
	b := &l.kernel.rings.bandwidths[s.slot]
	return b.watched != 0 && b.group == 0 && l.next-s.busy <= restingSlices
}

// survey finds out whose files to read within a window, and how often to look.
func (l *loop) survey() {
	l.every = wakeMost
	clear(l.strangers)
	l.strangers = l.strangers[:0]
	for _, s := range l.shards {
		if s.strange = l.stranger(s); s.strange {
			l.meet(s)
		}
	}
}

// meet adds a stranger.
func (l *loop) meet(s *shard) {
	s.strange = true
	l.strangers = append(l.strangers, s)
	if s.periodUs < 2*wakeStrangersMax.Microseconds() {
		l.every = wakeStrangersMin
	}
	l.every = min(l.every, wakeStrangersMax)
}

// readStrangers reads the bandwidth counters of cgroups whose periods nobody notes.
func (l *loop) readStrangers() {
	for _, s := range l.strangers {
		if !l.stranger(s) || s.removed {
			continue
		}
		_, stat, err := s.cgroup.Files.ReadUsage(l.buffer[:])
		if err == nil && !s.cgroup.Files.Unified() {
			stat, err = s.cgroup.Files.ReadStat(l.buffer[:])
		}
		switch {
		case errors.Is(err, discovery.ErrRemoved):
			l.remove(s)
		case err != nil:
			l.readErrors.Add(1)
		default:
			l.pass(s, stat, l.ended)
		}
	}
}

// takeNotes passes on what the programs noted of each period. It allocates nothing unless a window has ended and is not
// cut yet.
func (l *loop) takeNotes(s *shard) {
	b := &l.kernel.rings.bandwidths[s.slot]
	noted := atomic.LoadUint64(&b.noted)
	if noted == s.noted {
		return
	}
	if noted-s.noted > mostNotes { // nobody read them for seconds: the order of what lies between is lost
		s.noted, s.watched = noted-mostNotes, false
	}
	for ; s.noted != noted; s.noted++ {
		note := b.notes[s.noted%mostNotes]
		stat := s.stat
		stat.Periods, stat.ThrottledPeriods = int64(note.periods), int64(note.throttledPeriods)
		if stat.Periods < s.stat.Periods || stat.ThrottledPeriods < s.stat.ThrottledPeriods {
			continue // older than the last reading of the counters themselves
		}
		l.passInOrder(s, stat, l.ended && int64(note.atNs) >= l.endedNs)
		s.watched = b.watched != 0
	}
}

// passInOrder passes on a reading after several periods in the order in which they were: while all are noted, those that
// were throttled come first (bpf/bandwidth.h says why).
func (l *loop) passInOrder(s *shard, stat cgroupfs.CPUStat, hold bool) {
	periods, throttled := stat.Periods-s.stat.Periods, stat.ThrottledPeriods-s.stat.ThrottledPeriods
	if s.watched && throttled > 0 && throttled < periods {
		first := s.stat
		first.Periods, first.ThrottledPeriods = first.Periods+throttled, first.ThrottledPeriods+throttled
		l.pass(s, first, hold)
	}
	l.pass(s, stat, hold)
}

// pass hands a reading of bandwidth counters to the window, or holds it back for the next one.
func (l *loop) pass(s *shard, stat cgroupfs.CPUStat, hold bool) {
	s.stat = stat
	if hold {
		s.held = append(s.held, stat)
		return
	}
	s.builder.Stat(stat)
}

// release hands over what was held back while the window before was not cut.
func (s *shard) release() {
	for _, stat := range s.held {
		s.builder.Stat(stat)
	}
	s.held = s.held[:0]
}

// readBandwidth has the kernel read the counters of all slots in use.
func (l *loop) readBandwidth() {
	for from := otherSlot + 1; from <= int(l.highest); from += mostLooked {
		l.readSlots(from, min(from+mostLooked, int(l.highest)+1))
	}
}

func (l *loop) readSlots(from, until int) {
	err := l.kernel.readBandwidth(from, until)
	if err == nil {
		return
	}
	for slot := from; slot < until; slot++ {
		l.kernel.rings.bandwidths[slot].valid = 0
	}
	l.readErrors.Add(1)
}

// statOf makes bandwidth counters of what the kernel's structure says; false if it does not say it now.
func (b *bandwidth) statOf() (cgroupfs.CPUStat, bool) {
	return cgroupfs.CPUStat{
		HasBandwidth: true, Periods: int64(b.periods), ThrottledPeriods: int64(b.throttledPeriods),
		ThrottledNs: int64(b.throttledNs), HasBursts: b.hasBursts != 0, Bursts: int64(b.bursts), BurstUsedNs: int64(b.burstNs),
	}, b.valid != 0
}
