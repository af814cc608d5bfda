package usagewindow

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/stretchr/testify/require"
)

const thriftStart = int64(1_795_177_100_000_000)

// TestExactSlicesJoinAtHalfTheRate: two slots of 10 ms are one sample of 20 ms; half a pair is none.
func TestExactSlicesJoinAtHalfTheRate(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodEbpf}, true)
	b.SetSlotsPerSample(2)
	first := thriftStart / SampleIntervalUs
	for slot := first + 1; slot <= first+SlotsPerWindow; slot++ {
		if slot != first+501 { // an odd slot is lost, and its partner with it
			b.Slice(slot, 10_000_000, 10_000_000*(slot%2))
		}
	}
	w := b.Take(thriftStart, first+SlotsPerWindow)
	require.Equal(t, []int32{20_000, 499, 1}, []int32{w.SampleIntervalUs, w.Samples, w.MissedSamples})
	require.Equal(t, int64(499*10_000), w.SampledUsageUs, "half a core, all the time")
}

func TestALeanBuilderLeavesOutWhatIsOptional(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodEbpf}, true)
	window := func(start int64) *Window {
		first := start / SampleIntervalUs
		for slot := first + 1; slot <= first+SlotsPerWindow; slot++ {
			b.Slice(slot, 10_000_000, 5_000_000)
			b.AddRunnable(3, 1)
		}
		b.Stat(cgroupfs.CPUStat{HasBandwidth: true, Periods: start, ThrottledPeriods: start})
		return b.Take(start, first+SlotsPerWindow)
	}
	require.NotNil(t, window(thriftStart).RunnableHistogram)
	b.SetLean(true)
	lean := window(thriftStart + WindowUs)
	require.Nil(t, lean.RunnableHistogram)
	require.Nil(t, lean.Exemplar)
	b.SetLean(false)
	require.NotNil(t, window(thriftStart+2*WindowUs).RunnableHistogram)
}

// TestAShardThatIsTakenUpAgainBringsNothingAlong from the time in which it was left out, whatever a
// back end told it meanwhile.
func TestAShardThatIsTakenUpAgainBringsNothingAlong(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodTickPoll}, true)
	first := thriftStart / SampleIntervalUs
	tell := func(from, to int64) {
		for slot := from; slot <= to; slot++ {
			b.Sample(slot, slot*10_000_000, (slot-first)*10_000_000, 0)
			b.Stat(cgroupfs.CPUStat{HasBandwidth: true, Periods: slot - first, ThrottledPeriods: slot - first})
		}
	}
	tell(first+1, first+SlotsPerWindow)
	b.Take(thriftStart, first+SlotsPerWindow)
	b.SetSkipped(true)
	tell(first+1001, first+2000)
	b.SetSkipped(false)
	tell(first+2001, first+2500)
	w := b.Take(thriftStart+2*WindowUs, first+2500)
	require.Equal(t, []int32{499, 0}, []int32{w.Samples, w.MissedSamples})
	require.Equal(t, []int64{4_990_000, 4_990_000}, []int64{w.UsageUs, w.SampledUsageUs})
	require.Equal(t, int64(499), *w.ThrottledPeriods)
}
