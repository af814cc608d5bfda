// Package secondorder sums usage, its square and its lagged products, so that the time order of
// 10 ms slices survives aggregation. All sums are integers and add up over windows and shards.
package secondorder

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

const (
	// UnitsPerCore is the resolution of x: 1/256 core.
	UnitsPerCore = 256
	// LagCount is how many lags are kept: 1, 2, 4 .. 128 slices.
	LagCount = 8

	memorySlices = 1 << (LagCount - 1)
	// rateCap is 4096 cores. A slice above it is a broken clock, and must not overflow the squares.
	rateCap = 4096 * UnitsPerCore
)

// LagSlices returns the distance of lag i in slices: 1, 2, 4 .. 128.
func LagSlices(i int) int64 { return 1 << i }

// RateOf returns floor((512*usageNs + dtNs) / (2*dtNs)): usage in 1/256 core, rounded half up.
// usageNs must not be negative and dtNs must be positive.
func RateOf(usageNs, dtNs int64) uint64 {
	hi, lo := bits.Mul64(uint64(usageNs), 2*UnitsPerCore)
	lo, carry := bits.Add64(lo, uint64(dtNs), 0)
	hi += carry
	if hi >= 2*uint64(dtNs) {
		return rateCap
	}
	rate, _ := bits.Div64(hi, lo, 2*uint64(dtNs))
	return min(rate, rateCap)
}

// LagSum is the sum of x(t)*x(t+k) over the pairs of slices k apart, and how many there were.
type LagSum struct {
	Pairs    uint64
	Products uint64
}

// Sums are the second-order sums of some set of slices. They add up with Merge.
type Sums struct {
	N, Sum, SumSquares uint64
	Lags               [LagCount]LagSum
}

// Merge adds other, lag by lag.
func (s *Sums) Merge(other *Sums) {
	s.N += other.N
	s.Sum += other.Sum
	s.SumSquares += other.SumSquares
	for i := range s.Lags {
		s.Lags[i].Pairs += other.Lags[i].Pairs
		s.Lags[i].Products += other.Lags[i].Products
	}
}

// absent is the rate of a slot that was missed.
const absent = math.MaxUint32

// Memory remembers the last 128 slices of one shard by slot number, across windows. A slot that
// was missed is absent from it, so no pair is ever made over a hole.
type Memory struct {
	rates [memorySlices]uint32
	// last is the latest slot, and inRow how many up to it are there without a hole, at most memorySlices.
	last, inRow int64
	// lagOneInvalid is set for polled counters: tick quantisation makes neighbouring slices
	// borrow from each other, which looks like negative correlation that is not there.
	lagOneInvalid bool
}

// NewMemory returns an empty memory. lagOneInvalid leaves lag 1 without pairs.
func NewMemory(lagOneInvalid bool) *Memory {
	return &Memory{last: -memorySlices, lagOneInvalid: lagOneInvalid}
}

func (m *Memory) at(slot int64) *uint32 { return &m.rates[uint64(slot)%memorySlices] }

// skipTo makes the slots between the last one and the given one absent. One at or before the last is a new beginning.
func (m *Memory) skipTo(slot int64) {
	holes := slot - m.last - 1
	if holes < 0 {
		holes = memorySlices
	}
	for i := range min(holes, memorySlices) {
		*m.at(slot - 1 - i) = absent
	}
	if holes > 0 {
		m.inRow = 0
	}
}

// Add remembers the rate of a slot and adds it, with its pairs, to sums. A pair belongs to the
// window of its later slice. Slots must be increasing and positive.
func (m *Memory) Add(slot int64, rate uint64, sums *Sums) {
	m.skipTo(slot)
	sums.N++
	sums.Sum += rate
	sums.SumSquares += rate * rate
	for i := range sums.Lags {
		if i == 0 && m.lagOneInvalid {
			continue
		}
		if earlier := *m.at(slot - LagSlices(i)); earlier != absent {
			sums.Lags[i].Pairs++
			sums.Lags[i].Products += rate * uint64(earlier)
		}
	}
	*m.at(slot) = uint32(rate)
	m.last, m.inRow = slot, min(m.inRow+1, memorySlices)
}

// AddIdle adds so many slots in a row of rate 0, as Add would one by one.
func (m *Memory) AddIdle(slot, count int64, sums *Sums) {
	m.skipTo(slot)
	for ; count > 0 && m.inRow < memorySlices; count-- {
		m.Add(slot, 0, sums)
		slot++
	}
	if count == 0 {
		return
	}
	sums.N += uint64(count)
	for i := range sums.Lags {
		if i > 0 || !m.lagOneInvalid {
			sums.Lags[i].Pairs += uint64(count)
		}
	}
	for i := range min(count, memorySlices) {
		*m.at(slot + i) = 0
	}
	m.last = slot + count - 1
}

// Reasons for which packed sums are refused.
var (
	ErrTruncated     = errors.New("packed second-order sums end early")
	ErrVarintTooLong = errors.New("packed second-order sums hold a varint of more than 63 bits")
	ErrTrailing      = errors.New("packed second-order sums have trailing bytes")
	ErrNoPairs       = errors.New("packed second-order sums have products without pairs")
)

// AppendPacked appends nineteen unsigned LEB128 varints: n, sum, sum of squares, then pairs and
// products of each lag in ascending order.
func (s *Sums) AppendPacked(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, s.N)
	dst = binary.AppendUvarint(dst, s.Sum)
	dst = binary.AppendUvarint(dst, s.SumSquares)
	for _, lag := range s.Lags {
		dst = binary.AppendUvarint(dst, lag.Pairs)
		dst = binary.AppendUvarint(dst, lag.Products)
	}
	return dst
}

// Unpack reads what AppendPacked wrote and refuses anything else, with the reason.
func Unpack(packed []byte) (*Sums, error) {
	var numbers [3 + 2*LagCount]uint64
	for i := range numbers {
		value, width := binary.Uvarint(packed)
		switch {
		case width == 0:
			return nil, ErrTruncated
		case width < 0 || value > math.MaxInt64:
			return nil, ErrVarintTooLong
		}
		numbers[i], packed = value, packed[width:]
	}
	if len(packed) > 0 {
		return nil, ErrTrailing
	}
	s := &Sums{N: numbers[0], Sum: numbers[1], SumSquares: numbers[2]}
	for i := range s.Lags {
		s.Lags[i] = LagSum{Pairs: numbers[3+2*i], Products: numbers[4+2*i]}
		if s.Lags[i].Pairs == 0 && s.Lags[i].Products != 0 {
			return nil, ErrNoPairs
		}
	}
	return s, nil
}
