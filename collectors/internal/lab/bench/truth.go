package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/client"
	"github.com/quotascope/quotascope/collectors/internal/lab/latency"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
)

// Truth is what the lab knows about its own run. All instants are microseconds since 1970, UTC.
type Truth struct {
	FormatVersion int `json:"format_version"`
	// Final is true when every task has ended and every counter has been read for the last time.
	Final         bool   `json:"final"`
	Cluster       string `json:"cluster"`
	Seed          uint64 `json:"seed"`
	WrittenAtUs   int64  `json:"written_at_us"`
	LoadStartedUs int64  `json:"load_started_at_us"`
	// LoadEndedUs and LastTaskEndedUs are 0 while the run still goes on.
	LoadEndedUs     int64          `json:"load_ended_at_us"`
	LastTaskEndedUs int64          `json:"last_task_ended_at_us"`
	CgroupVersion   int            `json:"cgroup_version"`
	KernelRelease   string         `json:"kernel_release"`
	Cpus            int            `json:"cpus"`
	StepsPerMs      int64          `json:"burn_steps_per_ms"`
	Services        []ServiceTruth `json:"services"`
	Changes         []Change       `json:"changes"`
}

// ServiceTruth is one service: all its shards, and their latencies merged.
type ServiceTruth struct {
	Service string `json:"service"`
	Lesson  string `json:"lesson"`
	// Latency is null for a service that nobody asks.
	Latency *latency.Summary `json:"latency"`
	Shards  []ShardTruth     `json:"shards"`
}

// ShardTruth is one shard.
type ShardTruth struct {
	Shard      string       `json:"shard"`
	CgroupPath string       `json:"cgroup_path"`
	CgroupDirs []cgroup.Dir `json:"cgroup_dirs"`
	// CreatedAtUs is just before the cgroup was made.
	CreatedAtUs int64 `json:"created_at_us"`
	// QuotaUs null means unlimited; PeriodUs is null with it.
	QuotaUs   *int64 `json:"quota_us"`
	PeriodUs  *int64 `json:"period_us"`
	CpuShares int64  `json:"cpu_shares"`
	// Threads are the worker threads asked for; Tasks all tasks that the kernel counted in the
	// cgroup while load was offered, those of the Go runtime included (null before the first count).
	Threads      int     `json:"threads"`
	Tasks        *int64  `json:"tasks"`
	LoadMultiple float64 `json:"load_multiple"`
	TimeoutUs    *int64  `json:"timeout_us"`
	Retries      *int    `json:"retries"`
	// Requests and Latency are null for a shard that nobody asks.
	Requests *client.Counts   `json:"requests"`
	Latency  *latency.Summary `json:"latency"`
	// OfferedCores and UsedCores are offered work and kernel usage over the time of the load so far.
	OfferedCores *float64 `json:"offered_cores"`
	UsedCores    float64  `json:"used_cores"`
	// Report is the shard's own account, null until it has ended or if it had to be killed.
	Report *shard.Report   `json:"report"`
	Before cgroup.Counters `json:"kernel_before"`
	After  cgroup.Counters `json:"kernel_after"`
	Deltas cgroup.Deltas   `json:"kernel"`
	// ThrottledPeriodRatio is null when no period elapsed.
	ThrottledPeriodRatio *float64 `json:"throttled_period_ratio"`
}

// Change is a change made while the lab ran. Fields that were not changed are null; Unlimited
// says that the quota was lifted.
type Change struct {
	AtUs         int64    `json:"at_us,omitempty"`
	Service      string   `json:"service"`
	QuotaUs      *int64   `json:"quota_us"`
	PeriodUs     *int64   `json:"period_us"`
	Unlimited    bool     `json:"unlimited"`
	Threads      *int     `json:"threads"`
	LoadMultiple *float64 `json:"load_multiple"`
}

// WriteFile replaces the file by the truth as JSON in one step: a reader sees the old one or the
// new one, never half of it.
func (t Truth) WriteFile(path string) error {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("--truth %s: %w", path, err)
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(append(text, '\n')); err != nil {
		file.Close()
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
