package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

// TestThreadsAboveTheQuotaAreTold lets four threads of one pool and one of another run above the quota.
func TestThreadsAboveTheQuotaAreTold(t *testing.T) {
	folder := home(t)
	o := options(t, folder)
	o.ThreadNames = true
	backend := newOrSkip(t, o)
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 40_000, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	unlimited := create(t, folder, "load", "a2")
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	place := t.TempDir()
	for _, name := range []string{"pool-17", "pool-4", "pool-255", "pool-3", "other"} {
		require.NoError(t, os.WriteFile(filepath.Join(place, name), self, 0o755))
	}
	script := fmt.Sprintf("cd %s && export %s=3 && for p in *; do ./$p & done; wait; true", place, burnAs)
	got := measure(t, backend, func() {
		await(t, backend, 2)
		sh(t, group, script)
		sh(t, unlimited, script)
	})
	usedUs, excursionUs := map[string]int64{}, int64(0)
	for _, w := range got.of(group) {
		require.NotNil(t, w.ExcursionThreads)
		for _, thread := range w.ExcursionThreads {
			usedUs[thread.Comm] += thread.UsageUs
		}
		excursionUs += *w.ExcursionUs
	}
	t.Logf("%v, above the quota %d us", usedUs, excursionUs)
	require.Positive(t, excursionUs)
	require.NotContains(t, usedUs, "pool-17")
	for _, name := range []string{"pool-###", "pool-##", "pool-#", "other"} { // how much each gets, a busy host decides
		require.Positive(t, usedUs[name], name)
	}
	for _, w := range got.of(unlimited) {
		require.Nil(t, w.ExcursionThreads, "nothing is above a quota that is not there")
	}
}
