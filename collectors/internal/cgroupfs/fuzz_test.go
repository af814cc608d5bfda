package cgroupfs

import (
	"bytes"
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
