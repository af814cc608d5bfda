package ebpf

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// slots gives rings to cgroups. One that was given back is left alone until no event under way can reach it.
type slots struct {
	free    []uint32
	resting []resting
	// waiting are cgroups that found no ring free, the oldest first, and waited how many there were since the last window.
	waiting []discovery.Event
	waited  atomic.Int64
}

type resting struct {
	slot  uint32
	since int64
}

// errNoRing tells that all rings are taken, resting ones included.
var errNoRing = errors.New("no ring is free")

const (
	// restSlices is how long a slot rests at least after its cgroup was removed.
	restSlices = 100
	// waitingMost bounds the cgroups that wait for a ring.
	waitingMost = 1024
)

func newSlots(count int) *slots {
	s := &slots{free: make([]uint32, 0, count)}
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

// giveBack lets a slot rest since the slice in which its programs were told to forget it.
func (s *slots) giveBack(slot uint32, since int64) {
	s.resting = append(s.resting, resting{slot: slot, since: since})
}

// release makes rings free that have rested, after wiping them. They are in the order in which they were given back, which
// is nearly that of their removal.
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
			l.slots.changeWaiting(news)
			news.Ancestor.Close()
			return
		}
		l.setLimits(s, *news.Limits)
		l.takeAncestor(s, news.Ancestor)
	case discovery.Gone:
		if s := l.byCgroup[news.Cgroup]; s != nil {
			l.remove(s)
		} else if l.slots.leave(news.Cgroup) {
			l.vanished.Add(1)
		}
	}
}

// trackWaiting begins shards that waited for a ring, as far as there are some now.
func (l *loop) trackWaiting() {
	w := l.slots
	for len(w.waiting) > 0 && len(w.free) > 0 {
		next := w.waiting[0]
		w.waiting = slices.Delete(w.waiting, 0, 1)
		l.track(next)
	}
}

// leave ends the waiting of a cgroup that is gone, and reports whether it waited.
func (s *slots) leave(gone *discovery.Cgroup) bool {
	for i, news := range s.waiting {
		if news.Cgroup == gone {
			news.Ancestor.Close()
			news.Cgroup.Files.Close()
			s.waiting = slices.Delete(s.waiting, i, i+1)
			return true
		}
	}
	return false
}

// changeWaiting notes new limits of a cgroup that waits.
func (s *slots) changeWaiting(news discovery.Event) {
	for i := range s.waiting {
		if s.waiting[i].Cgroup == news.Cgroup {
			found := *s.waiting[i].Found
			found.Limits = *news.Limits
			s.waiting[i].Found = &found
		}
	}
}

// keepWaiting keeps a cgroup for which no ring is free, while so many come and go that all rest; false if too many wait.
func (l *loop) keepWaiting(news discovery.Event) bool {
	if len(l.slots.waiting) >= waitingMost {
		return false
	}
	l.slots.waiting = append(l.slots.waiting, news)
	l.slots.waited.Add(1)
	return true
}

// track begins a shard. Its first slice is the first that begins after the programs know it.
func (l *loop) track(news discovery.Event) {
	s := &shard{cgroup: news.Cgroup}
	err := errNoRing
	ok := false
	if len(l.slots.free) == 0 && l.keepWaiting(news) {
		return
	}
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
	if errors.Is(err, errGone) || errors.Is(err, discovery.ErrRemoved) {
		l.vanished.Add(1)
	} else {
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
	usageNs, stat, err := l.readUsage(s)
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
	l.slots.giveBack(s.slot, s.last)
}
