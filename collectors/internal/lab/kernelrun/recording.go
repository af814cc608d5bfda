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
	// OtherCores is what others took of the machine during the run, StealCores of it what the host of a
	// virtual machine took. Clients and sampler are others too; they take about 0.03.
	OtherCores, StealCores float64
	Accounts               []Account
	// Rows are [arrival, answered or -1, first attempt failed 0 or 1, work of each task ...]; work is CPU time over
	// its price.
	Rows [][]int64
}

// Account is what the kernel counted of one shard.
type Account struct {
	// UsageUs is the cgroup's; OverheadUs of it was not spent inside of tasks.
	UsageUs          int64
	OverheadUs       int64
	Periods          int64
	ThrottledPeriods int64
	ThrottledUs      int64
	// LeftUs is when clients left the shard for dead; -1 when they never did.
	LeftUs int64
	// Samples are the counters every 10 ms; empty unless they were asked for.
	Samples []Sample
}

// disturbedCores is what others may take of the machine before a run counts as disturbed: a service of
// many threads then no longer gets its CPUs when it wants them.
const disturbedCores = 0.25

// Disturbed says whether others took so much of the machine that the run says little about quotas.
func (recording Recording) Disturbed() bool { return recording.OtherCores > disturbedCores }

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

// WriteTo writes a recording as text: for each shard a line of "run" and key=value pairs, then a line of
// numbers for each sample, if there are any, that begins with "sample", and one for each request that was
// meant for the shard. Recordings follow each other in a file.
func (recording Recording) WriteTo(out io.Writer) (int64, error) {
	lines := &countingWriter{out: bufio.NewWriter(out)}
	for shard, account := range recording.Accounts {
		recording.writeHead(lines, shard, account)
		for _, sample := range account.Samples {
			fmt.Fprintf(lines, "sample %d %d %d %d %d\n", sample.ElapsedUs, sample.UsageUs, sample.Periods,
				sample.ThrottledPeriods, sample.ThrottledUs)
		}
		for number, row := range recording.Rows {
			if recording.Requests[number].Home != shard {
				continue
			}
			for i, cell := range row {
				separator := " "
				if i == len(row)-1 {
					separator = "\n"
				}
				fmt.Fprintf(lines, "%d%s", cell, separator)
			}
		}
	}
	return lines.written, lines.out.Flush()
}

func (recording Recording) writeHead(out io.Writer, shard int, account Account) {
	r := recording
	fmt.Fprintf(out, "run name=%s shard=%d shards=%d kernel_release=%s cgroup_version=%d tick_hz=%d cpus=%d load_average=%.1f "+
		"other_cores=%.2f steal_cores=%.2f disturbed=%t "+
		"quota_us=%d period_us=%d burst_us=%d threads=%d timeout_us=%d retries=%d horizon_us=%d utilization=%.3f "+
		"kappa=%g usage_us=%d overhead_us=%d periods=%d throttled_periods=%d throttled_us=%d left_us=%d\n",
		r.Name, shard, len(r.Accounts), r.KernelRelease, r.CgroupVersion, r.TickHz, r.Cpus, r.LoadAverage,
		r.OtherCores, r.StealCores, r.Disturbed(),
		r.QuotaUs, r.PeriodUs, r.BurstUs, r.Threads, r.TimeoutUs, r.Retries, r.HorizonUs, r.Utilization, r.Kappa,
		account.UsageUs, account.OverheadUs, account.Periods, account.ThrottledPeriods, account.ThrottledUs, account.LeftUs)
}

// countingWriter counts what was written; errors wait in the buffered writer until it is flushed.
type countingWriter struct {
	out     *bufio.Writer
	written int64
}

func (c *countingWriter) Write(text []byte) (int, error) {
	count, err := c.out.Write(text)
	c.written += int64(count)
	return count, err
}
