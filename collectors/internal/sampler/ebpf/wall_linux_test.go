package ebpf

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// burned runs threads that never sleep, each pinned to a CPU of its own, against a quota, and returns what the records say, what
// the threads stamped and what the kernel counted.
func burned(t *testing.T, threads int, quotaUs int64) (wallUs int64, trial stamp.Trial) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	program, err := stamp.Build(t.TempDir())
	if err != nil {
		t.Skipf("no threads that stamp themselves: %v", err)
	}
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: quotaUs, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	got := measure(t, backend, func() {
		await(t, backend, 1)
		load := stamp.Load{Threads: threads, Cpus: threads, BusyMin: stamp.Forever, BusyMax: stamp.Forever, Seed: 1}
		trial, err = stamp.Run(program, load, 3*time.Second, group, nil)
		require.NoError(t, err)
		time.Sleep(200 * time.Millisecond) // past the end of the last period
	})
	for _, w := range got.of(group) {
		require.NotNil(t, w.ThrottledWallUs)
		wallUs += *w.ThrottledWallUs
	}
	require.Greater(t, trial.Counted.ThrottledPeriods, int64(20))
	return wallUs, trial
}

// TestOnOneCpuThrottledWallTimeIsTheKernelsThrottledTime: the kernel adds up CPUs, so on one the sum is the wall time.
func TestOnOneCpuThrottledWallTimeIsTheKernelsThrottledTime(t *testing.T) {
	wallUs, trial := burned(t, 1, 30_000)
	t.Logf("throttled wall time %d us, by the kernel %d us in %d periods", wallUs, trial.Counted.ThrottledUs, trial.Counted.ThrottledPeriods)
	require.InEpsilon(t, trial.Counted.ThrottledUs, wallUs, 0.1, "on a busy host a thread that may run again waits for its turn")
}

// TestATaskThatIsChargedBeforeItIsLimitedIsWatched: where cpu and cpuacct are mounted apart, who joins the latter first is
// charged to a cgroup before he is in its task group; from then on periods are noted all the same. Where both are one tree
// there is no such time, and the same must hold.
func TestATaskThatIsChargedBeforeItIsLimitedIsWatched(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	var throttledUs int64
	got := measure(t, backend, func() {
		await(t, backend, 1)
		var join strings.Builder
		for _, file := range group.ProcsFiles() { // the cpu tree comes last
			fmt.Fprintf(&join, "echo $$ > %s; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ", file)
		}
		out, err := exec.Command("taskset", "-c", "0", "sh", "-c", join.String()+"timeout 1.5 sh -c 'while :; do :; done'; true").CombinedOutput()
		require.NoError(t, err, string(out))
		counters, err := group.Read()
		require.NoError(t, err)
		throttledUs = counters.ThrottledUs
		time.Sleep(200 * time.Millisecond) // past the end of the last period
	})
	var wallUs int64
	for _, w := range got.of(group) {
		wallUs += valueOf(w)
	}
	require.Greater(t, throttledUs, int64(200_000))
	t.Logf("throttled wall time %d us, by the kernel %d us", wallUs, throttledUs)
	require.InEpsilon(t, throttledUs, wallUs, 0.2)
}

// TestOnTwoCpusThrottledWallTimeIsTheUnion: of two CPUs that are throttled, wall time is at least half of the kernel's sum and
// at most the sum, as it is when a busy host lets them run in turn; and nobody who is throttled runs, which the sum cannot say
// of two that are throttled together.
func TestOnTwoCpusThrottledWallTimeIsTheUnion(t *testing.T) {
	wallUs, trial := burned(t, 2, 40_000)
	awayUs := anyAwayNs(trial) / 1000
	t.Logf("throttled wall time %d us, by the kernel over both CPUs %d us, either thread was off its CPU for %d us",
		wallUs, trial.Counted.ThrottledUs, awayUs)
	require.Greater(t, wallUs, trial.Counted.ThrottledUs*49/100)
	require.Less(t, wallUs, trial.Counted.ThrottledUs*102/100+250_000)
	// A span that no timer ends is found a quarter of a second later: on a busy machine one of them may stand in the sum.
	require.Less(t, wallUs, awayUs*102/100+250_000, "a thread that stamps is not throttled")
}

// anyAwayNs is how long at least one of the threads was not on a CPU.
func anyAwayNs(trial stamp.Trial) (away int64) {
	type edge struct{ atNs, running int64 }
	var edges []edge
	threads := map[int]bool{}
	for _, i := range trial.Truth.Intervals {
		edges = append(edges, edge{i.StartNs, 1}, edge{i.EndNs, -1})
		threads[i.Thread] = true
	}
	slices.SortFunc(edges, func(a, b edge) int { return int(a.atNs - b.atNs) })
	running, beforeNs := int64(0), trial.StartNs
	for _, e := range edges {
		if running < int64(len(threads)) {
			away += e.atNs - beforeNs
		}
		running, beforeNs = running+e.running, e.atNs
	}
	return away + trial.EndNs - beforeNs
}

// TestNobodyIsThrottledWithoutAQuota: measured, and nothing.
func TestNobodyIsThrottledWithoutAQuota(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group := create(t, folder, "load", "a1")
	got := measure(t, backend, func() {
		await(t, backend, 1)
		sh(t, group, "timeout 0.5 sh -c 'while :; do :; done'; true")
	})
	windows := got.of(group)
	require.NotEmpty(t, windows)
	for _, w := range windows {
		require.Equal(t, new(int64), w.ThrottledWallUs)
	}
}

// TestAQuotaThatIsTakenAwayEndsTheThrottling: no timer runs then; the next look ends it.
func TestAQuotaThatIsTakenAwayEndsTheThrottling(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 1_000_000}, CpuShares: 1024})
	require.NoError(t, err)
	var limited time.Duration
	got := measure(t, backend, func() {
		await(t, backend, 1)
		begun, taken := time.Now(), make(chan struct{})
		time.AfterFunc(600*time.Millisecond, func() {
			defer close(taken)
			_ = group.Limit(cgroup.Limits{CpuShares: 1024})
			limited = time.Since(begun)
		})
		sh(t, group, "timeout 2.5 sh -c 'while :; do :; done'; true")
		<-taken
	})
	var wallUs int64
	for _, w := range got.of(group) {
		wallUs += valueOf(w)
	}
	t.Logf("throttled wall time %d us, limited for %s", wallUs, limited)
	require.Greater(t, wallUs, int64(100_000))
	require.Less(t, wallUs, limited.Microseconds()+500_000, "and not until the load ended")
}

func valueOf(w *usagewindow.Window) int64 {
	if w.ThrottledWallUs == nil {
		return 0
	}
	return *w.ThrottledWallUs
}
