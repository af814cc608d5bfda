package histogram

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const sliceNs = 10_000_000

func TestBucketOfWorkedByHand(t *testing.T) {
	for _, tc := range []struct {
		name          string
		usageNs, dtNs int64
		bucket        int
	}{
		{"nothing used", 0, sliceNs, 0},
		{"one nanosecond", 1, sliceNs, 1},
		{"just below 1/32 core", 312_499, sliceNs, 1},
		{"exactly 1/32 core is 16 units", 312_500, sliceNs, 2},
		{"31 units end the first octave", 31*sliceNs/512 + 1, sliceNs, 17},
		{"half a core is 256 units: octave 4, sub 0", sliceNs / 2, sliceNs, 2 + 64},
		{"one core is 512 units: octave 5, sub 0", sliceNs, sliceNs, 2 + 80},
		{"1.5 cores is 768 units: octave 5, sub 8", 3 * sliceNs / 2, sliceNs, 2 + 80 + 8},
		{"a hair below 512 cores", 512*sliceNs - 1, sliceNs, 225},
		{"exactly 512 cores", 512 * sliceNs, sliceNs, 226},
		{"product above 64 bits", 1 << 62, 1 << 40, 226},
		{"quotient above 64 bits", 1<<63 - 1, 1, 226},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.bucket, BucketOf(tc.usageNs, tc.dtNs))
		})
	}
}

func TestBucketsTileTheAxis(t *testing.T) {
	for bucket := TraceBucket; bucket < OverflowBucket; bucket++ {
		bounds := BoundsOf(bucket)
		require.Equal(t, bounds.Upper, BoundsOf(bucket+1).Lower, "bucket %d", bucket)
		require.Equal(t, bucket, bucketOfUnits(bounds.Lower))
		require.Equal(t, bucket, bucketOfUnits(bounds.Upper-1))
	}
	require.True(t, BoundsOf(OverflowBucket).Unbounded)
	require.Equal(t, Bounds{Lower: 0, Upper: 1}, BoundsOf(IdleBucket))
}

func drawHistogram(t *rapid.T, name string) *Histogram {
	h := &Histogram{}
	counts := rapid.MapOfN(rapid.IntRange(0, OverflowBucket), rapid.Uint64Range(1, 1<<40), 0, 60)
	for bucket, count := range counts.Draw(t, name) {
		h.AddBucket(bucket, count)
	}
	return h
}

func merged(parts ...*Histogram) *Histogram {
	sum := &Histogram{}
	for _, part := range parts {
		sum.Merge(part)
	}
	return sum
}

func TestMergeIsAssociativeAndCommutative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawHistogram(t, "a"), drawHistogram(t, "b"), drawHistogram(t, "c")
		require.Equal(t, merged(merged(a, b), c), merged(a, merged(c, b)))
		require.Equal(t, a.Total()+b.Total(), merged(a, b).Total())
	})
}

func TestPackedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistogram(t, "h")
		packed := h.AppendPacked(nil)
		back, err := Unpack(packed)
		require.NoError(t, err)
		require.Equal(t, h, back)
		require.Equal(t, packed, back.AppendPacked(nil))
	})
}

func TestPackedWorkedByHand(t *testing.T) {
	h := &Histogram{}
	h.AddBucket(0, 300) // 300 = 0xAC 0x02
	h.AddBucket(2, 1)
	h.AddBucket(226, 5) // 224 = 0xE0 0x01
	require.Equal(t, []byte{0x00, 0xAC, 0x02, 0x02, 0x01, 0xE0, 0x01, 0x05}, h.AppendPacked(nil))
	require.Empty(t, (&Histogram{}).AppendPacked(nil))
}

func TestUnpackRefusesWithAReason(t *testing.T) {
	tooLong := []byte{0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}
	tooWide := append([]byte{0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 0xFF, 0x01)
	max63 := []byte{0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}
	for _, tc := range []struct {
		name   string
		packed []byte
		want   error
	}{
		{"bucket without a count", []byte{3}, ErrTruncated},
		{"varint cut short", []byte{3, 0x80}, ErrTruncated},
		{"count zero", []byte{3, 0}, ErrZeroCount},
		{"same bucket twice", []byte{3, 1, 0, 1}, ErrNotIncreasing},
		{"bucket 227", []byte{0xE3, 0x01, 1}, ErrBucketRange},
		{"steps that pass the last bucket", []byte{0xE2, 0x01, 1, 1, 1}, ErrBucketRange},
		{"step near 2^63", append(append([]byte{1, 1}, max63[1:]...), 1), ErrBucketRange},
		{"64 bits", tooLong, ErrVarintTooLong},
		{"more than 64 bits", tooWide, ErrVarintTooLong},
		{"total above 63 bits", append(max63, 1, 1), ErrTotalOverflow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Unpack(tc.packed)
			require.ErrorIs(t, err, tc.want)
		})
	}
}

func TestQuantileHoldsTheTrueValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOfN(rapid.Uint64Range(1, 1<<17), 1, 200).Draw(t, "units")
		h := &Histogram{}
		for _, u := range units {
			h.AddBucket(bucketOfUnits(u), 1)
		}
		num := rapid.Uint64Range(1, 1000).Draw(t, "num")
		bounds, ok := h.Quantile(num, 1000)
		require.True(t, ok)
		notAbove, below := 0, 0
		for _, u := range units {
			if u < bounds.Upper {
				notAbove++
			}
			if u < bounds.Lower {
				below++
			}
		}
		n := uint64(len(units))
		require.GreaterOrEqual(t, uint64(notAbove)*1000, n*num, "enough slices lie below the upper bound")
		require.Less(t, uint64(below)*1000, n*num, "too few lie below the lower bound")
		if bounds.Lower >= firstLogUnits {
			require.LessOrEqual(t, (bounds.Upper-bounds.Lower)*16, bounds.Lower)
		}
	})
}

func TestQuantileIsAbsentWithoutSlices(t *testing.T) {
	_, ok := (&Histogram{}).Quantile(1, 2)
	require.False(t, ok)
	h := &Histogram{}
	h.Add(1, sliceNs)
	_, ok = h.Quantile(3, 2)
	require.False(t, ok)
}

func TestAddAllocatesNothing(t *testing.T) {
	h := &Histogram{}
	require.Zero(t, testing.AllocsPerRun(1000, func() { h.Add(3_141_592, sliceNs) }))
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x00, 0xAC, 0x02, 0x02, 0x01})
	f.Add([]byte{3, 0})
	f.Add([]byte{0xE3, 0x01, 1})
	f.Fuzz(func(t *testing.T, packed []byte) {
		h, err := Unpack(packed)
		if err != nil {
			return
		}
		again, err := Unpack(h.AppendPacked(nil))
		require.NoError(t, err)
		require.Equal(t, h, again)
	})
}

func TestAShortHistogramIsPackedAsAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long, short := &Histogram{}, &Short{}
		for _, bucket := range rapid.SliceOfN(rapid.IntRange(0, OverflowBucket), 0, 100).Draw(t, "buckets") {
			count := rapid.Uint16Range(1, 650).Draw(t, "count")
			long.AddBucket(bucket, uint64(count))
			short.AddBucket(bucket, count)
		}
		require.Equal(t, long.AppendPacked(nil), short.AppendPacked(nil))
		short.Reset()
		require.Empty(t, short.AppendPacked(nil))
	})
}
