package discovery

import "container/list"

// waiting holds the matched cgroups that have no place below the caps, and says who gets the next one:
// the service with the fewest places; among equals the one whose cgroup has waited longest. A place is
// never taken away from a cgroup that lives, so the choice is stable, and no service can keep the
// others out.
type waiting struct {
	size int
	// byService are lists of *node in the order of arrival.
	byService map[string]*list.List
	places    map[string]int
	arrivals  int64
}

func newWaiting() waiting {
	return waiting{byService: map[string]*list.List{}, places: map[string]int{}}
}

func (w *waiting) enter(n *node) {
	queue := w.byService[n.shard.Service]
	if queue == nil {
		queue = list.New()
		w.byService[n.shard.Service] = queue
	}
	w.size++
	w.arrivals++
	n.waiting, n.arrival = queue.PushBack(n), w.arrivals
}

// leave takes out a cgroup that waits.
func (w *waiting) leave(n *node) {
	queue := w.byService[n.shard.Service]
	queue.Remove(n.waiting)
	n.waiting = nil
	w.size--
	if queue.Len() == 0 {
		delete(w.byService, n.shard.Service)
	}
}

// next takes out the cgroup that gets the next place; nil if nobody may have one. maxServices bounds
// the services that have places, 0 not at all.
func (w *waiting) next(maxServices int) *node {
	var chosen *node
	for service, queue := range w.byService {
		if maxServices > 0 && w.places[service] == 0 && len(w.places) >= maxServices {
			continue
		}
		if first := queue.Front().Value.(*node); chosen == nil || w.before(first, chosen) {
			chosen = first
		}
	}
	if chosen != nil {
		w.leave(chosen)
	}
	return chosen
}

func (w *waiting) before(a, b *node) bool {
	if less := w.places[a.shard.Service] - w.places[b.shard.Service]; less != 0 {
		return less < 0
	}
	return a.arrival < b.arrival
}

// occupy and release count the places of a service.
func (w *waiting) occupy(service string) { w.places[service]++ }

func (w *waiting) release(service string) {
	if w.places[service]--; w.places[service] == 0 {
		delete(w.places, service)
	}
}
