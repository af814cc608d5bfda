// Package usagewindow holds the records that a collector sends, builds them from readings, and is
// the only home of their map to telegraf.Metric and to Avro.
//
// Field names are the camel-cased field names of schemas/*.avsc, which state meaning, unit and what
// null stands for. A pointer or nil slice is the schema's null.
package usagewindow

// Origin says where the numbers of a record come from. The values are the schema's symbols.
type Origin string

// Origins that a collector can send.
const (
	OriginMeasured Origin = "measured"
	OriginReplayed Origin = "replayed"
)

// Method says how usage per sample was obtained. The values are the schema's symbols.
type Method string

// Methods that a collector can use.
const (
	MethodEbpf     Method = "ebpf"
	MethodTickPoll Method = "tick_poll"
	MethodReplay   Method = "replay"
)

// Time of the windows and of the samples in them.
const (
	WindowUs         int64 = 10_000_000
	SampleIntervalUs int64 = 10_000
	SlotsPerWindow         = WindowUs / SampleIntervalUs
)

// Window is CpuUsageWindow: one shard in one window of 10 s.
type Window struct {
	HostID     string `avro:"host_id"`
	AgentEpoch int64  `avro:"agent_epoch"`
	Seq        int64  `avro:"seq"`
	Cluster    string `avro:"cluster"`
	Origin     Origin `avro:"origin"`

	WindowStartUs int64  `avro:"window_start_us"`
	ShardID       int64  `avro:"shard_id"`
	Service       string `avro:"service"`
	Shard         string `avro:"shard"`

	SampleIntervalUs int32  `avro:"sample_interval_us"`
	Samples          int32  `avro:"samples"`
	MissedSamples    int32  `avro:"missed_samples"`
	LatenessUsMax    int32  `avro:"lateness_us_max"`
	Method           Method `avro:"method"`

	UsageUs        int64 `avro:"usage_us"`
	SampledUsageUs int64 `avro:"sampled_usage_us"`

	LayoutVersion    int32  `avro:"layout_version"`
	UsageHistogram   []byte `avro:"usage_histogram"`
	ExcursionSamples *int32 `avro:"excursion_samples"`
	ExcursionUs      *int64 `avro:"excursion_us"`
	SecondOrder      []byte `avro:"second_order"`

	QuotaUs          *int64 `avro:"quota_us"`
	PeriodUs         *int64 `avro:"period_us"`
	BurstUs          *int64 `avro:"burst_us"`
	AncestorQuotaUs  *int64 `avro:"ancestor_quota_us"`
	AncestorPeriodUs *int64 `avro:"ancestor_period_us"`

	Periods                *int64 `avro:"periods"`
	ThrottledPeriods       *int64 `avro:"throttled_periods"`
	ThrottledUs            *int64 `avro:"throttled_us"`
	Bursts                 *int64 `avro:"bursts"`
	BurstUsedUs            *int64 `avro:"burst_used_us"`
	ThrottledRuns          *int32 `avro:"throttled_runs"`
	ThrottledRunPeriodsMax *int32 `avro:"throttled_run_periods_max"`
	ThrottledWallUs        *int64 `avro:"throttled_wall_us"`

	Threads           *int64 `avro:"threads"`
	RunnableHistogram []byte `avro:"runnable_histogram"`

	Exemplar               []byte            `avro:"exemplar"`
	CyclesBelowQuota       *int64            `avro:"cycles_below_quota"`
	CyclesAboveQuota       *int64            `avro:"cycles_above_quota"`
	InstructionsBelowQuota *int64            `avro:"instructions_below_quota"`
	InstructionsAboveQuota *int64            `avro:"instructions_above_quota"`
	ExcursionThreads       []ExcursionThread `avro:"excursion_threads"`

	NearestAncestorQuotaUs   *int64 `avro:"nearest_ancestor_quota_us"`
	NearestAncestorPeriodUs  *int64 `avro:"nearest_ancestor_period_us"`
	AncestorPeriods          *int64 `avro:"ancestor_periods"`
	AncestorThrottledPeriods *int64 `avro:"ancestor_throttled_periods"`
	AncestorThrottledUs      *int64 `avro:"ancestor_throttled_us"`
	CpusAllowed              *int32 `avro:"cpus_allowed"`
	PeriodPhaseUs            *int32 `avro:"period_phase_us"`
}

// ExcursionThread is the CPU time of equally named threads in samples above quota.
type ExcursionThread struct {
	Comm    string `avro:"comm"`
	UsageUs int64  `avro:"usage_us"`
}

// HostWindow is one host in one window, sent even when it has no shard.
type HostWindow struct {
	HostID     string `avro:"host_id"`
	AgentEpoch int64  `avro:"agent_epoch"`
	Seq        int64  `avro:"seq"`
	Cluster    string `avro:"cluster"`
	Origin     Origin `avro:"origin"`

	WindowStartUs  int64  `avro:"window_start_us"`
	Samples        int32  `avro:"samples"`
	MissedSamples  int32  `avro:"missed_samples"`
	LayoutVersion  int32  `avro:"layout_version"`
	UsageHistogram []byte `avro:"usage_histogram"`
	UsageUs        *int64 `avro:"usage_us"`

	StealUs         *int64 `avro:"steal_us"`
	IrqUs           *int64 `avro:"irq_us"`
	Threads         *int64 `avro:"threads"`
	RunnableThreads *int64 `avro:"runnable_threads"`
	ContextSwitches *int64 `avro:"context_switches"`

	Cpus            int32  `avro:"cpus"`
	QuotaMillicores int64  `avro:"quota_millicores"`
	UnlimitedShards int32  `avro:"unlimited_shards"`
	ShareMillicores *int64 `avro:"share_millicores"`

	KernelRelease         string `avro:"kernel_release"`
	CgroupVersion         string `avro:"cgroup_version"`
	TickHz                *int32 `avro:"tick_hz"`
	Method                string `avro:"method"`
	SamplingUncertaintyUs int64  `avro:"sampling_uncertainty_us"`

	ShardRecords     int32            `avro:"shard_records"`
	ServiceRecords   []ServiceRecords `avro:"service_records"`
	UntrackedCgroups int32            `avro:"untracked_cgroups"`
	OverflowCgroups  int32            `avro:"overflow_cgroups"`

	AgentCPUUs    int64  `avro:"agent_cpu_us"`
	BpfRunUs      *int64 `avro:"bpf_run_us"`
	AgentRssBytes int64  `avro:"agent_rss_bytes"`
	BpfMapBytes   *int64 `avro:"bpf_map_bytes"`
	// SpoolBytes and Drops belong to the output: it sets them when it encodes the record.
	SpoolBytes int64            `avro:"spool_bytes"`
	Drops      map[string]int64 `avro:"drops"`

	ProtectionStep       int32   `avro:"protection_step"`
	ProtectionReason     *string `avro:"protection_reason"`
	BudgetSkippedCgroups int32   `avro:"budget_skipped_cgroups"`
	ShortLivedCgroups    int32   `avro:"short_lived_cgroups"`
	ShortLivedUsageUs    *int64  `avro:"short_lived_usage_us"`
	ClockSteps           int32   `avro:"clock_steps"`
	LateWindows          int32   `avro:"late_windows"`
	// FirstRecords are of the window before.
	FirstRecords []ServiceRecords `avro:"first_records"`
}

// ServiceRecords counts the Window records sent for one service and bandwidth setting.
type ServiceRecords struct {
	Service      string `avro:"service"`
	QuotaUs      *int64 `avro:"quota_us"`
	PeriodUs     *int64 `avro:"period_us"`
	ShardRecords int32  `avro:"shard_records"`
}

// ShardIdentity says who a shard is: sent on discovery and every ten minutes.
type ShardIdentity struct {
	HostID       string            `avro:"host_id"`
	AgentEpoch   int64             `avro:"agent_epoch"`
	Cluster      string            `avro:"cluster"`
	Origin       Origin            `avro:"origin"`
	ShardID      int64             `avro:"shard_id"`
	Service      string            `avro:"service"`
	Shard        string            `avro:"shard"`
	ObservedAtUs int64             `avro:"observed_at_us"`
	CgroupPath   string            `avro:"cgroup_path"`
	Incarnation  int64             `avro:"incarnation"`
	Runtime      string            `avro:"runtime"`
	ContainerID  *string           `avro:"container_id"`
	PodUID       *string           `avro:"pod_uid"`
	QosClass     *string           `avro:"qos_class"`
	CPUShares    *int64            `avro:"cpu_shares"`
	CpusetCpus   *string           `avro:"cpuset_cpus"`
	Labels       map[string]string `avro:"labels"`
}
