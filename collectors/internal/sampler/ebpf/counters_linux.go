package ebpf

import (
	"errors"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// readEnds reads what is stated once per window, when the window ends. The slices of its last moments settle later.
func (l *loop) readEnds(now int64) {
	l.askBandwidth(func(*shard) bool { return true })
	l.readHost()
	for _, s := range l.shards {
		if s.removed || s.builder.Skipped() {
			continue
		}
		if err := l.readEnd(s, now); errors.Is(err, discovery.ErrRemoved) {
			l.remove(s)
		} else if err != nil {
			l.readErrors.Add(1)
		}
	}
	l.ended = true
}

func (l *loop) readHost() {
	if l.root == nil {
		return
	}
	if usageNs, _, err := l.root.ReadUsage(l.buffer[:]); err == nil {
		l.recorder.Host().Final(usageNs)
	}
}

func (l *loop) readEnd(s *shard, now int64) error {
	usageNs, stat, err := s.cgroup.Files.ReadUsage(l.buffer[:])
	if err != nil {
		return err
	}
	s.note(usageNs, l.kernel.rings.unreadNs(s.slot, l.next, now+1, l.kernel.settings.usageShift))
	s.builder.Final(usageNs)
	known, ok := l.kernel.rings.bandwidths[s.slot].statOf()
	switch {
	case ok:
		stat = known
	case !s.cgroup.Files.Unified():
		if stat, err = s.cgroup.Files.ReadStat(l.buffer[:]); err != nil {
			return err
		}
	}
	s.builder.Stat(stat)
	if stat, known := s.cgroup.Files.ReadAncestor(l.buffer[:]); known {
		s.builder.AncestorStat(stat)
	}
	s.threads, s.ended = s.cgroup.Files.ReadThreads(l.buffer[:]), true
	l.notePhase(s)
	l.noteWall(s, l.monotonic())
	if l.kernel.runnable {
		s.builder.AddRunnable(0, 0) // counted, also where all of the window was throttled
	}
	return nil
}

// notePhase states when the kernel's periods end, where its timer can be read.
func (l *loop) notePhase(s *shard) {
	b := &l.kernel.rings.bandwidths[s.slot]
	if !s.limited || b.valid == 0 || b.periodEndNs == 0 {
		s.builder.SetPeriodPhase(nil)
		return
	}
	phase := int32(int64(b.periodEndNs/1000) % s.periodUs)
	s.builder.SetPeriodPhase(&phase)
}

// readLimited reads the bandwidth counters of the cgroups with a quota, so that throttled periods are seen one by one.
// What comes after a window's end is held back until that window is cut.
func (l *loop) readLimited() {
	l.askBandwidth(func(s *shard) bool { // one whose quota was taken away while it was throttled has no timer that would end it
		return s.limited || l.kernel.rings.bandwidths[s.slot].throttledSinceNs != 0
	})
	for _, s := range l.shards {
		if s.removed || !s.limited || s.builder.Skipped() || l.rests(s) {
			continue
		}
		stat, err := l.bandwidthOf(s)
		if errors.Is(err, discovery.ErrRemoved) {
			l.remove(s)
			continue
		}
		switch {
		case err != nil:
			l.readErrors.Add(1)
		case l.ended:
			s.held = append(s.held, stat)
		default:
			s.builder.Stat(stat)
		}
	}
}

// bandwidthOf prefers the kernel's structure, which costs a tenth of the file.
func (l *loop) bandwidthOf(s *shard) (cgroupfs.CPUStat, error) {
	if stat, ok := l.kernel.rings.bandwidths[s.slot].statOf(); ok {
		return stat, nil
	}
	if s.cgroup.Files.Unified() {
		_, stat, err := s.cgroup.Files.ReadUsage(l.buffer[:])
		return stat, err
	}
	return s.cgroup.Files.ReadStat(l.buffer[:])
}

// askBandwidth has the kernel refresh the counters of the wanted shards whose task group it has learned.
func (l *loop) askBandwidth(wanted func(*shard) bool) {
	rings, count := l.kernel.rings, 0
	flush := func() {
		if count == 0 {
			return
		}
		if err := l.kernel.readBandwidth(count); err != nil {
			for _, slot := range rings.asked.slots[:count] {
				rings.bandwidths[slot].valid = 0
			}
			l.readErrors.Add(1)
		}
		count = 0
	}
	for _, s := range l.shards {
		if s.removed || rings.bandwidths[s.slot].group == 0 || s.builder.Skipped() || !wanted(s) {
			continue
		}
		rings.asked.slots[count] = s.slot
		if count++; count == mostAsked {
			flush()
		}
	}
	flush()
}
