package histogram

import (
	"encoding/binary"
	"math/bits"
)

const (
	runnableExact = 8
	// RunnableBuckets is the number of buckets of the runnable layout.
	RunnableBuckets = 16
)

// RunnableBucketOf returns the bucket of a count of runnable threads, which must not be negative: 0 .. 7 are exact, bucket
// 8 + j holds [8 * 2^j, 16 * 2^j) threads, the last one is open.
func RunnableBucketOf(threads int64) int {
	if threads < runnableExact {
		return int(threads)
	}
	return min(RunnableBuckets-1, runnableExact+bits.Len64(uint64(threads))-4)
}

// Runnable counts samples by runnable threads. The zero value is empty.
type Runnable struct {
	counts [RunnableBuckets]uint64
}

// Add counts samples that found the given threads runnable.
func (r *Runnable) Add(threads int64, samples uint64) { r.counts[RunnableBucketOf(threads)] += samples }

// AppendPacked appends the wire form, which is that of Histogram.
func (r *Runnable) AppendPacked(dst []byte) []byte {
	previous := 0
	for bucket, count := range r.counts {
		if count > 0 {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(bucket-previous)), count)
			previous = bucket
		}
	}
	return dst
}
