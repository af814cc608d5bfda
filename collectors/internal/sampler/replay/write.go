package replay

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Write writes a trace in the form that Parse reads.
func (t *Trace) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%s\n# kernel %s\n# cgroup_version %s\n# tick_hz %d\n# cpus %d\n", magic, t.Kernel, t.Version, t.TickHz, t.Cpus)
	if t.About != "" {
		fmt.Fprintf(w, "# about %s\n", t.About)
	}
	for i, cgroup := range t.Cgroups {
		fmt.Fprintf(w, "# cgroup %d %s", i+1, cgroup.Path)
		if cgroup.Limits.Limited {
			fmt.Fprintf(w, " quota_us=%d", cgroup.Limits.Limit.QuotaUs)
		}
		for _, setting := range []struct {
			name  string
			value *int64
		}{{"period_us", cgroup.Limits.PeriodUs}, {"burst_us", cgroup.Limits.BurstUs}, {"cpu_shares", cgroup.Limits.CPUShares}} {
			if setting.value != nil {
				fmt.Fprintf(w, " %s=%d", setting.name, *setting.value)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, columns)
	for slot := range t.Slots + 1 {
		for i, cgroup := range t.Cgroups {
			if slot < int64(len(cgroup.Readings)) && cgroup.Readings[slot] != nil {
				writeRow(w, slot, i+1, cgroup.Readings[slot])
			}
		}
	}
	return w.Flush()
}

func writeRow(w io.Writer, slot int64, cgroup int, r *Reading) {
	bandwidth, bursts, threads := ",,", ",", ""
	if r.Stat.HasBandwidth {
		bandwidth = fmt.Sprintf("%d,%d,%d", r.Stat.Periods, r.Stat.ThrottledPeriods, r.Stat.ThrottledNs)
	}
	if r.Stat.HasBursts {
		bursts = fmt.Sprintf("%d,%d", r.Stat.Bursts, r.Stat.BurstUsedNs)
	}
	if r.Threads != nil {
		threads = strconv.FormatInt(*r.Threads, 10)
	}
	fmt.Fprintf(w, "%d,%d,%d,%d,%d,%s,%s,%s\n", slot, cgroup, r.AtNs, r.LateUs, r.UsageNs, bandwidth, bursts, threads)
}
