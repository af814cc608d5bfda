package kernelrun

import (
	"bufio"
	"fmt"
	"io"
)

// Recording is what a kernel made of one plan. All times are microseconds.
type Recording struct {
	Plan
	KernelRelease string
	CgroupVersion int
	TickHz        int
	Cpus          int
	// LoadAverage is the machine's just before the service started: other load is part of what the
	// kernel shows and none of what the simulator knows.
	LoadAverage float64
	// UsageUs is the cgroup's; OverheadUs of it was not spent inside of tasks.
	UsageUs          int64
	OverheadUs       int64
	Periods          int64
	ThrottledPeriods int64
	ThrottledUs      int64
	// Rows are [arrival, answered or -1, first attempt failed 0 or 1, CPU time of each task ...].
	Rows [][]int64
}

// WriteTo writes a recording as text: a line of "run" and key=value pairs, then a line of numbers
// for each request. Recordings follow each other in a file.
func (recording Recording) WriteTo(out io.Writer) (int64, error) {
	lines := bufio.NewWriter(out)
	r := recording
	written, err := fmt.Fprintf(lines, "run name=%s kernel_release=%s cgroup_version=%d tick_hz=%d cpus=%d load_average=%.1f "+
		"quota_us=%d period_us=%d burst_us=%d threads=%d timeout_us=%d retries=%d horizon_us=%d utilization=%.2f "+
		"usage_us=%d overhead_us=%d periods=%d throttled_periods=%d throttled_us=%d\n",
		r.Name, r.KernelRelease, r.CgroupVersion, r.TickHz, r.Cpus, r.LoadAverage,
		r.QuotaUs, r.PeriodUs, r.BurstUs, r.Threads, r.TimeoutUs, r.Retries, r.HorizonUs, r.Utilization,
		r.UsageUs, r.OverheadUs, r.Periods, r.ThrottledPeriods, r.ThrottledUs)
	if err != nil {
		return int64(written), err
	}
	for _, row := range r.Rows {
		for i, number := range row {
			separator := " "
			if i == len(row)-1 {
				separator = "\n"
			}
			more, err := fmt.Fprintf(lines, "%d%s", number, separator)
			written += more
			if err != nil {
				return int64(written), err
			}
		}
	}
	return int64(written), lines.Flush()
}
