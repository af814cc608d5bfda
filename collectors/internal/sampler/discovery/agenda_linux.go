package discovery

import (
	"container/heap"
	"time"
)

// appointment is a node that is to be considered at an instant. Those of one instant keep their order.
type appointment struct {
	at     time.Time
	number int64
	n      *node
}

// agenda is a heap of appointments, earliest first. Its work per entry grows with the logarithm of what
// waits, never with the tree.
type agenda struct {
	entries appointments
	made    int64
}

type appointments []appointment

func (a appointments) Len() int { return len(a) }
func (a appointments) Less(i, j int) bool {
	if !a[i].at.Equal(a[j].at) {
		return a[i].at.Before(a[j].at)
	}
	return a[i].number < a[j].number
}
func (a appointments) Swap(i, j int)   { a[i], a[j] = a[j], a[i] }
func (a *appointments) Push(entry any) { *a = append(*a, entry.(appointment)) }
func (a *appointments) Pop() any {
	last := len(*a) - 1
	entry := (*a)[last]
	(*a)[last] = appointment{}
	*a = (*a)[:last]
	return entry
}

func (a *agenda) put(n *node, at time.Time) {
	a.made++
	heap.Push(&a.entries, appointment{at: at, number: a.made, n: n})
}

// next returns the earliest instant.
func (a *agenda) next() (at time.Time, some bool) {
	if len(a.entries) == 0 {
		return time.Time{}, false
	}
	return a.entries[0].at, true
}

// take returns a node that is due, or nil.
func (a *agenda) take(now time.Time) *node {
	if len(a.entries) == 0 || a.entries[0].at.After(now) {
		return nil
	}
	return heap.Pop(&a.entries).(appointment).n
}
