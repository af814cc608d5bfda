package kerneltruth

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// counted returns the counters once they stand still: the last moments of a process are charged after its
// parent knows of its end, and a period goes on to its end. On a CPU that a hypervisor holds up they can move even later.
func counted(t *testing.T, group *cgroup.Group) cgroup.Counters {
	t.Helper()
	counters, err := group.Read()
	require.NoError(t, err)
	for deadline := time.Now().Add(10 * time.Second); ; {
		time.Sleep(settle)
		again, err := group.Read()
		require.NoError(t, err)
		if again.Since(counters) == (cgroup.Deltas{}) {
			return again
		}
		require.True(t, time.Now().Before(deadline), "the counters of %s never stand still", group.Path)
		counters = again
	}
}

// statOf reads one key of a cgroup's cpu.stat; false when this kernel has no such key.
func statOf(t *testing.T, dir, key string) (int64, bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "cpu.stat"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, key+" "); found {
			number, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			require.NoError(t, err)
			return number, true
		}
	}
	return 0, false
}

// countersEqual compares the sums of a shard's windows with the kernel's counters since its birth, as they were before the last
// readings and are after them. When nothing moved in between, which is usual, the sums equal both.
func countersEqual(t *testing.T, windows []*usagewindow.Window, before cgroup.Counters, group *cgroup.Group) {
	t.Helper()
	after, err := group.Read()
	require.NoError(t, err)
	within(t, "usage_us", before.UsageUs, sum(t, windows, usage), after.UsageUs)
	within(t, "periods", before.Periods, sum(t, windows, periods), after.Periods)
	within(t, "throttled_periods", before.ThrottledPeriods, sum(t, windows, throttled), after.ThrottledPeriods)
	within(t, "throttled_us", before.ThrottledUs, sum(t, windows, throttledUs), after.ThrottledUs)
}

// within asks for a sum that lies between two readings of the counter it tells of.
func within(t *testing.T, what string, before, said, after int64) {
	t.Helper()
	require.True(t, before <= said && said <= after, "%s: %d before, %d said, %d after", what, before, said, after)
}

// burstsOf reads how often a cgroup used more than its quota of a period, and how much more.
func burstsOf(t *testing.T, dir string) (bursts, usedUs int64) {
	t.Helper()
	bursts, known := statOf(t, dir, "nr_bursts")
	require.True(t, known)
	usedUs, inUs := statOf(t, dir, "burst_usec")
	if !inUs {
		usedNs, _ := statOf(t, dir, "burst_time")
		usedUs = usedNs / 1000
	}
	return bursts, usedUs
}

// rootUsageUs is the usage of everything, as the root cgroup's file states it.
func rootUsageUs(t *testing.T, folder *cgroup.Folder) int64 {
	t.Helper()
	if folder.Layout.Version == 2 {
		usageUs, known := statOf(t, folder.Layout.Trees[0].Mount, "usage_usec")
		require.True(t, known)
		return usageUs
	}
	for _, tree := range folder.Layout.Trees {
		if text, err := os.ReadFile(filepath.Join(tree.Mount, "cpuacct.usage")); err == nil {
			usageNs, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			require.NoError(t, err)
			return usageNs / 1000
		}
	}
	require.Fail(t, "no tree counts usage")
	return 0
}
