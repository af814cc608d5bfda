// Package ebpf measures the CPU time of cgroups exactly, with programs in the kernel that add what it charges to rings of
// 10 ms slices, one ring per cgroup.
//
// Nothing is pinned: the kernel detaches and frees everything when the process ends, however it ends.
package ebpf

import (
	"errors"
	"fmt"
	"runtime/debug"

	cilium "github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
)

// Names of the programs of bpf/sampler.bpf.c.
var (
	usagePrograms    = []string{"on_runtime"}
	runnablePrograms = []string{"on_switch", "on_wakeup", "on_first_wakeup", "on_migrate", "on_timer"}
)

// Names of the programs that are run on demand.
const (
	bandwidthProgram = "read_bandwidth"
	doubtsProgram    = "resolve_doubts"
)

// otherSlot is no cgroup's.
const otherSlot = 0

// kernel is our programs while they run.
type kernel struct {
	settings   settings
	collection *cilium.Collection
	links      []link.Link
	// queueLinks are those of the programs that look at run queues.
	queueLinks []link.Link
	rings      *rings
	generation uint32
	// runnable is whether the programs that look at run queues run.
	runnable bool
	// run is how a program is run on demand, kept so that it allocates nothing.
	run cilium.RunOptions
}

// attach loads the programs and lets them run. Any error is an *Unavailable.
func attach(s settings, runnable bool) (*kernel, error) {
	if err := checkTypes(); err != nil {
		return nil, err
	}
	if cell := int64(1) << 32 << s.usageShift; int64(s.possibleCPUs)*sliceNs*2 > cell {
		return nil, &Unavailable{Step: fmt.Sprintf("%d CPUs", s.possibleCPUs), Cause: ErrTooManyCPUs}
	}
	// Needed before 5.11 only, where the attempt to load then says what is missing.
	_ = rlimit.RemoveMemlock()
	spec, err := specOf(s)
	if err != nil {
		return nil, classify("reading the programs", err)
	}
	if !runnable {
		for _, name := range runnablePrograms {
			delete(spec.Programs, name)
		}
		spec.Maps["queues"].MaxEntries, spec.Maps["runnable"].MaxEntries, spec.Maps["throttled"].MaxEntries = 1, 1, 1
	}
	collection, err := cilium.NewCollectionWithOptions(spec, cilium.CollectionOptions{Cache: s.types})
	debug.FreeOSMemory() // the description of the kernel's types took some 20 MB that nobody needs any more
	if err != nil {
		return nil, classify("loading the programs", err)
	}
	k := &kernel{settings: s, collection: collection, runnable: runnable}
	if err := k.start(); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

func (k *kernel) start() (err error) {
	if k.rings, err = openRings(k.collection, k.settings); err != nil {
		return classify("mapping the rings", err)
	}
	if err := k.useCounters(); err != nil {
		return classify("counting cycles", err)
	}
	if k.links, err = k.attachAll(usagePrograms); err != nil {
		return err
	}
	if k.runnable {
		k.queueLinks, err = k.attachAll(runnablePrograms)
	}
	return err
}

func (k *kernel) attachAll(names []string) (links []link.Link, err error) {
	for _, name := range names {
		attached, err := link.AttachTracing(link.TracingOptions{
			Program: k.collection.Programs[name], AttachType: cilium.AttachTraceRawTp,
		})
		if err != nil {
			detach(links)
			return nil, classify("attaching "+name, err)
		}
		links = append(links, attached)
	}
	return links, nil
}

func detach(links []link.Link) {
	for _, attached := range links {
		_ = attached.Close() // the descriptor is gone in any case, and with it the attachment
	}
}

// watchQueues attaches or detaches the programs that look at run queues, which have been loaded.
func (k *kernel) watchQueues(wanted bool) (err error) {
	switch {
	case wanted && !k.runnable:
		clear(k.rings.queues) // nobody knows what happened meanwhile
		k.rings.forgetThrottled()
		k.queueLinks, err = k.attachAll(runnablePrograms)
	case !wanted && k.runnable:
		detach(k.queueLinks)
		k.queueLinks = nil
	}
	k.runnable = k.queueLinks != nil
	return err
}

// close ends the programs and frees the maps.
func (k *kernel) close() {
	detach(k.queueLinks)
	detach(k.links)
	k.settings.counters.close()
	k.rings.close()
	k.collection.Close()
}

// nodes are a cgroup's node ids.
type nodes struct {
	usage, cpu uint64
}

// cpuKeyMark tells ids of the cpu tree from those of the usage tree, as in bpf/slots.h.
const cpuKeyMark = 1 << 63

// track charges a cgroup, and all below it that nobody tracks, to a slot.
func (k *kernel) track(n nodes, slot uint32) error {
	k.rings.bandwidths[slot] = bandwidth{id: n.cpu}
	tracked := k.collection.Maps["tracked"]
	if err := tracked.Put(n.usage, slot); err != nil {
		return fmt.Errorf("tracking a cgroup: %w", err)
	}
	if !k.settings.oneTree {
		if err := tracked.Put(n.cpu|cpuKeyMark, slot); err != nil {
			return fmt.Errorf("tracking a cgroup: %w", err)
		}
	}
	return k.turn()
}

// forget ends what track began. The slot must not be given away before events under way are over.
func (k *kernel) forget(n nodes) error {
	tracked := k.collection.Maps["tracked"]
	err := tracked.Delete(n.usage)
	if !k.settings.oneTree {
		err = errors.Join(err, tracked.Delete(n.cpu|cpuKeyMark))
	}
	return errors.Join(err, k.turn())
}

// turn makes every CPU ask the maps again.
func (k *kernel) turn() error {
	k.generation++
	if err := k.collection.Variables["generation"].Set(k.generation); err != nil {
		return fmt.Errorf("telling the programs: %w", err)
	}
	return nil
}

// readBandwidth has the kernel refresh the bandwidth counters of the slots from one to before another, at most mostLooked,
// whose task group is known.
func (k *kernel) readBandwidth(from, until int) error {
	*k.rings.look = look{from: uint32(from), until: uint32(until)}
	_, err := k.collection.Programs[bandwidthProgram].Run(&k.run)
	return err
}

// treeFor chooses the hierarchy whose cgroups the kernel charges usage to.
func treeFor(trees cgroupfs.Trees) (usage tree, oneTree bool) {
	if trees.Unified() {
		return treeUnified, true
	}
	return treeCPUAcct, trees.Usage == trees.CPU
}
