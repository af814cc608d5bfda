package ebpf

import (
	"bytes"
	_ "embed"
	"fmt"

	cilium "github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
)

//go:generate go run ./compile

// object is what ./compile makes of the sources in bpf/.
//
//go:embed bpf/sampler.o
var object []byte

// settings are the constants that the programs are loaded with.
type settings struct {
	// slots is how many cgroups have a ring, plus one: slot 0 is no cgroup.
	slots int
	// possibleCPUs is the highest CPU number that this kernel may ever use, plus one.
	possibleCPUs int
	usageTree    tree
	oneTree      bool
	wallOffsetNs int64
	usageShift   uint32
	// byName is whether CPU time above the quota is told by thread names.
	byName bool
	// counters are open ones of cycles and instructions; nil if they are not counted.
	counters *counters
	// types, if set, are this kernel's, already parsed.
	types *btf.Cache
}

// rings is how many rings of usage there are: after those of the slots one per CPU for everything else.
func (s settings) rings() int { return s.slots + s.possibleCPUs }

// tree says in which hierarchy a cgroup is looked up. The values are those of bpf/slots.h.
type tree uint32

const (
	treeCPU tree = iota
	treeCPUAcct
	treeUnified
)

// ringSlices is the length of a ring, as in bpf/ring.h.
const ringSlices = 1024

// specOf returns the programs and maps, sized and set for this host.
func specOf(s settings) (*cilium.CollectionSpec, error) {
	spec, err := cilium.LoadCollectionSpecFromReader(bytes.NewReader(object))
	if err != nil {
		return nil, fmt.Errorf("the built-in BPF object: %w", err)
	}
	constants := map[string]any{
		"usage_tree": uint32(s.usageTree), "one_tree": uint32(0), "possible_cpus": uint32(s.possibleCPUs),
		"wall_offset_ns": uint64(s.wallOffsetNs), "usage_shift": s.usageShift,
		"by_name": uint32(0), "other_rings": uint32(s.slots), "counting": uint32(0),
	}
	if s.oneTree {
		constants["one_tree"] = uint32(1)
	}
	if s.byName {
		constants["by_name"] = uint32(1)
		spec.Maps["names"].MaxEntries, spec.Maps["verdicts"].MaxEntries = mostNames, uint32(s.slots)
	}
	if s.counters != nil {
		constants["counting"] = uint32(1)
		for _, name := range []string{"cycles", "instructions"} {
			spec.Maps[name].MaxEntries = uint32(s.slots)
		}
		for _, name := range []string{"cycle_counters", "instruction_counters"} {
			spec.Maps[name].MaxEntries = uint32(s.possibleCPUs)
		}
	}
	for name, value := range constants {
		if err := spec.Variables[name].Set(value); err != nil {
			return nil, fmt.Errorf("BPF constant %s: %w", name, err)
		}
	}
	for _, name := range []string{"runnable", "throttled", "bandwidths"} {
		spec.Maps[name].MaxEntries = uint32(s.slots)
	}
	spec.Maps["usage"].MaxEntries = uint32(s.rings())
	spec.Maps["queues"].MaxEntries = uint32(s.slots * s.possibleCPUs)
	spec.Maps["tracked"].MaxEntries = uint32(2 * s.slots)
	return spec, nil
}
