package main

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
	"github.com/stretchr/testify/require"
)

func TestEarthMoversDistance(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float64
		want float64
	}{
		"the same in another order":       {[]float64{1, 0, 2}, []float64{2, 1, 0}, 0},
		"all moved by a quarter":          {[]float64{0, 1}, []float64{0.25, 1.25}, 0.25},
		"0.8 and 1.2 instead of 1.0":      {[]float64{0.8, 1.2, 0.8, 1.2}, []float64{1, 1, 1, 1}, 0.2},
		"the same shape in other numbers": {[]float64{0, 1}, []float64{0, 0, 0, 1, 1, 1}, 0},
		// A third of the mass of b lies at 3, where a has nothing: a sixth comes from 0 and a sixth from 1.
		"unequal counts": {[]float64{0, 1}, []float64{0, 1, 3}, 1.0/6*1 + 1.0/3*2},
	} {
		require.InDelta(t, c.want, earthMovers(c.a, c.b), 1e-9, name)
	}
}

// run is a truth of ten slices in which one thread is on a CPU in the first half of each.
func run() (stamp.Truth, stamp.Trial) {
	truth := stamp.Truth{}
	for k := range int64(10) {
		start := k * sliceNs
		truth.Intervals = append(truth.Intervals, stamp.Interval{StartNs: start, EndNs: start + sliceNs/2})
	}
	return truth, stamp.Trial{Truth: truth, StartNs: 0, EndNs: 10 * sliceNs}
}

func TestAPerfectSamplerHasNoError(t *testing.T) {
	truth, trial := run()
	var said []slice
	for k := range int64(10) {
		said = append(said, slice{k * sliceNs, (k + 1) * sliceNs, sliceNs / 2})
	}
	require.Equal(t, comparison{Slices: 10, Expected: 10}, compare(said, truth, trial, 0, 5*sliceNs))
}

func TestALateSamplerIsJudgedOverItsOwnStretchOfTime(t *testing.T) {
	truth, trial := run()
	// It read a quarter late and saw exactly what was used up to then: single slices are right.
	var said []slice
	for k := range int64(9) {
		start := k*sliceNs + sliceNs/4
		said = append(said, slice{start, start + sliceNs, sliceNs / 2})
	}
	got := compare(said, truth, trial, 0, 5*sliceNs)
	require.Zero(t, got.SliceError)
	require.Zero(t, got.Distance)
	require.InDelta(t, -0.1, got.SumError, 1e-9)
	require.Equal(t, 9, got.Slices)
}

func TestASamplerThatAlternatesIsFound(t *testing.T) {
	truth, trial := run()
	var said []slice
	for k := range int64(10) {
		used := int64(sliceNs/2) + (k%2*2-1)*sliceNs/5
		said = append(said, slice{k * sliceNs, (k + 1) * sliceNs, used})
	}
	got := compare(said, truth, trial, 0, 5*sliceNs)
	require.InDelta(t, 0, got.MeanError, 1e-9)
	require.InDelta(t, 0.2, got.Distance, 1e-9)
	require.InDelta(t, 0.2, got.SliceError, 1e-9)
}

func TestTheGridNeedNotBeginWithTheRun(t *testing.T) {
	truth, trial := run()
	got := compare(nil, truth, trial, -3*sliceNs-sliceNs/3, 1)
	require.Equal(t, 9, got.Expected)
}
