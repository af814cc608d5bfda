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

const (
	windowStart = 170_000_000 * WindowUs
	firstSlot   = windowStart/SampleIntervalUs + 1
	slotNs      = SampleIntervalUs * 1000
)

var halfCore = Limits{Limit: cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}, Limited: true, PeriodUs: pointer(int64(100_000))}

func TestSlotsBelongToTheWindowInWhichTheyEnd(t *testing.T) {
	require.Equal(t, windowStart, WindowOf(firstSlot))
	require.Equal(t, windowStart, WindowOf(firstSlot+999))
	require.Equal(t, windowStart+WindowUs, WindowOf(firstSlot+1000))
	require.Equal(t, windowStart-WindowUs, WindowOf(firstSlot-1))
	require.Equal(t, firstSlot+999, LastSlotOf(windowStart))
}

func TestAWholeWindow(t *testing.T) {
	b := NewBuilder(Subject{Service: "checkout", Shard: "a1", Method: MethodTickPoll, Origin: OriginMeasured, ShardID: 1}, false)
	b.SetLimits(halfCore)
	b.Stat(cgroupfs.CPUStat{Periods: 7, ThrottledPeriods: 3, ThrottledNs: 1_999, HasBandwidth: true})
	usage := int64(5_000_999)
	b.Sample(firstSlot-1, 0, usage, 30)
	b.Take(windowStart-WindowUs, firstSlot-1)
	for i := range int64(1000) {
		if i < 250 {
			usage += slotNs // one core
		}
		b.Sample(firstSlot+i, (i+1)*slotNs, usage, 60+i%5)
	}
	b.Stat(cgroupfs.CPUStat{Periods: 107, ThrottledPeriods: 103, ThrottledNs: 3_000_500, HasBandwidth: true})
	threads := int64(4)
	b.SetThreads(&threads)
	w := b.Take(windowStart, firstSlot+999)

	require.Equal(t, []int32{1000, 0, 64}, []int32{w.Samples, w.MissedSamples, w.LatenessUsMax})
	require.Equal(t, []int64{2_500_000, 2_500_000}, []int64{w.UsageUs, w.SampledUsageUs})
	require.Equal(t, []int64{100, 100, 2999}, []int64{*w.Periods, *w.ThrottledPeriods, *w.ThrottledUs})
	require.Equal(t, []int32{1, 100}, []int32{*w.ThrottledRuns, *w.ThrottledRunPeriodsMax})
	require.Equal(t, int32(250), *w.ExcursionSamples)
	require.Equal(t, int64(250*5_000), *w.ExcursionUs)
	require.Equal(t, []int64{50_000, 100_000, 4}, []int64{*w.QuotaUs, *w.PeriodUs, *w.Threads})
	require.Nil(t, w.Bursts, "this kernel states none")
	require.Nil(t, w.BurstUs)
	require.Nil(t, w.ThrottledWallUs)
	require.Nil(t, w.RunnableHistogram, "never filled from threads")

	h, err := histogram.Unpack(w.UsageHistogram)
	require.NoError(t, err)
	require.Equal(t, []uint64{750, 250}, []uint64{h.Count(0), h.Count(82)})
	sums, err := secondorder.Unpack(w.SecondOrder)
	require.NoError(t, err)
	require.Equal(t, []uint64{1000, 250 * 256, 250 * 65536}, []uint64{sums.N, sums.Sum, sums.SumSquares})
	require.Equal(t, secondorder.LagSum{}, sums.Lags[0], "lag 1 is invalid for polled counters")
	require.Equal(t, secondorder.LagSum{Pairs: 998, Products: 248 * 65536}, sums.Lags[1])
	require.Len(t, w.Exemplar, 1000, "throttling starts in this window")
	require.Equal(t, []byte{82, 0}, []byte{w.Exemplar[249], w.Exemplar[250]})
}

func TestMissedSlotsAreCountedAndNeverInterpolated(t *testing.T) {
	b := NewBuilder(Subject{}, false)
	take := func(slot int64) { b.Sample(slot, slot*slotNs, slot*1_000_000, 0) }
	take(firstSlot)     // baseline only
	take(firstSlot + 1) // sample 1
	take(firstSlot + 2) // sample 2
	take(firstSlot + 9) // seven slots without a 10 ms value
	take(firstSlot + 10)
	w := b.Take(windowStart, firstSlot+999)
	require.Equal(t, []int32{3, 7 + 989}, []int32{w.Samples, w.MissedSamples})
	require.Equal(t, int64(3_000), w.SampledUsageUs)
	require.Equal(t, int64(10_000), w.UsageUs, "the counter spans the gap")

	take(firstSlot + 1002)
	w = b.Take(windowStart+WindowUs, firstSlot+1999)
	require.Equal(t, []int32{0, 1000}, []int32{w.Samples, w.MissedSamples})
}

func TestAStallOverWindowsCountsOnlyItsOwnWindow(t *testing.T) {
	b := NewBuilder(Subject{}, false)
	b.Sample(firstSlot, 0, 0, 0)
	b.Take(windowStart, firstSlot+999)
	b.Sample(firstSlot+5*1000+3, 50_000_000_000, 9_000_000, 0)
	w := b.Take(windowStart+5*WindowUs, firstSlot+5*1000+3)
	require.Equal(t, []int32{0, 4}, []int32{w.Samples, w.MissedSamples})
	require.Equal(t, int64(9_000), w.UsageUs)
}

func TestARemovedCgroupMissesNothingAfterItsEnd(t *testing.T) {
	b := NewBuilder(Subject{}, true)
	b.Sample(firstSlot, slotNs, 3_000, 0)
	b.Sample(firstSlot+1, 2*slotNs, 5_000_000, 0)
	b.Retire()
	w := b.Take(windowStart, firstSlot+999)
	require.Equal(t, []int32{1, 0}, []int32{w.Samples, w.MissedSamples})
	require.Equal(t, int64(5_000), w.UsageUs, "born here: counted from 0")
	require.True(t, b.Retired())
}

func TestClockSetBackAndCounterWrittenBeginAnew(t *testing.T) {
	b := NewBuilder(Subject{}, false)
	b.Sample(firstSlot+50, 10*slotNs, 1_000_000, 0)
	b.Sample(firstSlot+7, 11*slotNs, 2_000_000, 0)
	b.Sample(firstSlot+8, 12*slotNs, 3_000_000, 0)
	b.Sample(firstSlot+9, 13*slotNs, 0, 0) // somebody wrote 0 to cpuacct.usage
	b.Sample(firstSlot+10, 14*slotNs, 4_000_000, 0)
	w := b.Take(windowStart, firstSlot+10)
	require.Equal(t, []int32{2, 1}, []int32{w.Samples, w.MissedSamples})
	require.Equal(t, []int64{1_000 + 1_000 + 4_000, 5_000}, []int64{w.UsageUs, w.SampledUsageUs})
}

func TestUnlimitedHasNoExcursions(t *testing.T) {
	b := NewBuilder(Subject{}, true)
	b.SetLimits(Limits{PeriodUs: pointer(int64(100_000))})
	b.Sample(firstSlot, 0, 0, 0)
	b.Sample(firstSlot+1, slotNs, 90_000_000, 0)
	w := b.Take(windowStart, firstSlot+1)
	require.Nil(t, w.ExcursionSamples)
	require.Nil(t, w.ExcursionUs)
	require.Nil(t, w.QuotaUs)
	require.Nil(t, w.Periods, "no cpu.stat was read")
}

func TestWindowsTelescopeToTheCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		born := rapid.Bool().Draw(t, "born")
		b := NewBuilder(Subject{}, born)
		usageNs := rapid.Int64Range(0, 1<<40).Draw(t, "usage at start")
		stat := cgroupfs.CPUStat{HasBandwidth: true, HasBursts: true, ThrottledNs: rapid.Int64Range(0, 1<<40).Draw(t, "throttled")}
		b.Sample(firstSlot, 0, usageNs, 0)
		b.Stat(stat)
		startUsage, startThrottled := usageNs, stat.ThrottledNs
		if born {
			startUsage, startThrottled = 0, 0
		}
		var usage, throttled, samples int64
		slot := firstSlot
		for range rapid.IntRange(1, 5).Draw(t, "windows") {
			for range rapid.IntRange(0, 40).Draw(t, "readings") {
				slot += rapid.Int64Range(1, 30).Draw(t, "step")
				usageNs += rapid.Int64Range(0, 20_000_000).Draw(t, "used")
				stat.ThrottledNs += rapid.Int64Range(0, 20_000_000).Draw(t, "throttled")
				b.Sample(slot, slot*slotNs, usageNs, 0)
				b.Stat(stat)
			}
			w := b.Take(windowStart, slot)
			usage, throttled, samples = usage+w.UsageUs, throttled+*w.ThrottledUs, samples+int64(w.Samples)
			h, err := histogram.Unpack(w.UsageHistogram)
			require.NoError(t, err)
			require.Equal(t, uint64(w.Samples), h.Total())
		}
		require.Equal(t, usageNs/1000-startUsage/1000, usage)
		require.Equal(t, stat.ThrottledNs/1000-startThrottled/1000, throttled)
	})
}

func TestSamplingAllocatesNothing(t *testing.T) {
	b := NewBuilder(Subject{}, true)
	b.SetLimits(halfCore)
	slot := firstSlot
	require.Zero(t, testing.AllocsPerRun(2000, func() {
		b.Sample(slot, slot*slotNs, slot*7_000_000, 50)
		b.Stat(cgroupfs.CPUStat{Periods: slot, HasBandwidth: true, HasBursts: true})
		slot++
	}))
}

func BenchmarkSample(bench *testing.B) {
	b := NewBuilder(Subject{}, true)
	b.SetLimits(halfCore)
	for i := range int64(bench.N) {
		b.Sample(firstSlot+i, i*slotNs, i*7_000_000, 50)
	}
}
