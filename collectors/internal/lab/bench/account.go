package bench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/latency"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

const truthFormatVersion = 1

func nowUs() int64 { return time.Now().UnixMicro() }

// truth gives the account of the run so far. Unless the run is over it reads the counters now.
func (l *lab) truth(final bool) (Truth, error) {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return Truth{}, err
	}
	account := Truth{FormatVersion: truthFormatVersion, Final: final, Cluster: workload.Cluster, Seed: l.options.Seed,
		WrittenAtUs: nowUs(), LoadStartedUs: l.loadStartedUs, LoadEndedUs: l.loadEndedUs, LastTaskEndedUs: l.lastTaskEndedUs,
		CgroupVersion: l.folder.Layout.Version, KernelRelease: strings.TrimSpace(string(release)), Cpus: runtime.NumCPU(),
		StepsPerMs: l.speed.StepsPerMs, Changes: append([]Change{}, l.changes...)}
	for start := 0; start < len(l.members); {
		end := start
		for end < len(l.members) && l.members[end].service.Name == l.members[start].service.Name {
			end++
		}
		service, err := l.serviceTruth(l.members[start:end], final)
		if err != nil {
			return Truth{}, err
		}
		account.Services = append(account.Services, service)
		start = end
	}
	return account, nil
}

func (l *lab) serviceTruth(shards []*member, final bool) (ServiceTruth, error) {
	service := ServiceTruth{Service: shards[0].service.Name, Lesson: shards[0].service.Lesson}
	var merged latency.Histogram
	for _, m := range shards {
		if !final {
			if err := m.countTasks(); err != nil {
				return service, err
			}
			counters, err := m.group.Read()
			if err != nil {
				return service, err
			}
			m.after = counters
		}
		shard := m.truth(l.loadWallUs())
		if m.client != nil {
			_, times := m.client.Snapshot()
			merged.Merge(&times)
		}
		service.Shards = append(service.Shards, shard)
	}
	service.Latency = summaryOf(&merged)
	return service, nil
}

// loadWallUs is how long load has been offered, at least a microsecond.
func (l *lab) loadWallUs() int64 {
	end := l.loadEndedUs
	if end == 0 {
		end = nowUs()
	}
	return max(1, end-l.loadStartedUs)
}

func (m *member) truth(loadWallUs int64) ShardTruth {
	deltas := m.after.Since(m.before)
	shard := ShardTruth{Shard: m.shardName, CgroupPath: m.group.Path, CgroupDirs: m.group.Dirs, CreatedAtUs: m.createdAtUs,
		CpuShares: m.limits.CpuShares, Threads: m.threads, Tasks: m.tasks, LoadMultiple: m.load(), Report: m.report,
		Before: m.before, After: m.after, Deltas: deltas, UsedCores: float64(deltas.UsageUs) / float64(loadWallUs)}
	if limit := m.limits.Bandwidth; limit != nil {
		shard.QuotaUs, shard.PeriodUs = &limit.QuotaUs, &limit.PeriodUs
	}
	if ratio, any := deltas.ThrottledPeriodRatio(); any {
		shard.ThrottledPeriodRatio = &ratio
	}
	if traffic := m.service.Traffic; traffic != nil {
		shard.TimeoutUs, shard.Retries = &traffic.TimeoutUs, &traffic.Retries
		counts, times := m.client.Snapshot()
		cores := float64(counts.OfferedWorkUs) / float64(loadWallUs)
		shard.Requests, shard.Latency, shard.OfferedCores = &counts, summaryOf(&times), &cores
	}
	return shard
}

func summaryOf(times *latency.Histogram) *latency.Summary {
	if summary, any := times.Summary(); any {
		return &summary
	}
	return nil
}

// writeSnapshot answers SIGUSR1.
func (l *lab) writeSnapshot() {
	if l.options.TruthPath == "" {
		l.options.logf("SIGUSR1 ignored: no --truth file was given")
		return
	}
	account, err := l.truth(false)
	if err == nil {
		err = account.WriteFile(l.options.TruthPath)
	}
	if err != nil {
		l.options.logf("truth not written: %v", err)
		return
	}
	l.options.logf("truth so far written to %s", l.options.TruthPath)
}

// publish writes the final truth and prints its table.
func (l *lab) publish() error {
	account, err := l.truth(true)
	if err != nil {
		return err
	}
	if l.options.TruthPath != "" {
		if err := account.WriteFile(l.options.TruthPath); err != nil {
			return fmt.Errorf("the run is complete, but: %w", err)
		}
		l.options.logf("truth written to %s", l.options.TruthPath)
	}
	return account.WriteTable(l.options.Table)
}
