package usagewindow

import (
	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/secondorder"
)

// exemplarMissed marks a sample of an exemplar that was not taken.
const exemplarMissed = 255

// WindowOf returns the start of the window to which a slot belongs. Slot n ends at n sample
// intervals after the Unix epoch and belongs to the window in which it ends; one that ends with the
// window is the last of it.
func WindowOf(slot int64) (startUs int64) { return (slot - 1) / SlotsPerWindow * WindowUs }

// LastSlotOf returns the last slot of the window that begins at startUs.
func LastSlotOf(startUs int64) int64 { return startUs/SampleIntervalUs + SlotsPerWindow }

// slices sums what a window says about its 10 ms slices. It has a fixed size and never allocates.
type slices struct {
	memory *secondorder.Memory
	// step is how many slots one sample spans: 1, or more while the agent samples less often.
	step int64

	lastSlot    int64
	lastNs      int64
	lastUsageNs int64
	begun       bool
	// accounted is the last slot that was counted, as a sample or as missed.
	accounted int64

	samples    int64
	missed     int64
	latenessUs int64
	usageNs    int64
	usage      histogram.Short
	order      secondorder.Sums
	excursion  cfs.Excursion
	judged     bool
	exemplar   [SlotsPerWindow]byte
}

func newSlices(memory *secondorder.Memory) slices {
	s := slices{memory: memory, step: 1}
	s.clear()
	return s
}

// take sees the reading at the end of a slot. A slice exists only if the planned slot before was read too:
// a longer stretch of time is not a 10 ms value and is never passed off as one, so its slots are
// missed. A slot at or before the last one (the wall clock was set back) is a new beginning.
func (s *slices) take(slot, atNs, usageNs, latenessUs int64, limit cfs.Bandwidth, limited bool) {
	previous, elapsedNs, usedNs := s.lastSlot, atNs-s.lastNs, usageNs-s.lastUsageNs
	begun := s.begun && slot > previous
	s.lastSlot, s.lastNs, s.lastUsageNs, s.begun = slot, atNs, usageNs, true
	s.latenessUs = max(s.latenessUs, latenessUs)
	switch {
	case !begun:
		s.accounted = slot
	case slot != previous+s.step || elapsedNs <= 0 || usedNs < 0:
		s.missThrough(slot)
	default:
		s.accounted = slot
		s.add(slot, usedNs, elapsedNs, limit, limited)
	}
}

// exact sees the CPU time of one slot, which stands by itself: no other reading is needed to make it a sample.
func (s *slices) exact(slot, elapsedNs, usedNs int64, limit cfs.Bandwidth, limited bool) {
	if s.begun && slot <= s.accounted {
		return // the wall clock was set back: this time comes again, and no slot counts twice
	}
	if !s.begun {
		s.accounted = slot - s.step
	}
	s.begun, s.lastSlot = true, slot
	s.missThrough(slot - s.step)
	if elapsedNs <= 0 || usedNs < 0 {
		s.missThrough(slot)
		return
	}
	s.accounted = slot
	s.add(slot, usedNs, elapsedNs, limit, limited)
}

// idle sees slots in a row in which nothing was used. It is exact for each of them, and most slots of most shards are idle.
func (s *slices) idle(first, count, elapsedNs int64, limit cfs.Bandwidth, limited bool) {
	last := first + count - 1
	if s.step != 1 || elapsedNs <= 0 || s.begun && first <= s.accounted || WindowOf(first) != WindowOf(last) {
		for slot := first; slot <= last; slot++ {
			s.exact(slot, elapsedNs, 0, limit, limited)
		}
		return
	}
	if !s.begun {
		s.accounted = first - 1
	}
	s.missThrough(first - 1)
	s.begun, s.lastSlot, s.accounted = true, last, last
	s.samples += count
	s.usage.AddBucket(histogram.IdleBucket, uint16(count))
	s.memory.AddIdle(first, count, &s.order)
	at := (first - 1) % SlotsPerWindow
	for i := range s.exemplar[at : at+count] {
		s.exemplar[at+int64(i)] = histogram.IdleBucket
	}
	s.judged = s.judged || limited // nothing is never above a quota
}

func (s *slices) add(slot, usedNs, elapsedNs int64, limit cfs.Bandwidth, limited bool) {
	s.samples++
	s.usageNs += usedNs
	bucket := histogram.BucketOf(usedNs, elapsedNs)
	s.usage.AddBucket(bucket, 1)
	s.memory.Add(slot, secondorder.RateOf(usedNs, elapsedNs), &s.order)
	s.exemplar[(slot-1)%SlotsPerWindow/s.step] = byte(bucket)
	if limited {
		s.judged = true
		s.excursion.Add(limit, usedNs, elapsedNs)
	}
}

// missThrough counts every slot after the last accounted one as missed, up to and with slot, but
// only those of its own window: a stall over several windows leaves windows out, which shows in
// completeness and must not show twice.
func (s *slices) missThrough(slot int64) {
	from := max(s.accounted, (slot-1)/SlotsPerWindow*SlotsPerWindow)
	s.missed += max(0, slot-from) / s.step
	s.accounted = max(s.accounted, slot)
}

// clear begins the next window. The last reading and the memory of slices cross over.
func (s *slices) clear() {
	s.samples, s.missed, s.latenessUs, s.usageNs = 0, 0, 0, 0
	s.usage.Reset()
	s.order = secondorder.Sums{}
	s.excursion, s.judged = cfs.Excursion{}, false
	for i := range s.exemplar {
		s.exemplar[i] = exemplarMissed
	}
}
