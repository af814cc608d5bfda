package ebpf

import (
	"encoding/binary"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

const fourSpinners = "for i in 1 2 3 4; do timeout 3 sh -c 'while :; do :; done' & done; wait; true"

// runnableOf adds the histograms of some windows.
func runnableOf(t *testing.T, windows []*usagewindow.Window) (counts [histogram.RunnableBuckets]int64, total, samples int64) {
	for _, w := range windows {
		samples += int64(w.Samples)
		bucket := 0
		for packed := w.RunnableHistogram; len(packed) > 0; {
			step, n := binary.Uvarint(packed)
			count, m := binary.Uvarint(packed[n:])
			packed = packed[n+m:]
			bucket += int(step)
			counts[bucket] += int64(count)
			total += int64(count)
		}
	}
	return counts, total, samples
}

func TestFourBusyThreadsAreFourRunnableThreads(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group := create(t, folder, "load", "a1")
	got := measure(t, backend, func() {
		await(t, backend, 1)
		sh(t, group, fourSpinners)
	})
	counts, total, samples := runnableOf(t, got.of(group))
	t.Logf("samples with so many runnable threads: %v", counts)
	require.Equal(t, samples, total, "nothing was throttled")
	busy := total - counts[0]
	require.Greater(t, busy, int64(250))
	// The shells that start and stop them make some samples three or five.
	require.Greater(t, counts[4]*100, busy*60)
	require.Greater(t, (counts[3]+counts[4]+counts[5])*100, busy*80)
}

func TestThrottledTimeIsLeftOutOfRunnableThreads(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	got := measure(t, backend, func() {
		await(t, backend, 1)
		sh(t, group, fourSpinners)
	})
	counts, total, samples := runnableOf(t, got.of(group))
	t.Logf("%d of %d samples without throttling, by runnable threads: %v", total, samples, counts)
	require.Less(t, total, samples-100, "throttled samples are left out")
	require.Greater(t, counts[1]+counts[2]+counts[3]+counts[4], int64(15))
	require.Positive(t, counts[4], "what is left shows the demand")
	// Besides the four there are four programs that end them and a shell: in a starved guest they take their time.
	var few, many int64
	for threads, count := range counts {
		if threads <= 5 {
			few += count
		} else {
			many += count
		}
	}
	require.Less(t, many, few)
	require.Zero(t, counts[9]+counts[10]+counts[11]+counts[12]+counts[13]+counts[14]+counts[15], "more than all the threads there are")
}

// TestAThreadThatIsMovedAwayIsNotCountedWhereItWas: no event says that a running thread leaves its cgroup.
func TestAThreadThatIsMovedAwayIsNotCountedWhereItWas(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	from, to := create(t, folder, "load", "a1"), create(t, folder, "load", "a2")
	var stayed time.Duration
	got := measure(t, backend, func() {
		await(t, backend, 2)
		spinner := shell(t, from, "exec sh -c 'while :; do :; done'")
		began := time.Now()
		require.NoError(t, spinner.Start())
		time.Sleep(2 * time.Second)
		for _, file := range to.ProcsFiles() {
			require.NoError(t, os.WriteFile(file, []byte(strconv.Itoa(spinner.Process.Pid)), 0o644))
		}
		stayed = time.Since(began)
		time.Sleep(5 * time.Second)
		require.NoError(t, spinner.Process.Kill())
		_ = spinner.Wait() // killed, which is what was asked for
	})
	before, counted, samples := runnableOf(t, got.of(from))
	after, _, _ := runnableOf(t, got.of(to))
	t.Logf("%v before the move: %v, %d of %d samples counted; after: %v", stayed, before, counted, samples, after)
	// What was before the last look at its queue is counted, what was since is left out; a starved reader looks seldom.
	require.Greater(t, before[1], int64(20))
	require.Less(t, before[1], int64(stayed/(10*time.Millisecond))+30, "only while it was there")
	require.Greater(t, before[0], int64(100), "that it has left is known again")
	require.Greater(t, after[1], int64(100))
}
