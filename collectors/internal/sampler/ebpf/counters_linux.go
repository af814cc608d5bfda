package ebpf

import (
	"errors"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// readEnds reads what is stated once per window, when the window ends. The slices of its last moments settle later.
func (l *loop) readEnds() {
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
		if err := l.readEnd(s); errors.Is(err, discovery.ErrRemoved) {
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

// readTogether is how often a counter is read at most to find it and the ring at one instant.
const readTogether = 4

// readUsage reads the kernel's counter and notes what the ring held at that instant, from which the usage of a cgroup goes on
// when its file is gone. A charge that comes between the two makes them disagree by as much as a CPU can be charged with at
// once, so they are read again.
func (l *loop) readUsage(s *shard) (usageNs int64, stat cgroupfs.CPUStat, err error) {
	rings, shift := l.kernel.rings, l.kernel.settings.usageShift
	unreadNs, before := rings.unreadNs(s.slot, shift), int64(-1)
	for tries := 0; before != unreadNs && tries < readTogether; tries++ {
		if usageNs, stat, err = s.cgroup.Files.ReadUsage(l.buffer[:]); err != nil {
			return usageNs, stat, err
		}
		before, unreadNs = unreadNs, rings.unreadNs(s.slot, shift)
	}
	s.note(usageNs, unreadNs)
	return usageNs, stat, nil
}

func (l *loop) readEnd(s *shard) error {
	usageNs, stat, err := l.readUsage(s)
	if err != nil {
		return err
	}
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
