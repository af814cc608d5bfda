package usagewindow

import (
	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/counter"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/secondorder"
)

// exemplarEvery is how many windows of a shard share one exemplar.
const exemplarEvery = 30

// Limits are the bandwidth settings in force. Absence is nil, as in the record.
type Limits struct {
	// Limit is the cgroup's own quota. Without one, Limited is false.
	Limit   cfs.Bandwidth
	Limited bool
	// PeriodUs is nil when the cgroup has no cpu controller.
	PeriodUs *int64
	// BurstUs is nil when the kernel has no burst.
	BurstUs *int64
	// Ancestor is the tightest quota above the cgroup. Without one, AncestorLimited is false.
	Ancestor        cfs.Bandwidth
	AncestorLimited bool
	// AncestorPath names the cgroup of that quota, so that its counters are never compared with another's.
	AncestorPath string
	// Nearest is the first quota towards the root. Without one, NearestLimited is false.
	Nearest        cfs.Bandwidth
	NearestLimited bool
	// CpusAllowed is how many CPUs the cpuset allows; nil when not readable.
	CpusAllowed *int32
	// CPUShares is cpu.shares or the equivalent of cpu.weight; nil when not readable.
	CPUShares *int64
}

// Subject is who a builder's windows are about.
type Subject struct {
	HostID     string
	AgentEpoch int64
	Cluster    string
	Origin     Origin
	Method     Method
	ShardID    int64
	Service    string
	Shard      string
}

// Builder gathers the readings of one shard and turns each 10 s of them into a Window. It belongs to
// one goroutine. Sample and Stat allocate nothing; Take allocates the record.
type Builder struct {
	subject    Subject
	limits     Limits
	slices     slices
	throttling throttling
	ancestor   ancestor
	kernel     kernelReadings
	usage      growth
	threads    *int64
	retired    bool
	tape       Tape
	number     int
	// wasThrottled tells whether the window before was, so that the one in which throttling starts
	// carries an exemplar.
	wasThrottled bool
	// lean leaves out optional fields, skipped the whole shard.
	lean, skipped bool
	halves        halves
}

// NewBuilder begins with a cgroup's first reading. A cgroup born under the agent's eyes counts from
// 0, because the kernel's counters do; an older one counts from the first reading, and its first
// window is partial.
func NewBuilder(subject Subject, born bool) *Builder {
	// Polled neighbours borrow from each other across the tick, so their lag 1 says nothing.
	memory := secondorder.NewMemory(subject.Method != MethodEbpf)
	b := &Builder{subject: subject, slices: newSlices(memory), throttling: newThrottling(born), tape: silence{}}
	if born {
		b.usage.counter = counter.From(0)
	}
	return b
}

// Sample takes the cumulative usage read at the end of a slot. atNs is the instant of the reading on
// a monotonic clock; latenessUs is how long after the planned instant that was.
func (b *Builder) Sample(slot, atNs, usageNs, latenessUs int64) {
	b.tape.Sample(b.number, slot, atNs, usageNs, latenessUs)
	if b.skipped {
		return
	}
	b.usage.advance(counter.MicrosOf(usageNs))
	b.slices.take(slot, atNs, usageNs, latenessUs, b.limits.Limit, b.limits.Limited)
}

// Final takes a reading of cumulative usage that ends no slot, so that the counters telescope to the end of a window.
func (b *Builder) Final(usageNs int64) {
	b.tape.Final(b.number, usageNs)
	b.usage.advance(counter.MicrosOf(usageNs))
}

// Stat takes a reading of cpu.stat.
func (b *Builder) Stat(stat cgroupfs.CPUStat) {
	b.tape.Stat(b.number, stat)
	b.throttling.take(stat)
}

// SetLimits puts settings in force for the slices to come.
func (b *Builder) SetLimits(limits Limits) {
	b.tape.Limits(b.number, limits)
	if limits.AncestorPath != b.limits.AncestorPath || limits.AncestorLimited != b.limits.AncestorLimited {
		b.ancestor.change()
	}
	b.limits = limits
}

// Limits returns the settings in force.
func (b *Builder) Limits() Limits { return b.limits }

// SetThreads notes pids.current; nil when there is no pids controller.
func (b *Builder) SetThreads(threads *int64) {
	b.tape.Threads(b.number, threads)
	b.threads = threads
}

// Subject returns who the windows are about.
func (b *Builder) Subject() Subject { return b.subject }

// Retire ends the shard: its cgroup is gone, and slots after the last reading are not missed.
func (b *Builder) Retire() {
	b.tape.Retire(b.number)
	b.retired = true
}

// Retired reports whether the cgroup is gone.
func (b *Builder) Retired() bool { return b.retired }

// Take returns the window that begins at startUs with everything read since the last Take, and
// begins the next one. Slots up to lastSlot that were not read count as missed. Seq is left to the
// caller, who knows the order on the wire.
func (b *Builder) Take(startUs, lastSlot int64) *Window {
	s := &b.slices
	if s.begun && !b.retired && lastSlot > s.accounted {
		s.missThrough(lastSlot)
	}
	w := &Window{
		HostID: b.subject.HostID, AgentEpoch: b.subject.AgentEpoch, Cluster: b.subject.Cluster,
		Origin: b.subject.Origin, WindowStartUs: startUs, ShardID: b.subject.ShardID,
		Service: b.subject.Service, Shard: b.subject.Shard,
		SampleIntervalUs: int32(s.step * SampleIntervalUs), Samples: int32(s.samples), MissedSamples: int32(s.missed),
		LatenessUsMax: int32(min(s.latenessUs, WindowUs)), Method: b.subject.Method,
		UsageUs: *b.usage.takeWindow(), SampledUsageUs: counter.MicrosOf(s.usageNs),
		LayoutVersion: histogram.LayoutVersion, UsageHistogram: s.usage.AppendPacked([]byte{}),
		SecondOrder: s.order.AppendPacked(nil), Threads: b.threads,
	}
	b.fillLimits(w)
	b.throttling.fill(w)
	b.ancestor.fill(w, b.limits.AncestorLimited)
	b.kernel.fill(w)
	b.fillExemplar(w)
	s.clear()
	return w
}

func (b *Builder) fillLimits(w *Window) {
	s, l := &b.slices, b.limits
	if l.Limited || s.judged {
		w.ExcursionSamples = pointer(int32(s.excursion.Slices))
		w.ExcursionUs = pointer(counter.MicrosOf(s.excursion.ExcessNs))
	}
	if l.Limited {
		w.QuotaUs = pointer(l.Limit.QuotaUs)
	}
	if l.AncestorLimited {
		w.AncestorQuotaUs, w.AncestorPeriodUs = pointer(l.Ancestor.QuotaUs), pointer(l.Ancestor.PeriodUs)
	}
	if l.NearestLimited {
		w.NearestAncestorQuotaUs, w.NearestAncestorPeriodUs = pointer(l.Nearest.QuotaUs), pointer(l.Nearest.PeriodUs)
	}
	w.PeriodUs, w.BurstUs, w.CpusAllowed = l.PeriodUs, l.BurstUs, l.CpusAllowed
}

// fillExemplar adds the raw slices to one window in thirty, staggered over shards by their id, and
// to the window in which throttling starts: at least 1 % of its periods, after less than that.
func (b *Builder) fillExemplar(w *Window) {
	throttled := w.Periods != nil && *w.ThrottledPeriods > 0 && *w.ThrottledPeriods*100 >= *w.Periods
	due := (uint64(w.ShardID)+uint64(w.WindowStartUs/WindowUs))%exemplarEvery == 0
	if w.Samples > 0 && !b.lean && (due || throttled && !b.wasThrottled) {
		w.Exemplar = append([]byte{}, b.slices.exemplar[:SlotsPerWindow/b.slices.step]...)
	}
	b.wasThrottled = throttled
}

// LastSlot is the slot of the last reading; 0 before the first.
func (b *Builder) LastSlot() int64 { return b.slices.lastSlot }

// BeginUnsampled begins a shard that no slot was read of, with every slot after the given one missed, so that a window states
// what its counters grew by. It reports false where no counter has grown or the shard has begun.
func (b *Builder) BeginUnsampled(after int64) bool {
	if b.slices.begun || b.usage.sum == 0 {
		return false
	}
	b.slices.begun, b.slices.lastSlot, b.slices.accounted = true, after, after
	return true
}

// Begun reports whether a first reading was taken. A shard without one has no window to send.
func (b *Builder) Begun() bool { return b.slices.begun }
