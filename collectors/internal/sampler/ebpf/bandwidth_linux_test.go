package ebpf

import (
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// TestTheKernelsBandwidthStructureSaysWhatCpuStatSays reads it for a throttled cgroup, with the phase of its periods.
func TestTheKernelsBandwidthStructureSaysWhatCpuStatSays(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	var group *cgroup.Group
	var rested cgroup.Counters
	got := measure(t, backend, func() {
		var err error // born while the back end watches, so that all its counters count from nothing
		group, err = folder.Create("load", "a1", cgroup.Limits{
			Bandwidth: &cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 100_000}, CpuShares: 1024})
		require.NoError(t, err)
		await(t, backend, 1)
		sh(t, group, "timeout 2.6 sh -c 'while :; do :; done'; true")
		rested.Periods = -1
		require.Eventually(t, func() bool { // the timer counts idle periods until it rests, late in a starved guest
			counters, err := group.Read()
			same := err == nil && counters.Periods == rested.Periods
			rested = counters
			return same
		}, 30*time.Second, 500*time.Millisecond)
	})
	counters, err := group.Read()
	require.NoError(t, err)
	var periods, throttled, throttledUs, wallUs, runs, longest int64
	var last *usagewindow.Window
	for _, w := range got.of(group) {
		last = w
		periods, throttled, throttledUs = periods+*w.Periods, throttled+*w.ThrottledPeriods, throttledUs+*w.ThrottledUs
		wallUs += *w.ThrottledWallUs
		require.NotNil(t, w.ThrottledRuns, "periods were seen one by one")
		runs, longest = runs+int64(*w.ThrottledRuns), max(longest, int64(*w.ThrottledRunPeriodsMax))
	}
	// The last reading lies between the two of ours, which differ where the timer counted later still.
	for _, c := range [][3]int64{
		{rested.Periods, periods, counters.Periods},
		{rested.ThrottledPeriods, throttled, counters.ThrottledPeriods},
		{rested.ThrottledUs, throttledUs, counters.ThrottledUs},
	} {
		require.True(t, c[0] <= c[1] && c[1] <= c[2], "%v", c)
	}
	require.Greater(t, throttled, int64(10))
	// One thread is throttled on one CPU or, when it was moved, on two, so wall time is between half of the sum and the sum.
	require.Greater(t, wallUs*21/10, throttledUs)
	require.Less(t, wallUs, throttledUs*21/20+20_000)
	require.Positive(t, runs)
	require.Greater(t, longest, int64(2))
	require.NotNil(t, last.PeriodPhaseUs)
	require.GreaterOrEqual(t, *last.PeriodPhaseUs, int32(0))
	require.Less(t, *last.PeriodPhaseUs, int32(100_000))
	t.Logf("periods %d, throttled %d, runs %d, longest %d, phase %d us", periods, throttled, runs, longest,
		*last.PeriodPhaseUs)
}
