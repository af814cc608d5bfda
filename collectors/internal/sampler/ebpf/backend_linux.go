package ebpf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	cilium "github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/host"
)

const (
	// handoverWindows is how many windows may wait to be handed over.
	handoverWindows = 64
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
	Log         sampler.Logger
	// types, if set, are this kernel's: parsing them once saves tests time.
	types *btf.Cache
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
	s.usageTree, s.oneTree = treeFor(options.Trees)
	if cpus > manyCPUs {
		s.usageShift = manyCPUsShift
	}
	if b.kernel, err = attach(s, options.RunnableThreads); err != nil {
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
	cuts := make(chan sampler.Batch, handoverWindows)
	finder := discovery.New(discovery.Options{
		Trees: b.options.Trees, Rules: b.options.Rules, Names: b.options.Names, Log: b.options.Log,
		MaxCgroups: b.options.MaxCgroups, MaxServices: b.options.MaxServices,
	})
	l := b.newLoop(recorder, finder.Events(), cuts)
	recorder.Baseline(b.reading(finder, l))
	var running sync.WaitGroup
	ready := make(chan struct{})
	running.Add(2)
	go func() {
		defer running.Done()
		finder.Run(ctx, ready)
	}()
	go func() {
		defer running.Done()
		defer close(cuts)
		l.run(ctx)
	}()
	<-ready
	b.options.Log.Infof("measuring cgroup %s below %s by eBPF in slices of 10 ms, kernel %s",
		b.options.Trees.Version, b.options.Trees.CPU, b.reader.Release())
	for batch := range cuts {
		b.complain(l)
		recorder.Finish(batch, b.reading(finder, l))
	}
	running.Wait()
	b.complain(l)
	finder.CloseWaiting()
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
	root, err := openRoot(b.options.Trees)
	if err != nil {
		b.options.Log.Warnf("the host's usage is the sum of its slices: %v", err)
	}
	l.root = root
	return l
}

// openRoot opens the kernel's counter of the whole host.
func openRoot(trees cgroupfs.Trees) (*discovery.Files, error) {
	root, err := discovery.OpenFiles(trees, "")
	if err != nil {
		return nil, err
	}
	var buffer [4096]byte
	if _, stat, err := root.ReadUsage(buffer[:]); err != nil || root.Unified() && !stat.HasUsage {
		root.Close()
		return nil, fmt.Errorf("the root cgroup states no usage: %w", errors.Join(err, fs.ErrNotExist))
	}
	return root, nil
}

// complain says what went wrong since the last window.
func (b *Backend) complain(l *loop) {
	log := b.options.Log
	if refused := l.refused.Swap(0); refused > 0 {
		log.Errorf("%d windows were lost because nobody took them; their numbers are missing", refused)
	}
	if failed := l.readErrors.Swap(0); failed > 0 {
		log.Warnf("%d readings failed", failed)
	}
	if late := l.lateNs.Swap(0); late > 0 {
		b.lateNs += late
		log.Warnf("%d us of CPU time were charged after their slices were taken, which were reported that much too low:"+
			" a hypervisor holds up CPUs; slices settle longer from now on", late/1000)
	}
	if late := l.lateOtherNs.Swap(0); late > 0 {
		log.Infof("the host's slices lack %d us that were charged late, outside of tracked cgroups", late/1000)
	}
}

// reading gathers what a host window says beyond the samples.
func (b *Backend) reading(finder *discovery.Finder, l *loop) sampler.HostReading {
	reading := b.reader.Read()
	reading.UntrackedCgroups, reading.OverflowCgroups = int(finder.Untracked()), int(finder.Overflow())
	reading.ShortLivedCgroups = int(finder.TakeVanished())
	if hz, known := tickHz(); known {
		reading.TickHz = &hz
	}
	if cost, err := b.kernel.cost(); err == nil {
		runUs := cost.runNs / 1000
		reading.BpfRunUs = &runUs
	}
	if size, err := b.kernel.mapBytes(); err == nil {
		reading.BpfMapBytes = &size
		// The rings are mapped into this process: the same memory is not counted twice.
		reading.AgentRSSBytes -= b.kernel.rings.mappedBytes()
	}
	return reading
}
