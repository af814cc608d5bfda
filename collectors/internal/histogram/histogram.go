package histogram

// Histogram holds one count per bucket of layout 1. The zero value is empty and ready to use.
// It has a fixed size and no pointers, so adding to it never allocates and copying it is a plain copy.
type Histogram struct {
	counts [BucketCount]uint64
}

// Add counts one slice of usageNs of CPU time in dtNs of wall time.
func (h *Histogram) Add(usageNs, dtNs int64) {
	h.counts[BucketOf(usageNs, dtNs)]++
}

// AddBucket adds count slices to a bucket, which must lie in [0, BucketCount).
func (h *Histogram) AddBucket(bucket int, count uint64) {
	h.counts[bucket] += count
}

// Count returns the slices counted in one bucket.
func (h *Histogram) Count(bucket int) uint64 { return h.counts[bucket] }

// Total returns the slices counted in all buckets.
func (h *Histogram) Total() uint64 {
	var total uint64
	for _, count := range h.counts {
		total += count
	}
	return total
}

// Merge adds the counts of other. It is associative and commutative, because it only adds integers.
func (h *Histogram) Merge(other *Histogram) {
	for bucket, count := range other.counts {
		h.counts[bucket] += count
	}
}

// Reset empties the histogram for the next window.
func (h *Histogram) Reset() { h.counts = [BucketCount]uint64{} }

// Quantile returns the range that holds the quantile num/den of the counted slices, by the
// nearest-rank rule: the smallest slice such that at least num/den of all slices are not above it.
// The true value lies inside the range; from 1/32 to 512 cores the range is at most 1/16 of its
// lower bound wide, so any value picked from it is off by at most 6.25 %, its centre by 3.2 %.
// It reports false when nothing was counted or num/den is not within (0, 1].
func (h *Histogram) Quantile(num, den uint64) (Bounds, bool) {
	total := h.Total()
	if total == 0 || num == 0 || num > den {
		return Bounds{}, false
	}
	rank := ceilMulDiv(total, num, den)
	var seen uint64
	for bucket, count := range h.counts {
		seen += count
		if seen >= rank {
			return BoundsOf(bucket), true
		}
	}
	return BoundsOf(OverflowBucket), true
}
