package histogram

import "encoding/binary"

// Short is a Histogram of at most 65,535 slices, which is more than a window has. A host with a thousand shards holds one
// of each. The zero value is empty and ready to use; adding to it never allocates.
type Short struct {
	counts [BucketCount]uint16
}

// AddBucket adds count slices to a bucket, which must lie in [0, BucketCount).
func (s *Short) AddBucket(bucket int, count uint16) { s.counts[bucket] += count }

// Reset empties it for the next window.
func (s *Short) Reset() { s.counts = [BucketCount]uint16{} }

// AppendPacked appends the wire form, which is that of Histogram.
func (s *Short) AppendPacked(dst []byte) []byte {
	previous := 0
	for bucket, count := range s.counts {
		if count == 0 {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(bucket-previous))
		dst = binary.AppendUvarint(dst, uint64(count))
		previous = bucket
	}
	return dst
}
