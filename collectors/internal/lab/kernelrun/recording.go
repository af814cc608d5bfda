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
	// Samples are the counters every 10 ms; empty unless they were asked for.
	Samples []Sample
}

const (
	collapsedAbove = 0.3
	judgedFrom     = 0.6
)

// Collapsed says whether more than 30 % of the first attempts of the last 40 % of the run failed.
func (recording Recording) Collapsed() bool {
	var judged, failed int
	for _, row := range recording.Rows {
		if float64(row[0]) < judgedFrom*float64(recording.HorizonUs) || row[0] >= recording.HorizonUs-recording.TimeoutUs {
			continue
		}
		judged++
		failed += int(row[2])
	}
	return float64(failed) > collapsedAbove*float64(judged)
}

// WriteTo writes a recording as text: a line of "run" and key=value pairs, then a line of numbers
// for each sample, if there are any, that begins with "sample", and one for each request. Recordings follow each other in a file.
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
	for _, sample := range r.Samples {
		more, err := fmt.Fprintf(lines, "sample %d %d %d %d %d\n", sample.ElapsedUs, sample.UsageUs, sample.Periods,
			sample.ThrottledPeriods, sample.ThrottledUs)
		written += more
		if err != nil {
			return int64(written), err
		}
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
