package counter

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOutcomes(t *testing.T) {
	var c Cumulative
	require.Equal(t, Delta{Kind: Gap}, c.Skip())
	require.Equal(t, Delta{Kind: First}, c.Advance(100))
	require.Equal(t, Delta{Kind: Advanced, Growth: 20}, c.Advance(120))
	require.Equal(t, Delta{Kind: Gap}, c.Skip())
	require.Equal(t, Delta{Kind: Advanced, Growth: 30}, c.Advance(150), "a gap is spanned")
	require.Equal(t, Delta{Kind: Reset}, c.Advance(7))
	require.Equal(t, Delta{Kind: Advanced, Growth: 1}, c.Advance(8))
	born := From(0)
	require.Equal(t, Delta{Kind: Advanced, Growth: 8}, born.Advance(8), "a newborn counts from 0")
}

func TestFlooredSumsTelescope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 100).Draw(t, "steps")
		cumulativeNs := rapid.Int64Range(0, 1<<50).Draw(t, "start")
		start := cumulativeNs
		c := From(MicrosOf(start))
		var sum int64
		for _, step := range steps {
			cumulativeNs += step
			sum += c.Advance(MicrosOf(cumulativeNs)).Growth
		}
		require.Equal(t, MicrosOf(cumulativeNs)-MicrosOf(start), sum)
	})
}
