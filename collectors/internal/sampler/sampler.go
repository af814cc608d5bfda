// Package sampler defines what every source of readings has in common: it tracks shards, cuts their
// windows at UTC boundaries and hands them over in the order in which they go on the wire.
package sampler

import (
	"context"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// Backend reads usage from somewhere, a kernel or a recorded trace, until ctx ends. It hands every
// window to the recorder, the last partial one included, before it returns.
type Backend interface {
	Run(ctx context.Context, recorder *Recorder) error
}

// Logger is the part of Telegraf's logger that back ends use.
type Logger interface {
	Infof(format string, args ...any)
	Warnf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Agent is who sends the records.
type Agent struct {
	HostID string
	// EpochUs is the start of this agent, microseconds since the Unix epoch. With the host it names
	// one numbering of records.
	EpochUs int64
	Cluster string
	Origin  usagewindow.Origin
	Method  usagewindow.Method
}

// Found is a cgroup that a rule matched.
type Found struct {
	Path   string
	Inode  uint64
	Shard  identity.Shard
	Limits usagewindow.Limits
	// Cpuset is nil without a cpuset controller.
	Cpuset *string
	// Born is true when the cgroup was created while the agent was watching.
	Born bool
	// AtUs is when it was found, microseconds since the Unix epoch.
	AtUs int64
}

// Batch is what one window of one host hands over. Order within it is order on the wire.
type Batch struct {
	Identities []*usagewindow.ShardIdentity
	Windows    []*usagewindow.Window
	Host       *usagewindow.HostWindow
	conduct    conduct
}

// FinishedAt notes when the batch is handed over, microseconds since the Unix epoch, so that what is late can be counted.
func (b *Batch) FinishedAt(us int64) { b.conduct.finishedUs = us }

// identityEvery is how many windows pass until an identity is sent again: ten minutes.
const identityEvery = 60

// tracked is one shard with what its identity record needs.
type tracked struct {
	builder *usagewindow.Builder
	found   Found
	// age counts windows since the identity was sent.
	age  int
	sent bool
	// held is the first window of a newborn, see settle.
	held *usagewindow.Window
}

// Recorder owns the numbering and the set of tracked shards. Track and Cut belong to the sampling
// goroutine, Finish to the one that hands over.
type Recorder struct {
	agent     Agent
	numbering *Numbering
	// reloadedAfter is the last slot of the back end before a reload, until the first cut; then 0.
	reloadedAfter int64
	emit          func(Batch)
	host          *usagewindow.Builder
	shards        []*tracked
	finish        hostCounters
	steps         atomic.Int32
	tape          Tape
	numbers       int
	// slotsPerSample is in force; nextSlotsPerSample comes into force with the next window.
	slotsPerSample, nextSlotsPerSample int64
	thrift
}

// NewRecorder returns a recorder that passes finished batches to emit.
func NewRecorder(agent Agent, emit func(Batch)) *Recorder {
	host := usagewindow.NewBuilder(usagewindow.Subject{Method: agent.Method}, false)
	return &Recorder{
		agent: agent, numbering: NewNumbering(agent.EpochUs), emit: emit, host: host,
		slotsPerSample: 1, nextSlotsPerSample: 1,
	}
}

// SetSlotsPerSample makes a sample span so many slots from the next window on. The back end then reads only slots that are
// multiples of it.
func (r *Recorder) SetSlotsPerSample(slots int64) { r.nextSlotsPerSample = slots }

// SlotsPerSample is how many slots a sample spans in the window under way. It changes at Cut only.
func (r *Recorder) SlotsPerSample() int64 { return r.slotsPerSample }

// GoOn numbers the records on where a back end ended that a reload replaced. It belongs before the back
// end runs; the agent's epoch must be that of the numbering.
func (r *Recorder) GoOn(numbering *Numbering) {
	r.numbering, r.reloadedAfter = numbering, numbering.LastSlot()
}

// Covered is the last slot that records of this numbering cover: a schedule goes on after it.
func (r *Recorder) Covered() int64 { return r.numbering.LastSlot() }

// NoteClockStep counts a step of the wall clock, or a suspension, into the window under way.
func (r *Recorder) NoteClockStep() { r.steps.Add(1) }

// Host is the builder of the whole host's usage.
func (r *Recorder) Host() *usagewindow.Builder { return r.host }

// Track begins a shard and returns the builder that takes its readings.
func (r *Recorder) Track(found Found) *usagewindow.Builder {
	r.numbers++
	if r.tape != nil {
		r.tape.Track(r.numbers, found)
	}
	if found.Shard.HostScoped {
		found.Shard.Name = r.agent.HostID + "/" + found.Shard.Name
	}
	builder := usagewindow.NewBuilder(usagewindow.Subject{
		HostID: r.agent.HostID, AgentEpoch: r.agent.EpochUs, Cluster: r.agent.Cluster,
		Origin: r.agent.Origin, Method: r.agent.Method,
		ShardID: identity.ShardID(r.agent.HostID, found.Path, found.Inode),
		Service: found.Shard.Service, Shard: found.Shard.Name,
	}, found.Born)
	builder.SetLimits(found.Limits)
	if r.tape != nil {
		builder.Attach(r.tape, r.numbers)
	}
	if r.slotsPerSample != 1 {
		builder.SetSlotsPerSample(r.slotsPerSample)
	}
	builder.SetLean(r.Lean())
	r.shards = append(r.shards, &tracked{builder: builder, found: found, age: identityEvery})
	return builder
}

// Cut ends the window that begins at startUs for every shard, numbers the records, and forgets
// removed shards. The host record still lacks what Finish knows. A window that was covered before gives
// an empty batch.
func (r *Recorder) Cut(startUs, lastSlot int64) Batch {
	if r.tape != nil {
		r.tape.Cut(startUs, lastSlot)
	}
	if lastSlot <= r.numbering.LastSlot() {
		r.discard(startUs, lastSlot)
		return Batch{}
	}
	host := r.host.Take(startUs, lastSlot)
	batch := Batch{Host: &usagewindow.HostWindow{
		HostID: r.agent.HostID, AgentEpoch: r.agent.EpochUs, Seq: r.numbering.nextHostSeq(lastSlot), Cluster: r.agent.Cluster,
		Origin: r.agent.Origin, WindowStartUs: startUs, Method: string(r.agent.Method),
		Samples: host.Samples, MissedSamples: host.MissedSamples, LayoutVersion: host.LayoutVersion,
		ServiceRecords: []usagewindow.ServiceRecords{}, FirstRecords: []usagewindow.ServiceRecords{}, Drops: map[string]int64{},
	}, conduct: conduct{inForce: r.inForce, skipped: r.skipped, clockSteps: int(r.steps.Swap(0))}}
	if r.agent.Method != usagewindow.MethodReplay {
		batch.Host.ShortLivedUsageUs = new(int64)
	}
	if r.host.Begun() {
		if r.reloadedAfter > 0 {
			batch.Host.MissedSamples = missedAcrossReload(r.reloadedAfter, startUs, lastSlot, host.Samples)
			r.reloadedAfter = 0
		}
		batch.Host.UsageHistogram, batch.Host.UsageUs = host.UsageHistogram, &host.UsageUs
	}
	kept := r.shards[:0]
	for _, shard := range r.shards {
		r.cutShard(shard, startUs, lastSlot, &batch)
		if !shard.builder.Retired() {
			kept = append(kept, shard)
		}
	}
	clear(r.shards[len(kept):])
	r.shards = kept
	r.economize(batch.Windows)
	r.changeStep()
	countServices(&batch)
	return batch
}

// discard forgets what was read in time that records already cover, because the wall clock was set
// back: it comes again under the same name, and no window is sent twice.
func (r *Recorder) discard(startUs, lastSlot int64) {
	r.host.Take(startUs, lastSlot)
	for _, shard := range r.shards {
		if shard.builder.Begun() {
			shard.builder.Take(startUs, lastSlot)
		}
	}
}

func (r *Recorder) changeStep() {
	if r.nextSlotsPerSample == r.slotsPerSample {
		return
	}
	r.slotsPerSample = r.nextSlotsPerSample
	r.host.SetSlotsPerSample(r.slotsPerSample)
	for _, shard := range r.shards {
		shard.builder.SetSlotsPerSample(r.slotsPerSample)
	}
}

func (r *Recorder) cutShard(shard *tracked, startUs, lastSlot int64, batch *Batch) {
	if !shard.builder.Begun() && !r.beginAtTheEnd(shard, startUs, lastSlot) {
		if shard.found.Born && shard.builder.Retired() {
			r.pool(shard, nil, batch)
		}
		return
	}
	if shard.builder.Skipped() {
		r.emitHeld(shard, batch)
		countLimits(shard.builder.Limits(), batch.Host)
		return
	}
	r.settle(shard, shard.builder.Take(startUs, lastSlot), lastSlot, batch)
	if shard.builder.Retired() && !shard.sent {
		return
	}
	countLimits(shard.builder.Limits(), batch.Host)
}

// beginAtTheEnd lets a shard whose slots were all missed, because the agent was starved, state at the last cut of an agent that
// stops what its counters say.
func (r *Recorder) beginAtTheEnd(shard *tracked, startUs, lastSlot int64) bool {
	if lastSlot == usagewindow.LastSlotOf(startUs) || shard.builder.Retired() || shard.builder.Skipped() {
		return false
	}
	return shard.builder.BeginUnsampled(min(shard.found.AtUs/usagewindow.SampleIntervalUs, lastSlot))
}

// countLimits adds a shard's bandwidth to what the host has promised.
func countLimits(limits usagewindow.Limits, host *usagewindow.HostWindow) {
	if limits.Limited {
		host.QuotaMillicores += limits.Limit.Millicores()
	} else {
		host.UnlimitedShards++
	}
	if limits.CPUShares != nil {
		if host.ShareMillicores == nil {
			host.ShareMillicores = new(int64)
		}
		*host.ShareMillicores += *limits.CPUShares * 1000 / 1024
	}
}

func (r *Recorder) identityOf(shard *tracked) *usagewindow.ShardIdentity {
	subject, found := shard.builder.Subject(), shard.found
	return &usagewindow.ShardIdentity{
		HostID: subject.HostID, AgentEpoch: subject.AgentEpoch, Cluster: subject.Cluster,
		Origin: subject.Origin, ShardID: subject.ShardID, Service: subject.Service, Shard: subject.Shard,
		ObservedAtUs: found.AtUs, CgroupPath: found.Path, Incarnation: int64(found.Inode),
		Runtime: found.Shard.Runtime, ContainerID: absentIfEmpty(found.Shard.ContainerID),
		PodUID: absentIfEmpty(found.Shard.PodUID), QosClass: absentIfEmpty(found.Shard.QosClass),
		CPUShares: shard.builder.Limits().CPUShares, CpusetCpus: found.Cpuset, Labels: labelsOf(found.Shard),
	}
}

// labelsOf returns the labels as a record states them: a map that may be empty, never null.
func labelsOf(shard identity.Shard) map[string]string {
	if shard.Labels == nil {
		return map[string]string{}
	}
	return shard.Labels
}

func absentIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// HostReading is what is read once per window about the host and the agent.
type HostReading struct {
	KernelRelease string
	Version       cgroupfs.Version
	Cpus          int
	// TickHz is nil when the tick was not detected.
	TickHz        *int32
	UncertaintyUs int64
	// Proc and Load are nil when /proc is not readable.
	Proc             *cgroupfs.ProcStat
	Load             *cgroupfs.Loadavg
	UntrackedCgroups int
	OverflowCgroups  int
	// AtNs is when the agent's cost was read, on a monotonic clock; at 0 the length of a window is assumed.
	AtNs int64
	// AgentCPUUs is the agent's CPU time since its start.
	AgentCPUUs    int64
	AgentRSSBytes int64
	// BpfRunUs is the run time of our BPF programs since their start, and BpfMapBytes the memory of their maps; nil
	// without them.
	BpfRunUs    *int64
	BpfMapBytes *int64
	// What the agent did without at the window's end, and why; the reason is nil at step 0.
	ProtectionStep       int32
	ProtectionReason     *string
	BudgetSkippedCgroups int
	// What came in its way during the window.
	ShortLivedCgroups int
	ShortLivedUsageUs *int64
	ClockSteps        int
	LateWindows       int
}
