// Package histogram counts 10 ms usage slices in log-linear buckets of absolute cores.
//
// The layout is a contract between languages: it is named by LayoutVersion, written in every
// record, and computed in integers only, so that Go and Java agree bit for bit.
package histogram

import "math/bits"

// LayoutVersion names the bucket boundaries of this file. A change of any boundary is a new version.
const LayoutVersion = 1

const (
	// UnitsPerCore is the resolution in which rates are compared: 1/512 core.
	UnitsPerCore = 512
	// BucketCount is the number of buckets: idle, trace, 14 octaves of 16, overflow.
	BucketCount = OverflowBucket + 1
	// IdleBucket holds slices that used nothing at all.
	IdleBucket = 0
	// TraceBucket holds slices that used something, but less than 1/32 core.
	TraceBucket = 1
	// OverflowBucket holds slices of 512 cores and more.
	OverflowBucket = 226

	firstLogBucket = 2
	bucketsPerOct  = 16
	firstLogUnits  = 16
	overflowUnits  = UnitsPerCore * UnitsPerCore
)

// BucketOf returns the bucket of a slice that spent usageNs of CPU time in dtNs of wall time.
// usageNs must not be negative and dtNs must be positive; both are guaranteed by the caller,
// which drops a slice whose counter or clock went backwards.
func BucketOf(usageNs, dtNs int64) int {
	if usageNs == 0 {
		return IdleBucket
	}
	hi, lo := bits.Mul64(uint64(usageNs), UnitsPerCore)
	if hi >= uint64(dtNs) {
		return OverflowBucket
	}
	units, _ := bits.Div64(hi, lo, uint64(dtNs))
	return bucketOfUnits(units)
}

func bucketOfUnits(units uint64) int {
	switch {
	case units < firstLogUnits:
		return TraceBucket
	case units >= overflowUnits:
		return OverflowBucket
	}
	octave := bits.Len64(units) - 5
	sub := int(units>>octave) - firstLogUnits
	return firstLogBucket + bucketsPerOct*octave + sub
}

// Bounds is the half-open range of rates, in 1/512 core, that a bucket stands for.
type Bounds struct {
	Lower uint64
	// Upper is exclusive. It is meaningless when Unbounded is true.
	Upper uint64
	// Unbounded is true for the overflow bucket only.
	Unbounded bool
}

// BoundsOf returns the range of a bucket. The idle bucket is [0, 1): exactly no usage.
// The trace bucket is [0, 16) because a positive usage may still round down to no whole unit.
func BoundsOf(bucket int) Bounds {
	switch {
	case bucket <= IdleBucket:
		return Bounds{Lower: 0, Upper: 1}
	case bucket == TraceBucket:
		return Bounds{Lower: 0, Upper: firstLogUnits}
	case bucket >= OverflowBucket:
		return Bounds{Lower: overflowUnits, Unbounded: true}
	}
	octave := (bucket - firstLogBucket) / bucketsPerOct
	sub := uint64((bucket - firstLogBucket) % bucketsPerOct)
	return Bounds{Lower: (firstLogUnits + sub) << octave, Upper: (firstLogUnits + sub + 1) << octave}
}
