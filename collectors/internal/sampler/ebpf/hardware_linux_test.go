package ebpf

import (
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// clocks are counters that every kernel has: nanoseconds of a CPU, in place of its cycles and of its instructions.
var clocks = [2]counter{
	{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CPU_CLOCK},
	{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CPU_CLOCK},
}

// TestCountsGoToTheCgroupThatRanAndToItsSide lets one thread burn against a third of a CPU: a clock of its CPU advances by what
// the cgroup used, nearly all of it in slices above the quota, and by nothing while others run or nobody does.
func TestCountsGoToTheCgroupThatRanAndToItsSide(t *testing.T) {
	folder := home(t)
	o := options(t, folder)
	o.HardwareCounters, o.counters = true, &clocks
	backend := newOrSkip(t, o)
	require.NotNil(t, backend.kernel.settings.counters, "every kernel has clocks")
	group, err := folder.Create("load", "a1", cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: 33_000, PeriodUs: 100_000}, CpuShares: 1024})
	require.NoError(t, err)
	resting := create(t, folder, "load", "a2")
	got := measure(t, backend, func() {
		await(t, backend, 2)
		sh(t, group, "timeout 2.5 sh -c 'while :; do :; done'; true")
	})
	var usageUs, above, below, done int64
	for _, w := range got.of(group) {
		usageUs += w.SampledUsageUs
		above, below = above+*w.CyclesAboveQuota, below+*w.CyclesBelowQuota
		done += *w.InstructionsAboveQuota + *w.InstructionsBelowQuota
	}
	t.Logf("%d us used; %d us counted above the quota, %d us below", usageUs, above/1000, below/1000)
	require.Greater(t, usageUs, int64(300_000))
	require.InEpsilon(t, usageUs*1000, above+below, 0.2, "what is lost at switches grows with how often a busy host switches")
	require.InEpsilon(t, above+below, done, 0.01, "both count the same clock")
	require.Greater(t, above, 3*below, "a thread that runs uses a whole CPU")
	for _, w := range got.of(resting) {
		require.Equal(t, []int64{0, 0}, []int64{*w.CyclesAboveQuota, *w.CyclesBelowQuota}, "measured, and nothing")
	}
}

// TestWithoutCountersNothingIsStatedAndTheLogSaysWhy asks for a counter that no processor has.
func TestWithoutCountersNothingIsStatedAndTheLogSaysWhy(t *testing.T) {
	folder := home(t)
	o := options(t, folder)
	log := &countingLog{testLog: testLog{t}}
	o.HardwareCounters, o.counters, o.Log = true, &[2]counter{{kind: 9999}, {kind: 9999}}, log
	backend := newOrSkip(t, o)
	group := create(t, folder, "load", "a1")
	got := measure(t, backend, func() {
		await(t, backend, 1)
		time.Sleep(100 * time.Millisecond)
	})
	require.NotEmpty(t, got.of(group))
	require.Nil(t, got.of(group)[0].CyclesAboveQuota)
	require.True(t, log.said, "nobody was told")
}

// countingLog notices that counters are missing.
type countingLog struct {
	testLog
	said bool
}

func (l *countingLog) Infof(format string, args ...any) {
	l.said = l.said || strings.Contains(format, "cycles and instructions are not counted")
	l.testLog.Infof(format, args...)
}
