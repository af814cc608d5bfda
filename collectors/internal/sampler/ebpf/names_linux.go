package ebpf

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	// mostNames bounds the names of all cgroups together; those beyond are not told.
	mostNames = 4096
	// topNames is how many names a window states, by CPU time.
	topNames = 8
	// forgetNamesAfter is how many windows in a row a name may use nothing above the quota before it makes room.
	forgetNamesAfter = 6
)

// named is laid out as in bpf/names.h.
type named struct {
	Slot uint32
	Name [16]byte
}

// spent is laid out as in bpf/names.h.
type spent struct {
	Slice, SliceNs, AboveNs uint64
}

// told is what was known of a name at the last window's end.
type told struct {
	aboveNs uint64
	idle    int
}

// names follows the CPU time of thread names in slices above the quota.
type names struct {
	kernel *kernel
	known  map[named]told
}

// allow tells the programs what a cgroup may use in a slice; nothing is told by name without a quota.
func (l *loop) allow(s *shard) {
	if l.kernel.rings.verdicts == nil {
		return
	}
	allowance := int64(0)
	if limits := s.builder.Limits(); limits.Limited && !l.recorder.Lean() {
		allowance = min(max(limits.Limit.AllowanceNs(sliceNs)>>l.kernel.settings.usageShift, 1), 1<<32-1)
	}
	l.kernel.rings.verdicts[s.slot].allowance = uint32(allowance)
}

// judge leaves word whether a slice that is being taken was above the quota.
func (r *rings) judge(s *shard, slice int64, amount uint32) {
	if r.verdicts == nil || !s.limited {
		return
	}
	above := uint8(0)
	if v := &r.verdicts[s.slot]; v.allowance > 0 && amount > v.allowance {
		above = 1
	}
	r.verdicts[s.slot].above[slice&(ringSlices-1)] = above
}

// gather returns the names of each slot with what they used above the quota since the last call, most first.
func (n *names) gather() (bySlot map[uint32][]usagewindow.ExcursionThread, err error) {
	bySlot = map[uint32][]usagewindow.ExcursionThread{}
	var key named
	var perCPU []spent
	var idle []named
	present := map[named]bool{}
	entries := n.kernel.collection.Maps["names"].Iterate()
	for entries.Next(&key, &perCPU) {
		present[key] = true
		var aboveNs uint64
		for _, spent := range perCPU {
			aboveNs += spent.AboveNs
		}
		before := n.known[key]
		grown := told{aboveNs: aboveNs}
		if usedUs := int64(aboveNs/1000) - int64(before.aboveNs/1000); usedUs > 0 {
			bySlot[key.Slot] = append(bySlot[key.Slot], usagewindow.ExcursionThread{Comm: key.comm(), UsageUs: usedUs})
		} else if grown.idle = before.idle + 1; grown.idle > forgetNamesAfter {
			idle = append(idle, key)
		}
		n.known[key] = grown
	}
	if err := entries.Err(); err != nil {
		return nil, fmt.Errorf("reading thread names: %w", err)
	}
	for _, key := range idle {
		_ = n.kernel.collection.Maps["names"].Delete(key) // gone already is as good
		delete(n.known, key)
	}
	for key := range n.known {
		if !present[key] {
			delete(n.known, key)
		}
	}
	for slot, threads := range bySlot {
		slices.SortFunc(threads, func(a, b usagewindow.ExcursionThread) int {
			return cmp.Or(cmp.Compare(b.UsageUs, a.UsageUs), cmp.Compare(a.Comm, b.Comm))
		})
		bySlot[slot] = threads[:min(len(threads), topNames)]
	}
	return bySlot, nil
}

// forget drops the names of slots that are given to other cgroups.
func (n *names) forget(slot uint32) {
	for key := range n.known {
		if key.Slot == slot {
			_ = n.kernel.collection.Maps["names"].Delete(key) // gone already is as good
			delete(n.known, key)
		}
	}
}

// comm is the name up to its end. Bytes that are no text become question marks.
func (n named) comm() string {
	text := make([]byte, 0, len(n.Name))
	for _, c := range n.Name {
		switch {
		case c == 0:
			return string(text)
		case c < ' ' || c > '~':
			c = '?'
		}
		text = append(text, c)
	}
	return string(text)
}
