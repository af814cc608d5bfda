package cgroupfs

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzParseCPUStat(f *testing.F) {
	f.Add(fixture(f, "linux-6.18-v1", "cpu", "cpu.stat"))
	f.Add(fixture(f, "linux-6.18-v2", "cpu.stat"))
	f.Add([]byte("nr_periods 9223372036854775808\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		stat, err := ParseCPUStat(text)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			require.Equal(t, CPUStat{}, stat)
			return
		}
		require.False(t, min(stat.UsageNs, stat.Periods, stat.ThrottledPeriods, stat.ThrottledNs, stat.Bursts, stat.BurstUsedNs) < 0)
	})
}

func FuzzParseLimits(f *testing.F) {
	f.Add([]byte("50000 100000\n"), []byte("100000\n"))
	f.Add([]byte("max 100000\n"), []byte("100000\n"))
	f.Add([]byte("-1\n"), []byte("100000\n"))
	f.Fuzz(func(t *testing.T, quota, period []byte) {
		if limit, limited, err := ParseCPUMax(quota); err == nil {
			require.Positive(t, limit.PeriodUs)
			require.Equal(t, limited, limit.QuotaUs > 0)
		}
		if limit, limited, err := ParseCFSQuota(quota, period); err == nil {
			require.Positive(t, limit.PeriodUs)
			require.Equal(t, limited, limit.QuotaUs > 0)
		}
	})
}

func FuzzParseProc(f *testing.F) {
	f.Add(fixture(f, "proc-linux-6.18", "stat"))
	f.Add(fixture(f, "proc-linux-6.18", "loadavg"))
	f.Add(fixture(f, "proc-linux-6.18", "mountinfo"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if stat, err := ParseProcStat(bytes.NewReader(text)); err == nil {
			require.False(t, min(stat.IrqUs, stat.StealUs, stat.ContextSwitches) < 0)
			require.Positive(t, stat.Cpus)
		}
		if load, err := ParseLoadavg(text); err == nil {
			require.False(t, min(load.RunnableThreads, load.Threads) < 0)
		}
		if mounts, err := ParseMountinfo(bytes.NewReader(text)); err == nil {
			for _, mount := range mounts {
				require.True(t, mount.Unified || len(mount.Controllers) > 0)
			}
		}
	})
}

func FuzzCpuset(f *testing.F) {
	f.Add([]byte("0-3,8\n"))
	f.Add([]byte("\n"))
	f.Add([]byte("8,0-3\n"))
	f.Add([]byte("0-65535\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, present, err := ParseCpuset(text)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			require.False(t, present)
			return
		}
		count, err := CountCpus(list)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			require.Zero(t, count)
			return
		}
		// Counted another way: one CPU at a time, as the kernel's documentation reads.
		cpus := map[int]bool{}
		for _, group := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
			var first, last int
			if n, _ := fmt.Sscanf(group, "%d-%d", &first, &last); n == 1 {
				last = first
			}
			for cpu := first; cpu <= last; cpu++ {
				cpus[cpu] = true
			}
		}
		require.Len(t, cpus, int(count), list)
	})
}

func FuzzParseCount(f *testing.F) {
	f.Add([]byte("331022579\n"))
	f.Add([]byte("9223372036854775808\n"))
	f.Add([]byte("5213 1604 1022 3 0 900 0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if count, err := ParseCount(text); err == nil {
			want, err := strconv.ParseInt(strings.TrimSuffix(string(text), "\n"), 10, 64)
			require.NoError(t, err)
			require.Equal(t, want, count)
		}
		if pages, err := ResidentPages(text); err == nil {
			require.GreaterOrEqual(t, pages, int64(0))
		}
	})
}

func FuzzResolve(f *testing.F) {
	f.Add(fixture(f, "proc-linux-6.18", "mountinfo"), "cpu io memory pids")
	f.Add([]byte("29 23 0:26 / /a\\040b rw - cgroup2 cgroup2 rw\n"), "")
	f.Fuzz(func(t *testing.T, mountinfo []byte, controllers string) {
		mounts, err := ParseMountinfo(bytes.NewReader(mountinfo))
		if err != nil {
			return
		}
		trees, err := Resolve(mounts, controllers)
		if err != nil {
			require.ErrorIs(t, err, ErrNoHierarchy)
			return
		}
		points := map[string]bool{"": true}
		for _, mount := range mounts {
			points[mount.Point] = true
		}
		for _, point := range []string{trees.CPU, trees.Usage, trees.Pids, trees.Cpuset} {
			require.True(t, points[point], "%q is no mount", point)
		}
	})
}
