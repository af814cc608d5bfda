package kerneltruth

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

func usage(w *usagewindow.Window) *int64       { return &w.UsageUs }
func periods(w *usagewindow.Window) *int64     { return w.Periods }
func throttled(w *usagewindow.Window) *int64   { return w.ThrottledPeriods }
func throttledUs(w *usagewindow.Window) *int64 { return w.ThrottledUs }

func limited(quotaUs, periodUs int64) cgroup.Limits {
	return cgroup.Limits{Bandwidth: &cfs.Bandwidth{QuotaUs: quotaUs, PeriodUs: periodUs}, CpuShares: 1024}
}

func create(t *testing.T, folder *cgroup.Folder, service, shard string, limits cgroup.Limits) *cgroup.Group {
	t.Helper()
	group, err := folder.Create(service, shard, limits)
	require.NoError(t, err)
	return group
}

func TestLimitsAndThrottlingEqualTheKernelsFiles(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var group *cgroup.Group
		var before cgroup.Counters
		got := run.around(func() {
			group = create(t, folder, "throttled", "a1", limited(30_000, 100_000))
			burnIn(t, group, 2, 1500*time.Millisecond)
			// A quota that changes while the cgroup lives shows in the window that it changes in.
			require.NoError(t, group.Limit(limited(40_000, 100_000)))
			burnIn(t, group, 1, 500*time.Millisecond)
			before = counted(t, group)
		})
		windows := got.shard(t, group)
		countersEqual(t, windows, before, group)
		last := windows[len(windows)-1]
		require.Equal(t, int64(40_000), *last.QuotaUs)
		require.Equal(t, int64(100_000), *last.PeriodUs)
		require.Positive(t, sum(t, windows, throttled), "nobody was throttled, so nothing was tested")
		require.Positive(t, sum(t, windows, func(w *usagewindow.Window) *int64 {
			samples := int64(*w.ExcursionSamples) + int64(w.MissedSamples) // a poller that is held up says what it missed
			return &samples
		}))
		require.NotNil(t, last.Threads)
		require.Nil(t, last.AncestorQuotaUs)
		require.Positive(t, sum(t, windows, func(w *usagewindow.Window) *int64 {
			samples := int64(w.Samples)
			return &samples
		}))
	})
}

func TestBurstIsReadAndCounted(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var group *cgroup.Group
		var before cgroup.Counters
		var beforeBursts, beforeUs int64
		got := run.around(func() {
			group = create(t, folder, "bursty", "a1", limited(40_000, 100_000))
			dir := group.Dirs[0].Path
			if _, known := statOf(t, dir, "nr_bursts"); !known {
				t.Skip("this kernel knows no burst") // before 5.14
			}
			if folder.Layout.Version == 2 {
				write(t, dir, "cpu.max.burst", "40000")
			} else {
				write(t, dir, "cpu.cfs_burst_us", "40000")
			}
			for range 6 {
				// Less than the quota in one period, nothing in the next, and then more than the quota.
				burnIn(t, group, 1, 20*time.Millisecond)
				time.Sleep(150 * time.Millisecond)
				burnIn(t, group, 2, 40*time.Millisecond)
			}
			before = counted(t, group)
			beforeBursts, beforeUs = burstsOf(t, dir)
		})
		windows := got.shard(t, group)
		countersEqual(t, windows, before, group)
		bursts, usedUs := burstsOf(t, group.Dirs[0].Path)
		require.Positive(t, bursts, "no burst was used, so nothing was tested")
		within(t, "bursts", beforeBursts, sum(t, windows, func(w *usagewindow.Window) *int64 { return w.Bursts }), bursts)
		within(t, "burst_used_us", beforeUs, sum(t, windows, func(w *usagewindow.Window) *int64 { return w.BurstUsedUs }), usedUs)
		require.Equal(t, int64(40_000), *windows[len(windows)-1].BurstUs)
	})
}

func TestTheTightestAncestorIsNamed(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var loose, bound *cgroup.Group
		var before [2]int64
		got := run.around(func() {
			loose = create(t, folder, "nested", "a1", cgroup.Limits{CpuShares: 1024})
			bound = create(t, folder, "nested", "a2", limited(40_000, 100_000))
			limitParent(t, folder, filepath.Dir(loose.Dirs[0].Path))
			time.Sleep(settle)
			burnIn(t, loose, 2, 800*time.Millisecond)
			burnIn(t, bound, 1, 200*time.Millisecond)
			before[0], before[1] = counted(t, loose).UsageUs, counted(t, bound).UsageUs
		})
		for i, group := range []*cgroup.Group{loose, bound} {
			windows := got.shard(t, group)
			counters, err := group.Read()
			require.NoError(t, err)
			within(t, "usage_us", before[i], sum(t, windows, usage), counters.UsageUs)
			last := windows[len(windows)-1]
			require.NotNil(t, last.AncestorQuotaUs, group.Path)
			require.Equal(t, []int64{25_000, 50_000}, []int64{*last.AncestorQuotaUs, *last.AncestorPeriodUs})
		}
		last := got.shard(t, loose)
		require.Nil(t, last[len(last)-1].QuotaUs, "an unlimited cgroup has no quota of its own")
		require.Zero(t, sum(t, last, throttled), "throttling is charged to the ancestor, not to the cgroup below")
		parentThrottled, known := statOf(t, filepath.Dir(loose.Dirs[0].Path), "nr_throttled")
		require.True(t, known)
		require.Positive(t, parentThrottled)
	})
}

func limitParent(t *testing.T, folder *cgroup.Folder, dir string) {
	t.Helper()
	if folder.Layout.Version == 2 {
		write(t, dir, "cpu.max", "25000 50000")
		return
	}
	// v1 keeps them in two files and refuses a quota below a child's.
	write(t, dir, "cpu.cfs_period_us", "50000")
	write(t, dir, "cpu.cfs_quota_us", "25000")
}

// longestTickUs is the tick of a kernel with HZ 100, the slowest there is.
const longestTickUs = 10_000

func TestShortLivesAreCountedWhole(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var used []int64
		var path string
		got := run.around(func() {
			for range 3 {
				group := create(t, folder, "again", "a1", limited(80_000, 100_000))
				path = group.Path
				burnIn(t, group, 1, 300*time.Millisecond)
				used = append(used, counted(t, group).UsageUs)
				_, err := folder.Clear()
				require.NoError(t, err)
			}
		})
		// A life that ended before its first window did is pooled; which of them did so is a matter of when the test ran.
		ids := got.identities[path]
		lives, saidUs := len(ids), int64(0)
		for _, id := range ids {
			saidUs += sum(t, got.windows[id], usage)
		}
		for _, host := range got.hosts {
			lives += int(host.ShortLivedCgroups)
			if host.ShortLivedUsageUs != nil {
				saidUs += *host.ShortLivedUsageUs
			}
		}
		require.Equal(t, 3, lives)
		// What a cgroup used after its last reading is known from charges only, and a reading can fall between a charge and
		// the counter's move: one charge a life, which is a tick's time at most on a CPU that nobody holds up.
		require.InDelta(t, used[0]+used[1]+used[2], saidUs, float64(lives*longestTickUs), "%v", used)
		require.Equal(t, len(ids), len(got.windows), "every incarnation is a shard of its own")
	})
}

// TestTwoLivesAcrossAWindowsEndAreTwoShards waits for the end of windows, so that no life is short.
func TestTwoLivesAcrossAWindowsEndAreTwoShards(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var used []int64
		var path string
		got := run.around(func() {
			for range 2 {
				group := create(t, folder, "again", "long", limited(80_000, 100_000))
				path = group.Path
				burnIn(t, group, 1, 200*time.Millisecond)
				time.Sleep(time.Duration(usagewindow.WindowUs)*time.Microsecond + settle)
				used = append(used, counted(t, group).UsageUs)
				_, err := folder.Clear()
				require.NoError(t, err)
			}
		})
		ids := got.identities[path]
		require.Len(t, ids, 2)
		var said []int64
		for _, id := range ids {
			said = append(said, sum(t, got.windows[id], usage))
		}
		require.Equal(t, used, said)
	})
}

// TestTheHostsOwnUsageIsTheRootCgroups lets what the host's records say lie between what the root cgroup's file grew by while
// they were made and what it grew by between the first of them and the last reading. On v2 the kernel counts the root's usage in
// ticks seen, which says little of the cgroups below on a CPU that is held up.
func TestTheHostsOwnUsageIsTheRootCgroups(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		var group *cgroup.Group
		var from, until int64
		start := rootUsageUs(t, folder)
		got := run.around(func() {
			group = create(t, folder, "host", "a1", limited(90_000, 100_000))
			<-run.cut
			from = rootUsageUs(t, folder)
			burnIn(t, group, 1, 400*time.Millisecond)
			until = rootUsageUs(t, folder)
		})
		end := rootUsageUs(t, folder)
		var hostUs int64
		for _, host := range got.hosts {
			require.NotNil(t, host.UsageUs, "the root cgroup of this kernel states usage")
			hostUs += *host.UsageUs
		}
		require.Greater(t, until, from, "nothing was used, so nothing was tested")
		within(t, "usage_us", until-from, hostUs, end-start)
		version := map[int]string{1: "v1", 2: "v2"}[folder.Layout.Version]
		require.Contains(t, []string{version, "hybrid"}, got.hosts[0].CgroupVersion)
	})
}

// TestMapMemoryIsBounded is of interest on a machine with many possible CPUs; the virtual machine of infra/v2 has 88.
func TestMapMemoryIsBounded(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, folder *cgroup.Folder, run running) {
		got := run.around(func() { create(t, folder, "idle", "a1", limited(90_000, 100_000)) })
		host := got.hosts[len(got.hosts)-1]
		if host.Method != string(usagewindow.MethodEbpf) {
			require.Nil(t, host.BpfMapBytes, "polling has no maps")
			return
		}
		possible, err := os.ReadFile("/sys/devices/system/cpu/possible")
		require.NoError(t, err)
		require.NotNil(t, host.BpfMapBytes)
		t.Logf("possible CPUs %s maps for 1,000 cgroups: %.1f MiB", possible, float64(*host.BpfMapBytes)/(1<<20))
		require.Positive(t, *host.BpfMapBytes)
		require.LessOrEqual(t, *host.BpfMapBytes, int64(64<<20))
	})
}
