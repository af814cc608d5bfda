package ebpf

import "slices"

// takeSlices empties the cells of the slices from one to before another and passes on what was in them.
func (l *loop) takeSlices(from, until int64) {
	l.resolveDoubts(until)
	host := l.hostNs[:until-from]
	for i := range host {
		host[i] = l.kernel.rings.takeOther(l.kernel.settings, from+int64(i))
	}
	kept := l.shards[:0]
	for _, s := range l.shards {
		l.takeShard(s, from, until)
		if s.removed && until > s.last {
			l.retire(s)
			continue
		}
		kept = append(kept, s)
	}
	clear(l.shards[len(kept):])
	l.shards = kept
	now := l.slicing.sliceAt(l.monotonic())
	for i, usedNs := range host {
		if slice := from + int64(i); !l.repeating && l.whole(slice, now) {
			l.recorder.Host().Slice(l.slicing.slotOf(slice), sliceNs, usedNs)
		}
	}
}

// takeShard empties the cells of one shard. It allocates nothing.
func (l *loop) takeShard(s *shard, from, until int64) {
	rings, shift := l.kernel.rings, l.kernel.settings.usageShift
	amounts := l.amounts[:until-from]
	for i := range amounts {
		amount := take(&rings.usage[cell(s.slot, from+int64(i))])
		rings.judge(s, from+int64(i), amount)
		amounts[i] = int64(amount) << shift
		l.hostNs[i] += amounts[i]
		s.sumNs += amounts[i]
		if amount > 0 {
			s.busy = from + int64(i) + 1
		}
	}
	if l.kernel.runnable {
		l.takeThreads(s, from, until)
	}
	if rings.cycles != nil {
		l.takeCounted(s, from, until)
	}
	if l.repeating || s.builder.Skipped() {
		return
	}
	if now := l.slicing.sliceAt(l.monotonic()); l.recorder.SlotsPerSample() > 1 || !l.wholeStretch(from, until, now) {
		for i, usedNs := range amounts {
			if slice := from + int64(i); l.whole(slice, now) {
				l.passSlice(s, slice, i, usedNs)
			}
		}
		return
	}
	for i := 0; i < len(amounts); {
		if idle := l.idleFrom(s, i, from, until); idle > 1 {
			slot := l.slicing.slotOf(from + int64(i))
			s.builder.Idle(slot, sliceNs, idle)
			if l.kernel.runnable {
				s.builder.AddRunnable(0, idle)
			}
			i += int(idle)
			continue
		}
		l.passSlice(s, from+int64(i), i, amounts[i])
		i++
	}
}

// passSlice passes on one slice, which is at place i of those that are being taken.
func (l *loop) passSlice(s *shard, slice int64, i int, usedNs int64) {
	if slice < s.first || s.removed && slice > s.last {
		if slice < s.first-usedBefore {
			l.lateNs.Add(usedNs) // as what is charged to slices that were taken
		}
		return
	}
	slot, step := l.slicing.slotOf(slice), l.recorder.SlotsPerSample()
	s.builder.Slice(slot, sliceNs, usedNs)
	if l.kernel.runnable && slot%step == 0 && slice-s.first >= step-1 && i+1 >= int(step) {
		l.passThreads(s, l.threadTime[i+1-int(step):i+1])
	}
}

// idleFrom is in how many slices from place i on nothing was used and nobody wanted to.
func (l *loop) idleFrom(s *shard, i int, from, until int64) (count int64) {
	if from+int64(i) < s.first {
		return 0
	}
	if s.removed {
		until = min(until, s.last+1)
	}
	for at := i; from+int64(at) < until && l.amounts[at] == 0 && (!l.kernel.runnable || l.threadTime[at] == 0); at++ {
		count++
	}
	return count
}

// passThreads counts a sample by the mean of runnable threads in its slices, unless it was throttled.
func (l *loop) passThreads(s *shard, threadTime []int64) {
	if slices.Contains(threadTime, throttledSlice) {
		return
	}
	sum, elapsedNs := int64(0), int64(len(threadTime))*sliceNs
	for _, time := range threadTime {
		sum += time
	}
	s.builder.AddRunnable((sum+elapsedNs/2)/elapsedNs, 1)
}

const (
	// threadShift is the unit of thread time in a cell, as in bpf/queues.h.
	threadShift = 6
	// throttledSlice stands in threadTime for a slice in which a queue of the cgroup was throttled.
	throttledSlice = -1
)

// takeThreads gathers the thread time of each slice, or that it was throttled.
func (l *loop) takeThreads(s *shard, from, until int64) {
	rings := l.kernel.rings
	for i := range l.threadTime[:until-from] {
		at := cell(s.slot, from+int64(i))
		l.threadTime[i] = int64(take(&rings.runnable[at])) << threadShift
		if rings.throttled[at] != 0 {
			rings.throttled[at] = 0
			l.threadTime[i] = throttledSlice
		}
	}
	fromNs, untilNs := l.slicing.beginNs(from), l.slicing.beginNs(until)
	cpus := l.kernel.settings.possibleCPUs
	for _, q := range rings.queues[int(s.slot)*cpus : int(s.slot+1)*cpus] {
		if (q.runnable > 0 || q.throttled != 0) && int64(q.sinceNs) < untilNs {
			l.extend(q, max(fromNs, int64(q.sinceNs)), untilNs, from)
		}
	}
}

// extend adds what a queue has been since before the end of the slices under way: nothing has happened on it since, so no
// program has added it. When one does, it adds to cells that were taken, and is swept.
func (l *loop) extend(q queue, fromNs, untilNs, from int64) {
	for fromNs < untilNs {
		slice := l.slicing.sliceAt(fromNs)
		edgeNs := min(untilNs, l.slicing.beginNs(slice+1))
		switch at := &l.threadTime[slice-from]; {
		case q.throttled != 0:
			*at = throttledSlice
		case *at != throttledSlice:
			*at += (edgeNs - fromNs) * int64(q.runnable)
		}
		fromNs = edgeNs
	}
}
