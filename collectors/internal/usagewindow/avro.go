package usagewindow

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/quotascope/quotascope/collectors/internal/avro"
	"github.com/quotascope/quotascope/schemas"
)

// ErrUnencodable is returned for a record that the schema cannot hold; the message names the field.
var ErrUnencodable = errors.New("record cannot be encoded")

// Encoder writes records in Avro single-object encoding with the schemas of schemas/*.avsc. The order of the fields is
// written by hand for speed (docs/decisions/0002-avro-in-go.md); fingerprints and enum symbols come from the schemas.
// It holds no state of a record, so one Encoder serves several goroutines.
type Encoder struct {
	window, host, identity          avro.Header
	origins, methods, cgroupVersion map[string]int64
}

// NewEncoder reads the schemas. It fails only when the embedded schemas are not what the encoder was written for.
func NewEncoder() (*Encoder, error) {
	var encoder Encoder
	for _, frame := range []struct {
		schema string
		header *avro.Header
	}{
		{schemas.CpuUsageWindow, &encoder.window},
		{schemas.HostWindow, &encoder.host},
		{schemas.ShardIdentity, &encoder.identity},
	} {
		header, err := avro.NewHeader(frame.schema)
		if err != nil {
			return nil, err
		}
		*frame.header = header
	}
	for _, enum := range []struct {
		schema, field string
		symbols       *map[string]int64
	}{
		{schemas.CpuUsageWindow, "origin", &encoder.origins},
		{schemas.CpuUsageWindow, "method", &encoder.methods},
		{schemas.HostWindow, "cgroup_version", &encoder.cgroupVersion},
	} {
		symbols, err := avro.Symbols(enum.schema, enum.field)
		if err != nil {
			return nil, err
		}
		*enum.symbols = symbols
	}
	return &encoder, nil
}

// Append appends the framed record (*Window, *HostWindow or *ShardIdentity) to dst. On error dst comes back as it was.
func (e *Encoder) Append(dst []byte, record any) ([]byte, error) {
	switch r := record.(type) {
	case *Window:
		return e.AppendWindow(dst, r)
	case *HostWindow:
		return e.AppendHostWindow(dst, r)
	case *ShardIdentity:
		return e.AppendShardIdentity(dst, r)
	}
	return dst, fmt.Errorf("%w: %T", ErrNotARecord, record)
}

// AppendWindow appends a CpuUsageWindow.
func (e *Encoder) AppendWindow(dst []byte, r *Window) ([]byte, error) {
	out := body{bytes: append(dst, e.window[:]...)}
	out.text("host_id", r.HostID)
	out.long(r.AgentEpoch)
	out.long(r.Seq)
	out.text("cluster", r.Cluster)
	out.symbol("origin", string(r.Origin), e.origins)
	out.long(r.WindowStartUs)
	out.long(r.ShardID)
	out.text("service", r.Service)
	out.text("shard", r.Shard)
	out.long(int64(r.SampleIntervalUs))
	out.long(int64(r.Samples))
	out.long(int64(r.MissedSamples))
	out.long(int64(r.LatenessUsMax))
	out.symbol("method", string(r.Method), e.methods)
	out.long(r.UsageUs)
	out.long(r.SampledUsageUs)
	out.long(int64(r.LayoutVersion))
	out.bytes = avro.AppendBytes(out.bytes, r.UsageHistogram)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.ExcursionSamples)
	out.optional(r.ExcursionUs)
	out.bytes = avro.AppendBytes(out.bytes, r.SecondOrder)
	out.optional(r.QuotaUs)
	out.optional(r.PeriodUs)
	out.optional(r.BurstUs)
	out.optional(r.AncestorQuotaUs)
	out.optional(r.AncestorPeriodUs)
	out.optional(r.Periods)
	out.optional(r.ThrottledPeriods)
	out.optional(r.ThrottledUs)
	out.optional(r.Bursts)
	out.optional(r.BurstUsedUs)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.ThrottledRuns)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.ThrottledRunPeriodsMax)
	out.optional(r.ThrottledWallUs)
	out.optional(r.Threads)
	out.bytes = avro.AppendOptionalBytes(out.bytes, r.RunnableHistogram)
	out.bytes = avro.AppendOptionalBytes(out.bytes, r.Exemplar)
	out.optional(r.CyclesBelowQuota)
	out.optional(r.CyclesAboveQuota)
	out.optional(r.InstructionsBelowQuota)
	out.optional(r.InstructionsAboveQuota)
	out.excursionThreads(r.ExcursionThreads)
	out.optional(r.NearestAncestorQuotaUs)
	out.optional(r.NearestAncestorPeriodUs)
	out.optional(r.AncestorPeriods)
	out.optional(r.AncestorThrottledPeriods)
	out.optional(r.AncestorThrottledUs)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.CpusAllowed)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.PeriodPhaseUs)
	return out.finish(dst)
}

// AppendHostWindow appends a HostWindow.
func (e *Encoder) AppendHostWindow(dst []byte, r *HostWindow) ([]byte, error) {
	out := body{bytes: append(dst, e.host[:]...)}
	out.text("host_id", r.HostID)
	out.long(r.AgentEpoch)
	out.long(r.Seq)
	out.text("cluster", r.Cluster)
	out.symbol("origin", string(r.Origin), e.origins)
	out.long(r.WindowStartUs)
	out.long(int64(r.Samples))
	out.long(int64(r.MissedSamples))
	out.long(int64(r.LayoutVersion))
	out.bytes = avro.AppendOptionalBytes(out.bytes, r.UsageHistogram)
	out.optional(r.UsageUs)
	out.optional(r.StealUs)
	out.optional(r.IrqUs)
	out.optional(r.Threads)
	out.optional(r.RunnableThreads)
	out.optional(r.ContextSwitches)
	out.long(int64(r.Cpus))
	out.long(r.QuotaMillicores)
	out.long(int64(r.UnlimitedShards))
	out.optional(r.ShareMillicores)
	out.text("kernel_release", r.KernelRelease)
	out.symbol("cgroup_version", r.CgroupVersion, e.cgroupVersion)
	out.bytes = avro.AppendOptionalLong(out.bytes, r.TickHz)
	out.text("method", r.Method)
	out.long(r.SamplingUncertaintyUs)
	out.long(int64(r.ShardRecords))
	out.serviceRecords("service_records", r.ServiceRecords)
	out.long(int64(r.UntrackedCgroups))
	out.long(int64(r.OverflowCgroups))
	out.long(r.AgentCPUUs)
	out.optional(r.BpfRunUs)
	out.long(r.AgentRssBytes)
	out.optional(r.BpfMapBytes)
	out.long(r.SpoolBytes)
	out.counts("drops", r.Drops)
	out.long(int64(r.ProtectionStep))
	out.optionalText("protection_reason", r.ProtectionReason)
	out.long(int64(r.BudgetSkippedCgroups))
	out.long(int64(r.ShortLivedCgroups))
	out.optional(r.ShortLivedUsageUs)
	out.long(int64(r.ClockSteps))
	out.long(int64(r.LateWindows))
	out.serviceRecords("first_records", r.FirstRecords)
	return out.finish(dst)
}

// AppendShardIdentity appends a ShardIdentity.
func (e *Encoder) AppendShardIdentity(dst []byte, r *ShardIdentity) ([]byte, error) {
	out := body{bytes: append(dst, e.identity[:]...)}
	out.text("host_id", r.HostID)
	out.long(r.AgentEpoch)
	out.text("cluster", r.Cluster)
	out.symbol("origin", string(r.Origin), e.origins)
	out.long(r.ShardID)
	out.text("service", r.Service)
	out.text("shard", r.Shard)
	out.long(r.ObservedAtUs)
	out.text("cgroup_path", r.CgroupPath)
	out.long(r.Incarnation)
	out.text("runtime", r.Runtime)
	out.optionalText("container_id", r.ContainerID)
	out.optionalText("pod_uid", r.PodUID)
	out.optionalText("qos_class", r.QosClass)
	out.optional(r.CPUShares)
	out.optionalText("cpuset_cpus", r.CpusetCpus)
	out.labels(r.Labels)
	return out.finish(dst)
}

// body is a record in the making. The first field that cannot be encoded is remembered and refuses the record as a whole.
type body struct {
	bytes   []byte
	refusal error
}

func (b *body) refuse(field, reason string, value string) {
	if b.refusal == nil {
		b.refusal = fmt.Errorf("%w: field %s: %s: %q", ErrUnencodable, field, reason, value)
	}
}

func (b *body) finish(dst []byte) ([]byte, error) {
	if b.refusal != nil {
		return dst, b.refusal
	}
	return b.bytes, nil
}

func (b *body) long(value int64)      { b.bytes = avro.AppendLong(b.bytes, value) }
func (b *body) optional(value *int64) { b.bytes = avro.AppendOptionalLong(b.bytes, value) }

// text refuses what is not UTF-8: a cgroup's name may hold any byte, and readers in other languages would fail on it.
func (b *body) text(field, value string) {
	if !utf8.ValidString(value) {
		b.refuse(field, "not UTF-8", value)
	}
	b.bytes = avro.AppendString(b.bytes, value)
}

func (b *body) optionalText(field string, value *string) {
	if value != nil && !utf8.ValidString(*value) {
		b.refuse(field, "not UTF-8", *value)
	}
	b.bytes = avro.AppendOptionalString(b.bytes, value)
}

func (b *body) symbol(field, symbol string, symbols map[string]int64) {
	index, known := symbols[symbol]
	if !known {
		b.refuse(field, "not a symbol of the schema", symbol)
	}
	b.long(index)
}
