package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteTable prints the truth for people, one line per shard.
func (t Truth) WriteTable(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "service\tshard\tquota cores\tthreads\tused cores\tthrottled periods\tratio\tdepth ms\toffered\tgiven up\tp50 ms\tp99 ms\t")
	var total float64
	for _, service := range t.Services {
		for _, shard := range service.Shards {
			total += shard.UsedCores
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%.3f\t%d/%d\t%s\t%s\t%s\n", service.Service, shard.Shard, quotaText(shard),
				shard.Threads, shard.UsedCores, shard.Deltas.ThrottledPeriods, shard.Deltas.Periods, ratioText(shard),
				depthText(shard), requestsText(shard))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	seconds := float64(t.LoadEndedUs-t.LoadStartedUs) / 1e6
	_, err := fmt.Fprintf(out, "all shards used %.2f cores over %.0f s; kernel %s, cgroup v%d, seed %d\n",
		total, seconds, t.KernelRelease, t.CgroupVersion, t.Seed)
	return err
}

func quotaText(s ShardTruth) string {
	if s.QuotaUs == nil {
		return "unlimited"
	}
	return fmt.Sprintf("%.2f", float64(*s.QuotaUs)/float64(*s.PeriodUs))
}

func ratioText(s ShardTruth) string {
	if s.ThrottledPeriodRatio == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100**s.ThrottledPeriodRatio)
}

func depthText(s ShardTruth) string {
	if s.Deltas.ThrottledPeriods == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(s.Deltas.ThrottledUs)/float64(s.Deltas.ThrottledPeriods)/1000)
}

func requestsText(s ShardTruth) string {
	if s.Requests == nil || s.Latency == nil {
		return "-\t-\t-\t-\t"
	}
	return fmt.Sprintf("%d\t%d\t%.0f\t%.0f\t", s.Requests.Offered, s.Requests.GivenUp,
		float64(s.Latency.P50Us)/1000, float64(s.Latency.P99Us)/1000)
}
