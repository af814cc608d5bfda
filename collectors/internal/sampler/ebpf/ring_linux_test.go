package ebpf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// written is a loop over plain memory, into which a test writes as the programs would, with a clock that it sets.
type written struct {
	*loop
	files   *discovery.Files
	nowNs   int64
	movedNs int64
	batches chan sampler.Batch
}

const writtenSlot = 3

// newWritten begins at slice 0 of a window.
func newWritten(t *testing.T, slotCount int) *written {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "cpu.stat"), []byte("usage_usec 5\n"), 0o644))
	files, err := discovery.OpenFiles(cgroupfs.Trees{Version: cgroupfs.V2, CPU: root, Usage: root}, "")
	require.NoError(t, err)
	t.Cleanup(files.Close)
	w := &written{files: files, batches: make(chan sampler.Batch, 64)}
	k := &kernel{runnable: true, settings: settings{slots: slotCount, possibleCPUs: 2}, rings: &rings{
		usage: make([]uint32, (slotCount+2)*ringSlices), runnable: make([]uint32, slotCount*ringSlices),
		throttled: make([]uint8, slotCount*ringSlices), queues: make([]queue, slotCount*2),
		bandwidths: make([]bandwidth, slotCount), look: &look{},
	}}
	const startNs = 1_700_000_000 * 1_000_000_000
	w.loop = &loop{
		kernel: k, slicing: slicing{offsetNs: startNs}, settle: settleSlices,
		monotonic: func() int64 { return w.nowNs }, wallOffset: func() int64 { return startNs + w.movedNs },
		log:      testLog{t},
		recorder: sampler.NewRecorder(agent(), func(sampler.Batch) {}), cuts: w.batches,
		byCgroup: map[*discovery.Cgroup]*shard{}, wantsRunnable: true, slots: newSlots(slotCount), overrunFrom: 1,
	}
	w.start(w.slicing.sliceAt(0))
	w.swept = w.next + ringSlices
	return w
}

func (w *written) track(slot uint32) {
	found := sampler.Found{Path: "/lab/a", Inode: uint64(slot), Born: true}
	w.shards = append(w.shards, &shard{slot: slot, first: w.next, cgroup: &discovery.Cgroup{Files: w.files}, builder: w.recorder.Track(found)})
}

// amountOf is different from slice to slice and from lap to lap.
func amountOf(slice int64) uint32 { return uint32(1_000_000 + slice%977*1000) }

// write lets the programs charge every slice from one to before another.
func (w *written) write(from, until int64) {
	for slice := from; slice < until; slice++ {
		w.kernel.rings.usage[cell(writtenSlot, slice)] += amountOf(slice)
		w.nowNs = w.slicing.beginNs(slice + 1)
	}
}

func (w *written) look() {
	now := w.slicing.sliceAt(w.nowNs)
	w.noticeOverrun(now)
	w.followClock()
	w.takeUntil(now - w.settle)
	w.sweep(now)
}

// taken gathers the windows of the one shard and ends the current one.
func (w *written) taken(t *testing.T) (samples, missed int64, usedNs int64) {
	w.cut()
	close(w.batches)
	for batch := range w.batches {
		for _, window := range batch.Windows {
			samples, missed = samples+int64(window.Samples), missed+int64(window.MissedSamples)
			usedNs += window.SampledUsageUs * 1000
			h, err := histogram.Unpack(window.UsageHistogram)
			require.NoError(t, err)
			require.Equal(t, uint64(window.Samples), h.Total())
		}
	}
	return samples, missed, usedNs
}

func sumOf(from, until int64) (sum int64) {
	for slice := from; slice < until; slice++ {
		sum += int64(amountOf(slice))
	}
	return sum
}

func TestAReaderStarvedForFiveSecondsMissesNothing(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start := w.next
	w.write(start, start+100)
	w.look()
	w.write(start+100, start+100+500+100) // five seconds more than the usual one
	w.look()
	require.Equal(t, start+700-settleSlices, w.next)
	samples, missed, usedNs := w.taken(t)
	require.Equal(t, []int64{700 - settleSlices, 0, sumOf(start, start+700-settleSlices)}, []int64{samples, missed, usedNs})
	require.Zero(t, w.lateNs.Load())
}

func TestSlicesThatTheRingHasComeRoundToAreMissedAndNeverMixed(t *testing.T) {
	for _, starved := range []int64{1023, 1024, 1025, 1300, 2047, 2048, 5000} {
		w := newWritten(t, 8)
		w.track(writtenSlot)
		start := w.next
		w.write(start, start+100+settleSlices)
		w.look()
		first := w.next // 100 slices were taken
		require.Equal(t, start+100, first)
		w.write(start+100+settleSlices, first+starved)
		now := w.slicing.sliceAt(w.nowNs)
		w.look()
		for range 15 { // and then it goes on as usual
			from := w.slicing.sliceAt(w.nowNs)
			w.write(from, from+100)
			w.look()
		}
		end := w.next
		want, wantSamples := sumOf(start, first), first-start
		for slice := first; slice < end; slice++ {
			lost := now >= first+ringSlices && slice <= now-ringSlices
			mixed := now >= first+ringSlices && slice >= first+ringSlices && slice <= now
			if !lost && !mixed {
				want += int64(amountOf(slice))
				wantSamples++
			}
		}
		samples, _, usedNs := w.taken(t)
		require.Equal(t, wantSamples, samples, starved)
		require.InDelta(t, want, usedNs, 5000, "%d", starved) // each of up to five windows is floored to a microsecond
		require.Zero(t, w.lateNs.Load(), starved)
	}
}

func TestLateChargesAreCountedAndAddedToNoOtherSlice(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start := w.next
	w.write(start, start+200)
	w.look()
	w.kernel.rings.usage[cell(writtenSlot, start+10)] += 7_000_000
	for range 12 {
		from := w.slicing.sliceAt(w.nowNs)
		w.write(from, from+100)
		w.look()
	}
	_, missed, usedNs := w.taken(t)
	require.Zero(t, missed)
	require.InDelta(t, sumOf(start, w.next), usedNs, 3000)
	require.Equal(t, int64(7_000_000), w.lateNs.Load())
}

// TestAChargeThatReachesFarBackIsAddedToACounterOnce lets a CPU be charged, before the counter is read, for so long a time
// that most of it lies in slices that nobody takes any more.
func TestAChargeThatReachesFarBackIsAddedToACounterOnce(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start, s := w.next, w.shards[0]
	w.swept = start
	for slice := start - 300; slice < start-100; slice++ {
		w.kernel.rings.usage[cell(writtenSlot, slice)] += 1_000_000
	}
	usageNs, _, err := w.readUsage(s)
	require.NoError(t, err)
	require.Equal(t, int64(5000), usageNs)
	for range 8 { // less than a window, at whose end the counter is read again
		from := w.slicing.sliceAt(w.nowNs)
		w.write(from, from+100)
		w.look()
	}
	require.Equal(t, usageNs+sumOf(start, w.next), s.finalNs())
}

func TestTakingSlicesAllocatesNothing(t *testing.T) {
	w := newWritten(t, 200)
	for slot := uint32(1); slot < 200; slot++ {
		w.track(slot)
	}
	slice := w.next
	w.open(usagewindow.WindowOf(w.slicing.slotOf(slice)))
	require.Zero(t, testing.AllocsPerRun(200, func() {
		for i := range int64(10) {
			at := cell(writtenSlot, slice+i)
			w.kernel.rings.usage[at], w.kernel.rings.runnable[at] = 9_000_000, uint32(3*sliceNs>>threadShift)
		}
		w.nowNs = w.slicing.beginNs(slice + 10)
		w.kernel.rings.queues[writtenSlot*2] = queue{sinceNs: uint64(w.slicing.beginNs(slice)), runnable: 2}
		w.takeSlices(slice, slice+10)
		w.sweep(slice + 10)
		slice += 10
		w.next = slice
	}))
	window := w.recorder.Cut(w.window, slice).Windows[writtenSlot-1]
	require.Greater(t, window.Samples, int32(1000), "what must not allocate must have happened")
	require.NotEmpty(t, window.RunnableHistogram)
}

func TestTakingNotesOfPeriodsAllocatesNothing(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	s := w.shards[0]
	s.builder.SetLimits(usagewindow.Limits{Limit: cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 100_000}, Limited: true})
	w.open(usagewindow.WindowOf(w.slicing.slotOf(w.next)))
	s.builder.Stat(cgroupfs.CPUStat{HasBandwidth: true})
	b := &w.kernel.rings.bandwidths[writtenSlot]
	b.watched = 1
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for range 3 {
			note := &b.notes[b.noted%mostNotes]
			note.periods, note.throttledPeriods = uint32(b.noted)+1, uint32(b.noted)/2
			b.noted++
		}
		w.takeNotes(s)
	}))
	require.Equal(t, int64(303), s.stat.Periods, "what must not allocate must have happened")
	require.Equal(t, int64(151), s.stat.ThrottledPeriods)
}

func TestSlotsFollowTheWallClockByWholeSlots(t *testing.T) {
	s := slicing{offsetNs: 1_000_000_000_000}
	require.Zero(t, s.follow(1_000_000_000_000+4_900_000))
	require.Equal(t, int64(1), s.follow(1_000_000_000_000+5_100_000))
	require.Equal(t, int64(-2), s.follow(1_000_000_000_000-5_100_000))
	require.Equal(t, s.sliceOf(s.slotOf(77)), int64(77))
	require.Equal(t, int64(3601), s.follow(1_000_000_000_000+3600*sliceNs))
}

func TestTimeThatComesTwiceIsLeftOut(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start := w.next
	go100 := func() {
		from := w.slicing.sliceAt(w.nowNs)
		w.write(from, from+100)
		w.look()
	}
	for range 5 {
		go100()
	}
	before := w.next
	w.movedNs = -300 * sliceNs
	for range 8 {
		go100()
	}
	samples, _, usedNs := w.taken(t)
	require.Equal(t, w.next-start-300, samples, "a slot that was passed on is not passed on again")
	require.InDelta(t, sumOf(start, before)+sumOf(before+300, w.next), usedNs, 3000)
}

func TestAJumpForwardMissesSlotsAndLeavesWindowsOut(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start := w.next
	w.write(start, start+400)
	w.look()
	w.movedNs = 2500 * sliceNs
	w.write(start+400, start+800)
	w.look()
	samples, missed, usedNs := w.taken(t)
	require.Equal(t, w.next-start, samples)
	require.Positive(t, missed)
	require.InDelta(t, sumOf(start, w.next), usedNs, 3000)
}

func TestSavingMakesSamplesOfTwoSlices(t *testing.T) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	start := w.next
	w.recorder.SetSlotsPerSample(2)
	for w.next < start+2500 {
		from := w.slicing.sliceAt(w.nowNs)
		w.write(from, from+137)
		w.look()
	}
	w.cut()
	close(w.batches)
	var samples []int32
	for batch := range w.batches {
		samples = append(samples, batch.Windows[0].Samples)
		require.Zero(t, batch.Windows[0].MissedSamples)
	}
	require.Equal(t, []int32{1000, 500, int32(w.next-start-2000) / 2}, samples)
}

// TestStoppingAtAWindowsEndLosesNoFirstWindow: the first window of a newborn is held back until the next cut.
func TestStoppingAtAWindowsEndLosesNoFirstWindow(t *testing.T) {
	for _, slices := range []int64{999, 1000, 1001} {
		w := newWritten(t, 8)
		start := w.next
		found := sampler.Found{Path: "/lab/a", Inode: 1, Born: true, AtUs: usagewindow.WindowOf(w.slicing.slotOf(start)) + 1}
		w.shards = append(w.shards, &shard{slot: writtenSlot, first: start, cgroup: &discovery.Cgroup{Files: w.files}, builder: w.recorder.Track(found)})
		w.write(start, start+slices)
		w.finish()
		close(w.batches)
		var samples, usedNs int64
		for batch := range w.batches {
			for _, window := range batch.Windows {
				samples, usedNs = samples+int64(window.Samples), usedNs+window.SampledUsageUs*1000
			}
		}
		require.Equal(t, slices, samples)
		require.InDelta(t, sumOf(start, start+slices), usedNs, 2000)
	}
}
