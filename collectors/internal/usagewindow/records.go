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
	HostID     string
	AgentEpoch int64
	Seq        int64
	Cluster    string
	Origin     Origin

	WindowStartUs int64
	ShardID       int64
	Service       string
	Shard         string

	SampleIntervalUs int32
	Samples          int32
	MissedSamples    int32
	LatenessUsMax    int32
	Method           Method

	UsageUs        int64
	SampledUsageUs int64

	LayoutVersion    int32
	UsageHistogram   []byte
	ExcursionSamples *int32
	ExcursionUs      *int64
	SecondOrder      []byte

	QuotaUs          *int64
	PeriodUs         *int64
	BurstUs          *int64
	AncestorQuotaUs  *int64
	AncestorPeriodUs *int64

	Periods                *int64
	ThrottledPeriods       *int64
	ThrottledUs            *int64
	Bursts                 *int64
	BurstUsedUs            *int64
	ThrottledRuns          *int32
	ThrottledRunPeriodsMax *int32
	ThrottledWallUs        *int64

	Threads           *int64
	RunnableHistogram []byte

	Exemplar               []byte
	CyclesBelowQuota       *int64
	CyclesAboveQuota       *int64
	InstructionsBelowQuota *int64
	InstructionsAboveQuota *int64
	ExcursionThreads       []ExcursionThread
}

// ExcursionThread is the CPU time of equally named threads in samples above quota.
type ExcursionThread struct {
	Comm    string
	UsageUs int64
}

// HostWindow is one host in one window, sent even when it has no shard.
type HostWindow struct {
	HostID     string
	AgentEpoch int64
	Seq        int64
	Cluster    string
	Origin     Origin

	WindowStartUs  int64
	Samples        int32
	MissedSamples  int32
	LayoutVersion  int32
	UsageHistogram []byte
	UsageUs        *int64

	StealUs         *int64
	IrqUs           *int64
	Threads         *int64
	RunnableThreads *int64
	ContextSwitches *int64

	Cpus            int32
	QuotaMillicores int64
	UnlimitedShards int32
	ShareMillicores *int64

	KernelRelease         string
	CgroupVersion         string
	TickHz                *int32
	Method                string
	SamplingUncertaintyUs int64

	ShardRecords     int32
	ServiceRecords   []ServiceRecords
	UntrackedCgroups int32
	OverflowCgroups  int32

	AgentCPUUs    int64
	BpfRunUs      *int64
	AgentRssBytes int64
	BpfMapBytes   *int64
	// SpoolBytes and Drops belong to the output: it sets them when it encodes the record.
	SpoolBytes int64
	Drops      map[string]int64
}

// ServiceRecords counts the Window records sent for one service and bandwidth setting.
type ServiceRecords struct {
	Service      string
	QuotaUs      *int64
	PeriodUs     *int64
	ShardRecords int32
}

// ShardIdentity says who a shard is: sent on discovery and every ten minutes.
type ShardIdentity struct {
	HostID       string
	AgentEpoch   int64
	Cluster      string
	Origin       Origin
	ShardID      int64
	Service      string
	Shard        string
	ObservedAtUs int64
	CgroupPath   string
	Incarnation  int64
	Runtime      string
	ContainerID  *string
	PodUID       *string
	QosClass     *string
	CPUShares    *int64
	CpusetCpus   *string
	Labels       map[string]string
}
