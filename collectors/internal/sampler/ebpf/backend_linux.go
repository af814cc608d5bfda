package ebpf

import (
	"bytes"
	"context"
	"os"

	cilium "github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/host"
	"github.com/quotascope/quotascope/collectors/internal/sampler/live"
)

const (
	// spareSlots are for cgroups that come while removed ones still rest.
	spareSlots = 64
	// manyCPUs is from where on a cell counts in coarser units than nanoseconds.
	manyCPUs      = 200
	manyCPUsShift = 4
)

// Options says what to measure.
type Options struct {
	Trees cgroupfs.Trees
	// ProcRoot is where /proc is mounted.
	ProcRoot string
	Rules    identity.Rules
	// MaxCgroups bounds the tracked cgroups; those beyond are counted.
	MaxCgroups int
	// MaxServices bounds the services among them, 0 not at all. Names may be nil.
	MaxServices int
	Names       *naming.Names
	// RunnableThreads has run queues looked at as well.
	RunnableThreads bool
	// ThreadNames has CPU time above the quota told by thread names.
	ThreadNames bool
	// HardwareCounters has cycles and instructions counted where the processor has counters for them.
	HardwareCounters bool
	Log              sampler.Logger
	// types, if set, are this kernel's: parsing them once saves tests time.
	types *btf.Cache
	// counters, if set, are counted in place of the processor's, by a test on a machine that has none.
	counters *[2]counter
	// fewRings leaves out the spare rings: a test wants to run short of them.
	fewRings bool
}

// Backend is the eBPF back end.
type Backend struct {
	options Options
	kernel  *kernel
	reader  *host.Reader
	slicing slicing
	// tickless is whether some CPUs run without a tick.
	tickless bool
	// lateNs is CPU time that is missing in the slices of cgroups because it was charged too late.
	lateNs int64
}

// New attaches the programs. It is also the probe: an *Unavailable says why this host does not run them and what would
// enable it. Close or Run releases what New holds.
func New(options Options) (*Backend, error) {
	reader, err := host.NewReader(options.ProcRoot, options.Trees.Version)
	if err != nil {
		return nil, err
	}
	if err := checkTrees(options.Trees); err != nil {
		return nil, err
	}
	cpus, err := cilium.PossibleCPU()
	if err != nil {
		return nil, &Unavailable{Step: "counting CPUs", Cause: err}
	}
	b := &Backend{options: options, reader: reader, slicing: slicing{offsetNs: wallOffsetNs()}, tickless: hasTickless()}
	s := settings{slots: options.MaxCgroups + 1 + spareSlots, possibleCPUs: cpus, wallOffsetNs: b.slicing.offsetNs,
		byName: options.ThreadNames, types: options.types}
	if options.fewRings {
		s.slots -= spareSlots
	}
	s.usageTree, s.oneTree = treeFor(options.Trees)
	if cpus > manyCPUs {
		s.usageShift = manyCPUsShift
	}
	if options.HardwareCounters {
		wanted := hardware
		if options.counters != nil {
			wanted = *options.counters
		}
		if s.counters, err = openCounters(wanted, cpus); err != nil {
			options.Log.Infof("cycles and instructions are not counted: %v; the processor may have no counters, a hypervisor"+
				" may hide them, or kernel.perf_event_paranoid may ask for CAP_PERFMON", err)
		}
	}
	if b.kernel, err = attach(s, options.RunnableThreads); err != nil {
		s.counters.close()
		return nil, err
	}
	return b, nil
}

// hasTickless reports CPUs that run without a timer tick while one thread has them for itself.
func hasTickless() bool {
	text, err := os.ReadFile("/sys/devices/system/cpu/nohz_full")
	list := bytes.TrimSpace(text)
	return err == nil && len(list) > 0 && string(list) != "(null)"
}

// Close detaches the programs of a back end that never ran.
func (b *Backend) Close() { b.kernel.close() }

// Run measures until ctx ends and detaches the programs before it returns.
func (b *Backend) Run(ctx context.Context, recorder *sampler.Recorder) error {
	defer b.kernel.close()
	live.Run(ctx, recorder, discovery.Options{
		Trees: b.options.Trees, Rules: b.options.Rules, Names: b.options.Names, Log: b.options.Log,
		MaxCgroups: b.options.MaxCgroups, MaxServices: b.options.MaxServices,
	}, func(found <-chan discovery.Event, cuts chan<- sampler.Batch) live.Reader {
		return &reading{Backend: b, loop: b.newLoop(recorder, found, cuts)}
	})
	return nil
}

func (b *Backend) newLoop(recorder *sampler.Recorder, events <-chan discovery.Event, cuts chan<- sampler.Batch) *loop {
	l := &loop{
		kernel: b.kernel, slicing: b.slicing, monotonic: monotonicNs, wallOffset: wallOffsetNs, settle: settleSlices, trees: b.options.Trees, recorder: recorder,
		log: b.options.Log, events: events, cuts: cuts, byCgroup: map[*discovery.Cgroup]*shard{}, wantsRunnable: b.options.RunnableThreads,
		slots: newSlots(b.kernel.settings.slots), overrunFrom: 1,
	}
	if b.options.ThreadNames {
		l.names = &names{kernel: b.kernel, known: map[named]told{}}
	}
	if b.tickless {
		l.settle = settleTicklessSlices
	}
	root, err := discovery.OpenRoot(b.options.Trees)
	if err != nil {
		b.options.Log.Warnf("the host's usage is the sum of its slices: %v", err)
	}
	l.root = root
	return l
}

// reading is a back end at work.
type reading struct {
	*Backend
	loop *loop
}

func (r *reading) Sample(ctx context.Context) { r.loop.run(ctx) }

func (r *reading) Started() {
	r.options.Log.Infof("measuring cgroup %s below %s by eBPF in slices of 10 ms, kernel %s",
		r.options.Trees.Version, r.options.Trees.CPU, r.reader.Release())
}

// Complain says what went wrong since the last window.
func (r *reading) Complain() {
	log, l := r.options.Log, r.loop
	if refused := l.refused.Swap(0); refused > 0 {
		log.Errorf("%d windows were lost because nobody took them; their numbers are missing", refused)
	}
	if failed := l.readErrors.Swap(0); failed > 0 {
		log.Warnf("%d readings failed", failed)
	}
	if waited := l.slots.waited.Swap(0); waited > 0 {
		log.Infof("%d cgroups waited for the ring of a removed one; what they used until then is in usage_us, not in samples", waited)
	}
	if late := l.lateNs.Swap(0); late > 0 {
		r.lateNs += late
		log.Warnf("%d us of CPU time were charged after their slices were taken, which were reported that much too low:"+
			" a hypervisor holds up CPUs; slices settle longer from now on", late/1000)
	}
	if late := l.lateOtherNs.Swap(0); late > 0 {
		log.Infof("the host's slices lack %d us that were charged late, outside of tracked cgroups", late/1000)
	}
}

// Reading gathers what a host window says beyond the samples.
func (r *reading) Reading() sampler.HostReading {
	reading := r.reader.Read()
	reading.ShortLivedCgroups = int(r.loop.vanished.Swap(0))
	if hz, known := tickHz(); known {
		reading.TickHz = &hz
	}
	if cost, err := r.kernel.cost(); err == nil {
		runUs := cost.runNs / 1000
		reading.BpfRunUs = &runUs
	}
	if size, err := r.kernel.mapBytes(); err == nil {
		reading.BpfMapBytes = &size
		// The rings are mapped into this process: the same memory is not counted twice.
		reading.AgentRSSBytes -= r.kernel.rings.mappedBytes()
	}
	return reading
}
