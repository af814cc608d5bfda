package usagewindow

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/secondorder"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExactSlicesStandByThemselves(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodEbpf}, false)
	b.SetLimits(halfCore)
	b.Final(7_000_999)
	for i := range int64(1000) {
		switch {
		case i == 500 || i == 501: // lost in the kernel
		case i < 250:
			b.Slice(firstSlot+i, slotNs, slotNs)
		default:
			b.Slice(firstSlot+i, slotNs, 0)
		}
	}
	b.Final(2_507_000_998)
	w := b.Take(windowStart, firstSlot+999)
	require.Equal(t, []int32{998, 2, 250}, []int32{w.Samples, w.MissedSamples, *w.ExcursionSamples}, "the slot after a hole is a sample")
	require.Equal(t, []int64{2_500_000, 2_500_000}, []int64{w.UsageUs, w.SampledUsageUs})
	sums, err := secondorder.Unpack(w.SecondOrder)
	require.NoError(t, err)
	require.Equal(t, secondorder.LagSum{Pairs: 499 + 497, Products: 249 * 65536}, sums.Lags[0], "lag 1 is valid, never over a hole")
}

func TestTimeThatComesAgainIsLeftOutOfExactSlices(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodEbpf}, false)
	b.Slice(firstSlot+50, slotNs, 5)
	b.Slice(firstSlot+7, slotNs, 5) // the wall clock was set back
	b.Slice(firstSlot+51, slotNs, 5)
	b.Slice(firstSlot+52, slotNs, -1) // a slot that cannot be
	w := b.Take(windowStart, firstSlot+53)
	require.Equal(t, []int32{2, 2}, []int32{w.Samples, w.MissedSamples})
	require.Zero(t, w.SampledUsageUs)
}

func TestWhatOnlyTheKernelKnowsIsNullUntilStated(t *testing.T) {
	b := NewBuilder(Subject{}, false)
	w := b.Take(windowStart, firstSlot)
	require.Nil(t, w.RunnableHistogram)
	require.Nil(t, w.ThrottledWallUs)
	require.Nil(t, w.PeriodPhaseUs)
	require.Nil(t, w.ExcursionThreads)
	require.Nil(t, w.CyclesAboveQuota)

	b.AddRunnable(0, 0)
	b.AddThrottledWall(0)
	w = b.Take(windowStart, firstSlot)
	require.Equal(t, []byte{}, w.RunnableHistogram, "measured: throttled all the time")
	require.Equal(t, int64(0), *w.ThrottledWallUs)

	b.AddRunnable(3, 10)
	b.AddRunnable(9, 2)
	b.AddThrottledWall(1_999)
	b.AddThrottledWall(1_999)
	b.SetPeriodPhase(pointer(int32(77)))
	b.SetExcursionThreads([]ExcursionThread{{Comm: "gc-#", UsageUs: 5}})
	b.AddHardware(Hardware{CyclesAboveQuota: 4, InstructionsBelowQuota: 6})
	b.AddHardware(Hardware{CyclesAboveQuota: 5})
	w = b.Take(windowStart, firstSlot)
	require.Equal(t, []byte{3, 10, 5, 2}, w.RunnableHistogram)
	require.Equal(t, []int64{3, 9, 0, 6}, []int64{*w.ThrottledWallUs, *w.CyclesAboveQuota, *w.CyclesBelowQuota, *w.InstructionsBelowQuota})
	require.Equal(t, int32(77), *w.PeriodPhaseUs)
	require.Equal(t, []ExcursionThread{{Comm: "gc-#", UsageUs: 5}}, w.ExcursionThreads)

	b.AddThrottledWall(2)
	w = b.Take(windowStart, firstSlot)
	require.Equal(t, int64(1), *w.ThrottledWallUs, "4000 ns in all: sums of windows telescope")
	require.Nil(t, w.ExcursionThreads, "of one window only")
	require.Zero(t, *w.CyclesAboveQuota, "measured: none")

	w = b.Take(windowStart, firstSlot)
	require.Nil(t, w.ThrottledWallUs, "nobody watched")
	require.Nil(t, w.RunnableHistogram)
}

func TestExactSlicesAllocateNothing(t *testing.T) {
	b := NewBuilder(Subject{Method: MethodEbpf}, true)
	b.SetLimits(halfCore)
	slot := firstSlot
	require.Zero(t, testing.AllocsPerRun(2000, func() {
		b.Slice(slot, slotNs, 7_000_000)
		b.AddRunnable(3, 1)
		b.AddThrottledWall(17)
		slot++
	}))
}

func ancestorStat(periods, throttled int64) cgroupfs.CPUStat {
	return cgroupfs.CPUStat{Periods: periods, ThrottledPeriods: throttled, ThrottledNs: throttled * 1_000_000, HasBandwidth: true}
}

func TestAncestorsCountOnlyWhileTheyAreTheSame(t *testing.T) {
	b := NewBuilder(Subject{}, true)
	above := Limits{
		Ancestor: cfs.Bandwidth{QuotaUs: 1, PeriodUs: 2}, AncestorLimited: true, AncestorPath: "/pod",
		Nearest: cfs.Bandwidth{QuotaUs: 3, PeriodUs: 4}, NearestLimited: true, CpusAllowed: pointer(int32(6)),
	}
	b.SetLimits(above)
	w := b.Take(windowStart, firstSlot)
	require.Nil(t, w.AncestorPeriods, "not read")
	require.Equal(t, []int64{1, 2, 3, 4}, []int64{*w.AncestorQuotaUs, *w.AncestorPeriodUs, *w.NearestAncestorQuotaUs, *w.NearestAncestorPeriodUs})
	require.Equal(t, int32(6), *w.CpusAllowed)

	b.AncestorStat(ancestorStat(100, 40)) // a baseline, although the shard is newborn: its ancestor is not
	b.AncestorStat(ancestorStat(130, 45))
	w = b.Take(windowStart, firstSlot)
	require.Equal(t, []int64{30, 5, 5_000}, []int64{*w.AncestorPeriods, *w.AncestorThrottledPeriods, *w.AncestorThrottledUs})

	b.AncestorStat(ancestorStat(140, 45))
	above.AncestorPath = "/pod/inner"
	b.SetLimits(above)
	b.AncestorStat(ancestorStat(7, 7))
	require.Nil(t, b.Take(windowStart, firstSlot).AncestorPeriods, "the tightest one changed")
	b.AncestorStat(ancestorStat(9, 8))
	require.Equal(t, int64(2), *b.Take(windowStart, firstSlot).AncestorPeriods)

	above.AncestorPath = "/pod"
	b.SetLimits(above)
	b.AncestorStat(ancestorStat(200, 60))
	b.AncestorStat(ancestorStat(220, 61))
	require.Nil(t, b.Take(windowStart, firstSlot).AncestorPeriods, "it changed in this window")
	b.AncestorStat(ancestorStat(223, 61))
	require.Equal(t, int64(3), *b.Take(windowStart, firstSlot).AncestorPeriods, "and what it did then is not the next window's")
	require.Nil(t, b.Take(windowStart, firstSlot).AncestorPeriods, "not read at the end")
	b.AncestorStat(ancestorStat(300, 70))
	require.Nil(t, b.Take(windowStart, firstSlot).AncestorPeriods, "not read at the beginning")
	b.AncestorStat(ancestorStat(301, 70))
	require.Equal(t, int64(1), *b.Take(windowStart, firstSlot).AncestorPeriods)

	b.SetLimits(Limits{})
	b.AncestorStat(ancestorStat(310, 78))
	w = b.Take(windowStart, firstSlot)
	require.Nil(t, w.AncestorPeriods, "no ancestor has a quota")
	require.Nil(t, w.NearestAncestorQuotaUs)
}

func TestHalfTheSamplesSpanTwoSlotsEach(t *testing.T) {
	b := NewBuilder(Subject{ShardID: 30 - windowStart/WindowUs%30}, false) // due for an exemplar
	b.Sample(firstSlot-1, 0, 0, 0)
	b.SetSlotsPerSample(2)
	for slot := firstSlot + 1; slot <= firstSlot+999; slot += 2 {
		if slot != firstSlot+601 {
			b.Sample(slot, (slot-firstSlot+1)*slotNs, (slot-firstSlot+1)*slotNs/2, 0)
		}
	}
	w := b.Take(windowStart, firstSlot+999)
	require.Equal(t, []int32{20_000, 498, 2}, []int32{w.SampleIntervalUs, w.Samples, w.MissedSamples}, "the hole and the slot after it")
	h, err := histogram.Unpack(w.UsageHistogram)
	require.NoError(t, err)
	require.Equal(t, uint64(498), h.Count(66), "half a core")
	sums, err := secondorder.Unpack(w.SecondOrder)
	require.NoError(t, err)
	require.Zero(t, sums.Lags[0].Pairs, "no two samples are 10 ms apart")
	require.NotZero(t, sums.Lags[1].Pairs, "lags stay in units of 10 ms")
	require.Len(t, w.Exemplar, 500, "one byte a sample")
	require.Equal(t, []byte{66, 66, 255, 255, 66}, []byte{w.Exemplar[0], w.Exemplar[299], w.Exemplar[300], w.Exemplar[301], w.Exemplar[499]})
}

// TestIdleSlotsInARowMakeTheSameWindow compares with slots one by one, over windows, holes and time that comes again.
func TestIdleSlotsInARowMakeTheSameWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		make := func() *Builder {
			b := NewBuilder(Subject{Shard: "a1", Method: MethodEbpf, ShardID: 7}, false)
			b.SetLimits(halfCore)
			return b
		}
		oneByOne, inRows := make(), make()
		step := rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "step")
		oneByOne.SetSlotsPerSample(step)
		inRows.SetSlotsPerSample(step)
		slot := int64(firstSlot)
		for range rapid.IntRange(1, 8).Draw(t, "stretches") {
			slot += rapid.SampledFrom([]int64{0, 0, 0, 1, 40, -30}).Draw(t, "hole")
			usedNs := rapid.Int64Range(0, 3*slotNs).Draw(t, "used")
			oneByOne.Slice(slot, slotNs, usedNs)
			inRows.Slice(slot, slotNs, usedNs)
			slot++
			idle := rapid.Int64Range(0, 150).Draw(t, "idle")
			inRows.Idle(slot, slotNs, idle)
			for range idle {
				oneByOne.Slice(slot, slotNs, 0)
				slot++
			}
		}
		for _, start := range []int64{windowStart, windowStart + WindowUs} {
			require.Equal(t, oneByOne.Take(start, LastSlotOf(start)), inRows.Take(start, LastSlotOf(start)))
		}
	})
}
