package tickpoll

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTicksAtHz250AlternateTwoAndThree(t *testing.T) {
	ticks := NewTicks(4_000_000)
	require.Equal(t, int64(123), ticks.AtOrAfter(123), "unknown phase changes nothing")
	ticks.Observe(1_000_000)
	require.Equal(t, int32(250), ticks.Hz())
	var steps []int64
	previous := ticks.AtOrAfter(0)
	for slot := int64(1); slot <= 6; slot++ {
		next := ticks.AtOrAfter(slot * 10_000_000)
		steps = append(steps, (next-previous)/4_000_000)
		previous = next
	}
	require.Equal(t, []int64{3, 2, 3, 2, 3, 2}, steps)
}

func TestAtOrAfterIsATickAtOrAfterForAnyHz(t *testing.T) {
	require.Equal(t, int32(300), NewTicks(3_333_333).Hz())
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.SampledFrom([]int64{10_000_000, 4_000_000, 3_333_333, 1_000_000}).Draw(t, "period")
		ticks := NewTicks(period)
		tick := rapid.Int64Range(0, 1<<50).Draw(t, "tick")
		ticks.Observe(tick)
		at := rapid.Int64Range(0, 1<<50).Draw(t, "at")
		next := ticks.AtOrAfter(at)
		require.GreaterOrEqual(t, next, at)
		require.Less(t, next-at, period)
		require.Zero(t, (next-tick)%period)
	})
}

func TestPhaseTakesTheEarliestSightAtOnceAndDriftSlowly(t *testing.T) {
	ticks := NewTicks(4_000_000)
	ticks.Observe(4_000_000 + 90_000) // the interrupt took 90 us
	ticks.Observe(8_000_000 + 20_000)
	require.Equal(t, int64(12_020_000), ticks.AtOrAfter(12_000_000))
	for i := range int64(followAfter) {
		ticks.Observe(16_000_000 + i*4_000_000 + 50_000 + i)
	}
	require.Equal(t, int64(100_050_000), ticks.AtOrAfter(100_000_000), "all were 30 us later: the phase moved")
	ticks.Observe(104_300_000)
	require.Equal(t, int64(108_050_000), ticks.AtOrAfter(108_000_000), "one late sight moves nothing")
	ticks.Forget()
	require.False(t, ticks.Found())
}
