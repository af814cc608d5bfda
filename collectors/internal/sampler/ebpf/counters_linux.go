package ebpf

import (
	"errors"

	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// readEnds reads what is stated once per window, when the window ends. The slices of its last moments settle later.
func (l *loop) readEnds(now int64) {
	l.endedNs = l.monotonic()
	for _, s := range l.shards {
		l.takeNotes(s)
	}
	l.readBandwidth()
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
	l.passInOrder(s, stat, false)
	s.watched = l.kernel.rings.bandwidths[s.slot].watched != 0
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
