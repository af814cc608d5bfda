package cgroupfs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/stretchr/testify/require"
)

func fixture(t testing.TB, path ...string) []byte {
	text, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	require.NoError(t, err)
	return text
}

func TestRecordedV1Tree(t *testing.T) {
	const tree = "linux-6.18-v1"
	stat, err := ParseCPUStat(fixture(t, tree, "cpu", "cpu.stat"))
	require.NoError(t, err)
	require.Equal(t, CPUStat{
		Periods: 15, ThrottledPeriods: 14, ThrottledNs: 1_081_245_383, HasBandwidth: true,
		Bursts: 2, BurstUsedNs: 10_000_000, HasBursts: true,
	}, stat)
	limit, limited, err := ParseCFSQuota(
		fixture(t, tree, "cpu", "cpu.cfs_quota_us"), fixture(t, tree, "cpu", "cpu.cfs_period_us"))
	require.NoError(t, err)
	require.True(t, limited)
	require.Equal(t, cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 100_000}, limit)
	for file, want := range map[string]int64{
		"cpu/cpu.cfs_burst_us": 10_000, "cpu/cpu.shares": 1024,
		"cpuacct/cpuacct.usage": 331_022_579, "pids/pids.current": 2,
	} {
		got, err := ParseCount(fixture(t, tree, file))
		require.NoError(t, err, file)
		require.Equal(t, want, got, file)
	}
}

func TestRecordedV2WithoutCPUController(t *testing.T) {
	stat, err := ParseCPUStat(fixture(t, "linux-6.18-v2", "cpu.stat"))
	require.NoError(t, err)
	require.Equal(t, CPUStat{UsageNs: 331_022_000, HasUsage: true}, stat)
}

func TestDocumentedV2Stat(t *testing.T) {
	stat, err := ParseCPUStat([]byte("usage_usec 7\nuser_usec 5\nsystem_usec 2\ncore_sched.force_idle_usec 0\n" +
		"nr_periods 3\nnr_throttled 2\nthrottled_usec 41\nnr_bursts 1\nburst_usec 9"))
	require.NoError(t, err)
	require.Equal(t, CPUStat{
		UsageNs: 7_000, HasUsage: true, Periods: 3, ThrottledPeriods: 2, ThrottledNs: 41_000, HasBandwidth: true,
		Bursts: 1, BurstUsedNs: 9_000, HasBursts: true,
	}, stat)
}

func TestOldKernelHasNoBursts(t *testing.T) {
	stat, err := ParseCPUStat([]byte("nr_periods 3\nnr_throttled 2\nthrottled_time 41\n"))
	require.NoError(t, err)
	require.True(t, stat.HasBandwidth)
	require.False(t, stat.HasBursts)
}

func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		text    string
		limit   cfs.Bandwidth
		limited bool
		refused bool
	}{
		{text: "50000 100000\n", limit: cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}, limited: true},
		{text: "max 100000\n", limit: cfs.Bandwidth{PeriodUs: 100_000}},
		{text: "max\n", refused: true},
		{text: "-1 100000\n", refused: true},
		{text: "0 100000\n", refused: true},
		{text: "50000 0\n", refused: true},
		{text: "50000 99999999999999999999\n", refused: true},
	} {
		limit, limited, err := ParseCPUMax([]byte(tc.text))
		if tc.refused {
			require.ErrorIs(t, err, ErrFormat, tc.text)
			continue
		}
		require.NoError(t, err, tc.text)
		require.Equal(t, tc.limit, limit)
		require.Equal(t, tc.limited, limited)
	}
	limit, limited, err := ParseCFSQuota([]byte("-1\n"), []byte("100000\n"))
	require.NoError(t, err)
	require.False(t, limited)
	require.Equal(t, int64(100_000), limit.PeriodUs)
	_, _, err = ParseCFSQuota([]byte("-2\n"), []byte("100000\n"))
	require.ErrorIs(t, err, ErrFormat)
	_, _, err = ParseCFSQuota([]byte("1000\n"), []byte("0\n"))
	require.ErrorIs(t, err, ErrFormat)
	require.Equal(t, []int64{1024, 10, 512, 102400}, []int64{
		SharesOfWeight(100), SharesOfWeight(1), SharesOfWeight(50), SharesOfWeight(10000)})
}

func TestCpuset(t *testing.T) {
	cpus, present, err := ParseCpuset([]byte("0-3,8\n"))
	require.NoError(t, err)
	require.True(t, present)
	require.Equal(t, "0-3,8", cpus)
	_, present, err = ParseCpuset([]byte("\n"))
	require.NoError(t, err)
	require.False(t, present)
	_, _, err = ParseCpuset([]byte("all\n"))
	require.ErrorIs(t, err, ErrFormat)
	for list, want := range map[string]int32{"0-3,8": 5, "": 0, "7": 1, "0-87": 88, "0,2,4-5": 4} {
		count, err := CountCpus(list)
		require.NoError(t, err, list)
		require.Equal(t, want, count, list)
	}
	for _, list := range []string{"3-0", "0-3,2", "1,,2", "-1", "1-", ",", "0-65536", "99999999999999999999"} {
		_, err := CountCpus(list)
		require.ErrorIs(t, err, ErrFormat, list)
	}
}

func TestRecordedProc(t *testing.T) {
	stat, err := ParseProcStat(bytes.NewReader(fixture(t, "proc-linux-6.18", "stat")))
	require.NoError(t, err)
	require.Equal(t, ProcStat{IrqUs: 2_230_000, StealUs: 890_000, ContextSwitches: 995_996, Cpus: 2}, stat)
	load, err := ParseLoadavg(fixture(t, "proc-linux-6.18", "loadavg"))
	require.NoError(t, err)
	require.Equal(t, Loadavg{RunnableThreads: 3, Threads: 110}, load)
	pages, err := ResidentPages([]byte("5213 1604 1022 3 0 900 0\n"))
	require.NoError(t, err)
	require.Equal(t, int64(1604), pages)
}

func TestProcStatWithAVeryLongIntrLine(t *testing.T) {
	text := "cpu  1 0 0 0 0 2 3 4 0 0\ncpu0 1 0 0 0 0 2 3 4 0 0\nintr " + strings.Repeat("0 ", 100_000) + "\nctxt 9\n"
	stat, err := ParseProcStat(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, ProcStat{IrqUs: 50_000, StealUs: 40_000, ContextSwitches: 9, Cpus: 1}, stat)
	_, err = ParseProcStat(strings.NewReader("cpu 1 2 3\n"))
	require.ErrorIs(t, err, ErrFormat)
	_, err = ParseProcStat(strings.NewReader(""))
	require.ErrorIs(t, err, ErrFormat)
}

func TestHierarchies(t *testing.T) {
	recorded := string(fixture(t, "proc-linux-6.18", "mountinfo"))
	systemdHybrid := "33 31 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" +
		"34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 master:2 - cgroup cgroup rw,cpu,cpuacct\n"
	for _, tc := range []struct {
		name, mountinfo, controllers string
		want                         Trees
	}{
		{"recorded: three v1 trees beside an empty v2", recorded, "", Trees{
			Version: Hybrid, CPU: "/sys/fs/cgroup/cpu", Usage: "/sys/fs/cgroup/cpuacct",
			Pids: "/sys/fs/cgroup/pids", Cpuset: "/sys/fs/cgroup/cpuset"}},
		{"systemd hybrid with a joint v1 mount", systemdHybrid, "", Trees{
			Version: Hybrid, CPU: "/sys/fs/cgroup/cpu,cpuacct", Usage: "/sys/fs/cgroup/cpu,cpuacct"}},
		{"v1 only", "34 31 0:31 / /cg/cpu ro - cgroup cgroup rw,cpu,cpuacct\n", "", Trees{
			Version: V1, CPU: "/cg/cpu", Usage: "/cg/cpu"}},
		{"v2", "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "cpuset cpu io memory pids\n", Trees{
			Version: V2, CPU: "/sys/fs/cgroup", Usage: "/sys/fs/cgroup", Pids: "/sys/fs/cgroup", Cpuset: "/sys/fs/cgroup"}},
		{"v2 with a blank in its path", `29 23 0:26 / /a\040b rw - cgroup2 cgroup2 rw` + "\n", "cpu\n", Trees{
			Version: V2, CPU: "/a b", Usage: "/a b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			mounts, err := ParseMountinfo(strings.NewReader(tc.mountinfo))
			require.NoError(t, err)
			trees, err := Resolve(mounts, tc.controllers)
			require.NoError(t, err)
			require.Equal(t, tc.want, trees)
		})
	}
	_, err := Resolve(nil, "")
	require.ErrorIs(t, err, ErrNoHierarchy)
	_, err = ParseMountinfo(strings.NewReader("nonsense\n"))
	require.ErrorIs(t, err, ErrFormat)
}

func TestHotParsersAllocateNothing(t *testing.T) {
	stat, usage := fixture(t, "linux-6.18-v1", "cpu", "cpu.stat"), fixture(t, "linux-6.18-v1", "cpuacct", "cpuacct.usage")
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		_, _ = ParseCPUStat(stat)
		_, _ = ParseCount(usage)
	}))
}
