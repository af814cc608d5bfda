package ebpf

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// looked is one cgroup with a quota of 30 ms in 100 ms, tracked without anybody who reads.
type looked struct {
	*Backend
	group *cgroup.Group
	slot  uint32
}

func newLooked(t *testing.T) looked {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	t.Cleanup(backend.Close)
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	l := looked{Backend: backend, group: group, slot: 1}
	var n nodes
	n.cpu, err = nodeOf(backend.options.Trees.CPU + group.Path)
	require.NoError(t, err)
	n.usage, err = nodeOf(backend.options.Trees.Usage + group.Path)
	require.NoError(t, err)
	require.NoError(t, backend.kernel.track(n, l.slot))
	l.bandwidth().watched = 1
	return l
}

func (l looked) bandwidth() *bandwidth { return &l.kernel.rings.bandwidths[l.slot] }

// read brings the counters up to date.
func (l looked) read(t *testing.T) *bandwidth {
	require.NoError(t, l.kernel.readBandwidth(1, 3))
	return l.bandwidth()
}

// equalsTheFile compares the counters with cpu.stat once the period timer rests.
func (l looked) equalsTheFile(t *testing.T) {
	quiet(t, l.group)
	b := l.read(t)
	require.NotZero(t, b.valid)
	counters, err := l.group.Read()
	require.NoError(t, err)
	require.Equal(t, []uint64{uint64(counters.Periods), uint64(counters.ThrottledPeriods), uint64(counters.ThrottledUs)},
		[]uint64{b.periods, b.throttledPeriods, b.throttledNs / 1000})
}

func TestEveryPeriodIsNotedOnce(t *testing.T) {
	l := newLooked(t)
	sh(t, l.group, "timeout 2 sh -c 'while :; do :; done'; true")
	b := l.bandwidth()
	require.Greater(t, b.noted, uint64(15))
	require.LessOrEqual(t, b.noted, uint64(mostNotes), "or the first would be lost")
	steps := map[uint32]int{}
	for i := range b.noted - 1 {
		before, note := b.notes[i], b.notes[i+1]
		require.Greater(t, note.atNs, before.atNs)
		steps[note.periods-before.periods]++
		require.LessOrEqual(t, note.throttledPeriods-before.throttledPeriods, note.periods-before.periods)
	}
	t.Logf("%d notes; so many periods in one: %v", b.noted, steps)
	require.Greater(t, steps[1]*2, int(b.noted), "one period each, unless the host kept the load waiting")
	require.Zero(t, steps[0])
	l.equalsTheFile(t)
}

func TestACgroupWithoutAQuotaOfInterestIsNotNoted(t *testing.T) {
	l := newLooked(t)
	l.bandwidth().watched = 0
	sh(t, l.group, "timeout 0.5 sh -c 'while :; do :; done'; true")
	require.Zero(t, l.bandwidth().noted)
	require.NotZero(t, l.bandwidth().group)
	l.equalsTheFile(t)
}

// TestTheTaskGroupIsLearnedFromACgroupBelow stands for pods, whose tasks are all in cgroups below.
func TestTheTaskGroupIsLearnedFromACgroupBelow(t *testing.T) {
	l := newLooked(t)
	below := *l.group
	below.Dirs = nil
	for _, dir := range l.group.Dirs {
		dir.Path = filepath.Join(dir.Path, "below")
		require.NoError(t, os.Mkdir(dir.Path, 0o755))
		below.Dirs = append(below.Dirs, dir)
	}
	t.Cleanup(func() {
		for _, dir := range below.Dirs {
			require.Eventually(t, func() bool { return os.Remove(dir.Path) == nil }, 5*time.Second, 20*time.Millisecond)
		}
	})
	require.Zero(t, l.read(t).valid, "its task group is unknown until a task runs")
	sh(t, &below, "true")
	l.equalsTheFile(t)
	require.NotZero(t, l.bandwidth().noted)
}

// noted is a shard of plain memory, of which a test makes notes as the program would.
func newNoted(t *testing.T) (*written, *shard, func(atNs int64, periods, throttled uint32)) {
	w := newWritten(t, 8)
	w.track(writtenSlot)
	s := w.shards[0]
	s.builder.SetLimits(usagewindow.Limits{
		Limited: true, Limit: cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 100_000}, PeriodUs: ptr(int64(100_000))})
	w.noteLimits(s, s.builder.Limits())
	b := &w.kernel.rings.bandwidths[writtenSlot]
	require.NotZero(t, b.watched)
	w.pass(s, cgroupfs.CPUStat{HasBandwidth: true}, false)
	s.watched = true
	return w, s, func(atNs int64, periods, throttled uint32) {
		b.notes[b.noted%mostNotes] = periodNote{atNs: uint64(atNs), periods: periods, throttledPeriods: throttled}
		b.noted++
	}
}

func ptr[T any](value T) *T { return &value }

// runsOf cuts the window of a noted shard.
func runsOf(t *testing.T, w *written) *usagewindow.Window {
	w.write(w.next, w.next+100)
	w.look()
	batch := w.recorder.Cut(w.window, w.lastSlot)
	require.Len(t, batch.Windows, 1)
	return batch.Windows[0]
}

func TestPeriodsBetweenTwoNotesWereThrottledFirst(t *testing.T) {
	w, s, note := newNoted(t)
	note(1, 1, 0)
	note(2, 4, 2) // two throttled periods, then one in which no CPU was had
	note(3, 5, 3)
	w.takeNotes(s)
	window := runsOf(t, w)
	require.Equal(t, []int64{5, 3}, []int64{*window.Periods, *window.ThrottledPeriods})
	require.Equal(t, []int32{2, 2}, []int32{*window.ThrottledRuns, *window.ThrottledRunPeriodsMax})
}

func TestNotesThatWereLostMakeRunsUnknownAndNothingElse(t *testing.T) {
	w, s, note := newNoted(t)
	for i := range uint32(2 * mostNotes) {
		note(int64(i), i+1, i/2)
	}
	w.takeNotes(s)
	window := runsOf(t, w)
	require.Equal(t, []int64{2 * mostNotes, mostNotes - 1}, []int64{*window.Periods, *window.ThrottledPeriods})
	require.Nil(t, window.ThrottledRuns)
}

func TestNotesAfterAWindowsEndBelongToTheNext(t *testing.T) {
	w, s, note := newNoted(t)
	note(10, 1, 1)
	w.ended, w.endedNs = true, 20
	note(30, 2, 2)
	w.takeNotes(s)
	window := runsOf(t, w)
	require.Equal(t, int64(1), *window.Periods)
	w.ended = false
	s.release()
	window = runsOf(t, w)
	require.Equal(t, []int64{1, 1}, []int64{*window.Periods, *window.ThrottledPeriods})
	require.Equal(t, int32(2), *window.ThrottledRunPeriodsMax, "the run of the window before goes on")
}
