package secondorder

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRateWorkedByHand(t *testing.T) {
	for _, tc := range []struct {
		name          string
		usageNs, dtNs int64
		rate          uint64
	}{
		{"idle", 0, 10_000_000, 0},
		{"one core", 10_000_000, 10_000_000, 256},
		{"half of 1/256 core rounds up", 10_000_000, 512 * 10_000_000, 1},
		{"just below half rounds down", 9_999_999, 512 * 10_000_000, 0},
		{"512 cores", 5_120_000_000, 10_000_000, 1 << 17},
		{"a broken clock is capped", 1 << 62, 1, rateCap},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.rate, RateOf(tc.usageNs, tc.dtNs))
		})
	}
}

// slowSums computes the definition directly from a map of slots.
func slowSums(rates map[int64]uint64, from, to int64, lagOneInvalid bool) Sums {
	var s Sums
	for slot := from; slot <= to; slot++ {
		x, sampled := rates[slot]
		if !sampled {
			continue
		}
		s.N++
		s.Sum += x
		s.SumSquares += x * x
		for i := range s.Lags {
			earlier, paired := rates[slot-LagSlices(i)]
			if paired && !(i == 0 && lagOneInvalid) {
				s.Lags[i].Pairs++
				s.Lags[i].Products += x * earlier
			}
		}
	}
	return s
}

func TestMemoryFollowsTheDefinitionAcrossWindowsAndHoles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lagOneInvalid := rapid.Bool().Draw(t, "lagOneInvalid")
		rates := map[int64]uint64{}
		start := rapid.Int64Range(1, 1<<40).Draw(t, "start")
		end := start + rapid.Int64Range(1, 700).Draw(t, "slots")
		split := rapid.Int64Range(start, end).Draw(t, "split")
		holes := rapid.IntRange(0, 9).Draw(t, "holes of ten")
		memory := NewMemory(lagOneInvalid)
		var before, after Sums
		for slot := start; slot <= end; slot++ {
			if rapid.IntRange(0, 9).Draw(t, "hole") < holes {
				continue
			}
			rates[slot] = rapid.Uint64Range(0, 1<<17).Draw(t, "x")
			window := &before
			if slot > split {
				window = &after
			}
			memory.Add(slot, rates[slot], window)
		}
		require.Equal(t, slowSums(rates, start, split, lagOneInvalid), before)
		require.Equal(t, slowSums(rates, split+1, end, lagOneInvalid), after)
		before.Merge(&after)
		require.Equal(t, slowSums(rates, start, end, lagOneInvalid), before, "windows add up to the whole")
	})
}

func TestIdleSlotsInARowAreAddedAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lagOneInvalid := rapid.Bool().Draw(t, "lagOneInvalid")
		oneByOne, inRows := NewMemory(lagOneInvalid), NewMemory(lagOneInvalid)
		var want, got Sums
		slot := rapid.Int64Range(1, 1000).Draw(t, "first")
		for range rapid.IntRange(1, 12).Draw(t, "stretches") {
			slot += rapid.SampledFrom([]int64{0, 0, 0, 1, 5, 127, 128, 300}).Draw(t, "hole")
			for range rapid.IntRange(0, 3).Draw(t, "busy") {
				rate := rapid.Uint64Range(0, 5000).Draw(t, "rate")
				oneByOne.Add(slot, rate, &want)
				inRows.Add(slot, rate, &got)
				slot++
			}
			idle := rapid.Int64Range(0, 400).Draw(t, "idle")
			inRows.AddIdle(slot, idle, &got)
			for range idle {
				oneByOne.Add(slot, 0, &want)
				slot++
			}
			require.Equal(t, want, got)
		}
	})
}

func TestPackedRoundTrip(t *testing.T) {
	number := rapid.Uint64Range(0, 1<<63-1)
	rapid.Check(t, func(t *rapid.T) {
		s := Sums{N: number.Draw(t, "n"), Sum: number.Draw(t, "sum"), SumSquares: number.Draw(t, "sq")}
		for i := range s.Lags {
			s.Lags[i].Pairs = number.Draw(t, "pairs")
			if s.Lags[i].Pairs > 0 {
				s.Lags[i].Products = number.Draw(t, "products")
			}
		}
		back, err := Unpack(s.AppendPacked(nil))
		require.NoError(t, err)
		require.Equal(t, &s, back)
	})
}

func TestUnpackRefusesWithAReason(t *testing.T) {
	sound := (&Sums{}).AppendPacked(nil)
	require.Len(t, sound, 19)
	_, err := Unpack(sound[:18])
	require.ErrorIs(t, err, ErrTruncated)
	_, err = Unpack(append(append([]byte{}, sound...), 0))
	require.ErrorIs(t, err, ErrTrailing)
	noPairs := append([]byte{}, sound...)
	noPairs[4] = 1
	_, err = Unpack(noPairs)
	require.ErrorIs(t, err, ErrNoPairs)
	_, err = Unpack([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01})
	require.ErrorIs(t, err, ErrVarintTooLong)
}

func TestAddAllocatesNothing(t *testing.T) {
	memory, sums, slot := NewMemory(true), &Sums{}, int64(1)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		memory.Add(slot, RateOf(3_141_592, 10_000_000), sums)
		slot++
	}))
}

func FuzzUnpack(f *testing.F) {
	f.Add((&Sums{}).AppendPacked(nil))
	f.Add((&Sums{N: 300, Sum: 1 << 40}).AppendPacked(nil))
	f.Fuzz(func(t *testing.T, packed []byte) {
		s, err := Unpack(packed)
		if err != nil {
			return
		}
		again, err := Unpack(s.AppendPacked(nil))
		require.NoError(t, err)
		require.Equal(t, s, again)
	})
}
