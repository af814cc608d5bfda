package cfs

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExceedsIsExactAtTheQuota(t *testing.T) {
	half := Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}
	require.False(t, half.Exceeds(5_000_000, 10_000_000), "exactly the quota is not above it")
	require.True(t, half.Exceeds(5_000_001, 10_000_000))
	require.False(t, half.Exceeds(4_999_999, 10_000_000))
	third := Bandwidth{QuotaUs: 1_000, PeriodUs: 3_000}
	require.False(t, third.Exceeds(3_333_333, 10_000_000))
	require.True(t, third.Exceeds(3_333_334, 10_000_000))
}

func TestBandwidthAgreesWithBigIntegers(t *testing.T) {
	positive := rapid.Int64Range(1, math.MaxInt64)
	rapid.Check(t, func(t *rapid.T) {
		b := Bandwidth{QuotaUs: positive.Draw(t, "quota"), PeriodUs: positive.Draw(t, "period")}
		usage, wall := positive.Draw(t, "usage"), positive.Draw(t, "wall")
		used := new(big.Int).Mul(big.NewInt(usage), big.NewInt(b.PeriodUs))
		allowed := new(big.Int).Mul(big.NewInt(b.QuotaUs), big.NewInt(wall))
		require.Equal(t, used.Cmp(allowed) > 0, b.Exceeds(usage, wall))
		allowed.Quo(allowed, big.NewInt(b.PeriodUs))
		if !allowed.IsInt64() {
			allowed.SetInt64(math.MaxInt64)
		}
		require.Equal(t, allowed.Int64(), b.AllowanceNs(wall))
	})
}

func TestTighterComparesRates(t *testing.T) {
	one := Bandwidth{QuotaUs: 100_000, PeriodUs: 100_000}
	oneShort := Bandwidth{QuotaUs: 20_000, PeriodUs: 20_000}
	two := Bandwidth{QuotaUs: 100_000, PeriodUs: 50_000}
	require.True(t, one.Tighter(two))
	require.False(t, two.Tighter(one))
	require.False(t, one.Tighter(oneShort))
	require.False(t, oneShort.Tighter(one))
	require.Equal(t, int64(2000), two.Millicores())
}

func TestExcursionSumsTheExcess(t *testing.T) {
	var e Excursion
	limit := Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}
	e.Add(limit, 5_000_000, 10_000_000)
	e.Add(limit, 9_000_000, 10_000_000)
	e.Add(limit, 7_000_000, 12_000_000)
	require.Equal(t, Excursion{Slices: 2, ExcessNs: 4_000_000 + 1_000_000}, e)
}

func TestRunsOverWindows(t *testing.T) {
	var r Runs
	for _, throttled := range []int64{0, 1, 1, 0, 1, 0, 1, 1} {
		r.Add(1, throttled)
	}
	r.Add(0, 0)
	runs, longest, known := r.TakeWindow()
	require.True(t, known)
	require.Equal(t, []int64{3, 2}, []int64{runs, longest})
	r.Add(1, 1)
	r.Add(2, 2)
	r.Add(1, 0)
	runs, longest, known = r.TakeWindow()
	require.True(t, known)
	require.Equal(t, []int64{1, 5}, []int64{runs, longest}, "the run began in the window before")
	runs, longest, known = r.TakeWindow()
	require.True(t, known)
	require.Equal(t, []int64{0, 0}, []int64{runs, longest})
}

func TestRunsAreUnknownWhenPeriodsMix(t *testing.T) {
	var r Runs
	r.Add(3, 1)
	_, _, known := r.TakeWindow()
	require.False(t, known)
	r.Add(1, 1)
	runs, longest, known := r.TakeWindow()
	require.True(t, known, "ambiguity ends with its window")
	require.Equal(t, []int64{1, 1}, []int64{runs, longest})
	r.Lose()
	_, _, known = r.TakeWindow()
	require.False(t, known)
}

func TestExcursionAllocatesNothing(t *testing.T) {
	var e Excursion
	limit := Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}
	require.Zero(t, testing.AllocsPerRun(1000, func() { e.Add(limit, 9_000_000, 10_000_000) }))
}
