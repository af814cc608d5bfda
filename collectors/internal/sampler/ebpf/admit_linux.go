package ebpf

import (
	"errors"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// slots gives rings to cgroups. One that was given back is left alone until no event under way can reach it.
type slots struct {
	free    []uint32
	resting []resting
}

type resting struct {
	slot  uint32
	since int64
}

// errNoRing tells that all rings are taken, resting ones included.
var errNoRing = errors.New("no ring is free")

// restSlices is how long a slot rests.
const restSlices = 100

func newSlots(count int) slots {
	s := slots{free: make([]uint32, 0, count)}
	for slot := count - 1; slot > otherSlot; slot-- {
		s.free = append(s.free, uint32(slot))
	}
	return s
}

func (s *slots) take() (slot uint32, ok bool) {
	if len(s.free) == 0 {
		return 0, false
	}
	slot = s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return slot, true
}

func (s *slots) giveBack(slot uint32, now int64) {
	s.resting = append(s.resting, resting{slot: slot, since: now})
}

// release makes rings free that have rested, after wiping them.
func (s *slots) release(now int64, wipe func(slot uint32)) {
	done := 0
	for done < len(s.resting) && now-s.resting[done].since > restSlices {
		wipe(s.resting[done].slot)
		s.free = append(s.free, s.resting[done].slot)
		done++
	}
	s.resting = append(s.resting[:0], s.resting[done:]...)
}

// admit takes over events without waiting.
func (l *loop) admit() {
	for range admitPerWake {
		select {
		case news := <-l.events:
			l.hear(news)
		default:
			return
		}
	}
}

func (l *loop) hear(news discovery.Event) {
	switch news.Kind {
	case discovery.Found:
		l.track(news)
	case discovery.LimitsChanged:
		s := l.byCgroup[news.Cgroup]
		if s == nil {
			news.Ancestor.Close()
			return
		}
		l.setLimits(s, *news.Limits)
		l.takeAncestor(s, news.Ancestor)
	case discovery.Gone:
		if s := l.byCgroup[news.Cgroup]; s != nil {
			l.remove(s)
		}
	}
}

// track begins a shard. Its first slice is the first that begins after the programs know it.
func (l *loop) track(news discovery.Event) {
	s := &shard{cgroup: news.Cgroup}
	err := errNoRing
	ok := false
	if s.slot, ok = l.slots.take(); ok {
		if err = l.begin(s, *news.Found); err == nil {
			l.shards = append(l.shards, s)
			l.byCgroup[s.cgroup] = s
			l.highest = max(l.highest, s.slot)
			l.takeAncestor(s, news.Ancestor)
			return
		}
		l.slots.giveBack(s.slot, l.slicing.sliceAt(l.monotonic()))
	}
	if !errors.Is(err, errGone) && !errors.Is(err, discovery.ErrRemoved) {
		l.log.Warnf("cgroup %s is not sampled: %v", s.cgroup.Path, err)
	}
	news.Ancestor.Close()
	s.cgroup.Files.Close()
}

func (l *loop) begin(s *shard, found sampler.Found) (err error) {
	if s.nodes, err = nodesOf(l.trees, s.cgroup, l.buffer[:]); err != nil {
		return err
	}
	if err := l.kernel.track(s.nodes, s.slot); err != nil {
		return err
	}
	s.first = l.slicing.sliceAt(l.monotonic()) + 1
	s.busy = s.first
	usageNs, stat, err := s.cgroup.Files.ReadUsage(l.buffer[:])
	if err == nil && !s.cgroup.Files.Unified() {
		stat, err = s.cgroup.Files.ReadStat(l.buffer[:])
	}
	if err != nil {
		return errors.Join(err, l.kernel.forget(s.nodes))
	}
	s.builder = l.recorder.Track(found)
	l.noteLimits(s, found.Limits)
	s.builder.Final(usageNs)
	l.pass(s, stat, false)
	s.watched = l.kernel.rings.bandwidths[s.slot].watched != 0
	s.note(usageNs, l.kernel.rings.unreadNs(s.slot, s.first-1, s.first+1, l.kernel.settings.usageShift))
	return nil
}

// takeAncestor reads the counters of a limited ancestor from which the window's growth counts.
func (l *loop) takeAncestor(s *shard, ancestor *discovery.StatFile) {
	s.cgroup.Files.SetAncestor(ancestor)
	if stat, ok := s.cgroup.Files.ReadAncestor(l.buffer[:]); ok {
		s.builder.AncestorStat(stat)
	}
}

// wipe empties everything that was kept for a slot.
func (l *loop) wipe(slot uint32) {
	l.kernel.rings.wipe(slot, l.kernel.settings.possibleCPUs)
	if l.names != nil {
		l.names.forget(slot)
	}
}

// remove ends the charging of a cgroup that is gone. Its slices up to now are still taken.
func (l *loop) remove(s *shard) {
	if s.removed {
		return
	}
	s.removed, s.last = true, l.slicing.sliceAt(l.monotonic())
	delete(l.byCgroup, s.cgroup)
	l.takeNotes(s)
	l.watch(s)
	if err := l.kernel.forget(s.nodes); err != nil {
		l.log.Warnf("cgroup %s: %v", s.cgroup.Path, err)
	}
}

// retire ends a removed shard after its last slice was taken.
func (l *loop) retire(s *shard) {
	s.builder.Final(s.finalNs())
	l.noteWall(s, 0) // its last span, if one is open, has no end that could be known
	l.takeNotes(s)
	s.release()
	s.builder.Retire()
	s.cgroup.Files.Close()
	l.slots.giveBack(s.slot, l.slicing.sliceAt(l.monotonic()))
}
