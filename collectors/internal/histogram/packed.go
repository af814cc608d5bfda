package histogram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Reasons for which packed bytes are refused. They are compared with errors.Is.
var (
	ErrTruncated     = errors.New("packed histogram ends inside a pair")
	ErrVarintTooLong = errors.New("packed histogram holds a varint of more than 63 bits")
	ErrZeroCount     = errors.New("packed histogram lists a bucket with count 0")
	ErrNotIncreasing = errors.New("packed histogram lists buckets out of order")
	ErrBucketRange   = errors.New("packed histogram names a bucket outside the layout")
	ErrTotalOverflow = errors.New("packed histogram counts more than 63 bits of slices")
)

const maxCount = 1<<63 - 1

// AppendPacked appends the wire form: for every non-zero bucket, in ascending order, two unsigned
// LEB128 varints: the bucket minus the previous listed bucket (the first: the bucket itself), and
// its count. An empty histogram is zero bytes.
func (h *Histogram) AppendPacked(dst []byte) []byte {
	previous := 0
	for bucket, count := range h.counts {
		if count == 0 {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(bucket-previous))
		dst = binary.AppendUvarint(dst, count)
		previous = bucket
	}
	return dst
}

// Unpack reads the wire form. It refuses, with the reason, whatever AppendPacked cannot have written.
func Unpack(packed []byte) (*Histogram, error) {
	h := &Histogram{}
	bucket, total := uint64(0), uint64(0)
	for first := true; len(packed) > 0; first = false {
		step, rest, err := takeVarint(packed)
		if err != nil {
			return nil, err
		}
		count, rest, err := takeVarint(rest)
		if err != nil {
			return nil, err
		}
		switch {
		case !first && step == 0:
			return nil, ErrNotIncreasing
		case step > OverflowBucket || bucket+step > OverflowBucket:
			return nil, fmt.Errorf("%w: %d after %d", ErrBucketRange, step, bucket)
		case count == 0:
			return nil, fmt.Errorf("%w: bucket %d", ErrZeroCount, bucket+step)
		case total > maxCount-count:
			return nil, ErrTotalOverflow
		}
		bucket += step
		total += count
		h.counts[bucket] = count
		packed = rest
	}
	return h, nil
}

func takeVarint(packed []byte) (uint64, []byte, error) {
	value, width := binary.Uvarint(packed)
	switch {
	case width == 0:
		return 0, nil, ErrTruncated
	case width < 0 || value > maxCount:
		return 0, nil, ErrVarintTooLong
	}
	return value, packed[width:], nil
}

// ceilMulDiv returns ceil(a*num/den) without overflow; num must not be above den.
func ceilMulDiv(a, num, den uint64) uint64 {
	hi, lo := bits.Mul64(a, num)
	quotient, remainder := bits.Div64(hi, lo, den)
	if remainder > 0 {
		quotient++
	}
	return quotient
}
