package ebpf

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	cilium "github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// queue is what a program last saw of a run queue. The layout is that of bpf/queues.h.
type queue struct {
	sinceNs   uint64
	runnable  uint32
	throttled uint32
}

const (
	// mostNotes is how many period notes of a slot are kept, as in bpf/bandwidth.h.
	mostNotes = 32
	// mostLooked is how many slots one run reads, as in bpf/bandwidth.h.
	mostLooked = 1024
	// never is the dueNs of a cgroup of which nothing is noted any more.
	never = 1<<64 - 1
)

// periodNote is laid out as struct period_note in bpf/bandwidth.h.
type periodNote struct {
	atNs                      uint64
	periods, throttledPeriods uint32
}

// bandwidth is laid out as in bpf/bandwidth.h.
type bandwidth struct {
	id, group, serial                      uint64
	watched, dueNs, valid                  uint64
	periods, throttledPeriods, throttledNs uint64
	bursts, burstNs                        uint64
	periodEndNs, hasBursts                 uint64
	throttledWallNs, throttledSinceNs      uint64
	noted                                  uint64
	notes                                  [mostNotes]periodNote
}

// look is laid out as in bpf/bandwidth.h.
type look struct{ from, until uint32 }

// mostDoubts is how many queues one run resolves, as in bpf/doubts.h.
const mostDoubts = 512

// doubt is a queue of a slot that nothing has happened on for long.
type doubt struct{ slot, cpu uint32 }

// doubts are laid out as in bpf/doubts.h.
type doubts struct {
	count, _ uint32
	queues   [mostDoubts]doubt
}

// verdicts are laid out as in bpf/names.h.
type verdicts struct {
	allowance, _ uint32
	above        [ringSlices]uint8
}

// rings are the memory that the programs write and we read.
type rings struct {
	mapped [][]byte

	usage, runnable []uint32
	// cycles and instructions are nil unless they are counted.
	cycles, instructions []uint32
	throttled            []uint8
	queues               []queue
	bandwidths           []bandwidth
	look                 *look
	doubts               *doubts
	// verdicts is nil unless threads are told by name.
	verdicts []verdicts
}

func openRings(collection *cilium.Collection, s settings) (*rings, error) {
	r := &rings{}
	var err error
	share := func(name string) (memory []byte) {
		if err == nil {
			memory, err = r.share(collection.Maps[name])
		}
		return memory
	}
	r.usage = valuesOf[uint32](share("usage"), s.rings()*ringSlices)
	r.bandwidths = valuesOf[bandwidth](share("bandwidths"), s.slots)
	if s.counters != nil {
		r.cycles = valuesOf[uint32](share("cycles"), s.slots*ringSlices)
		r.instructions = valuesOf[uint32](share("instructions"), s.slots*ringSlices)
	}
	if s.byName {
		r.verdicts = valuesOf[verdicts](share("verdicts"), s.slots)
	}
	looks := valuesOf[look](share("looks"), 1)
	unsure := valuesOf[doubts](share("doubts"), 1)
	if err == nil && collection.Programs[runnablePrograms[0]] != nil {
		r.runnable = valuesOf[uint32](share("runnable"), s.slots*ringSlices)
		r.throttled = valuesOf[uint8](share("throttled"), s.slots*ringSlices)
		r.queues = valuesOf[queue](share("queues"), s.slots*s.possibleCPUs)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	r.look, r.doubts = &looks[0], &unsure[0]
	return r, nil
}

// share maps an array into our memory.
func (r *rings) share(array *cilium.Map) ([]byte, error) {
	size := int(array.ValueSize()+7) / 8 * 8 * int(array.MaxEntries()) // entries are multiples of 8 bytes apart
	page := os.Getpagesize()
	memory, err := unix.Mmap(array.FD(), 0, (size+page-1)/page*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", array, err)
	}
	r.mapped = append(r.mapped, memory)
	return memory, nil
}

// mappedBytes is how much of the maps is mapped into this process. All of it counts as resident.
func (r *rings) mappedBytes() (sum int64) {
	for _, memory := range r.mapped {
		sum += int64(len(memory))
	}
	return sum
}

func (r *rings) close() {
	if r == nil {
		return
	}
	for _, memory := range r.mapped {
		_ = unix.Munmap(memory) // ours and no longer used
	}
	r.mapped = nil
}

// valuesOf sees mapped memory as values; nil of nil.
func valuesOf[T any](memory []byte, count int) []T {
	if memory == nil {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), count)
}

// cell is the place of a slice in a slot's ring.
func cell(slot uint32, slice int64) int { return int(slot)*ringSlices + int(slice&(ringSlices-1)) }

// take empties a cell and returns what was in it. Programs on other CPUs may add meanwhile.
func take(at *uint32) uint32 {
	if atomic.LoadUint32(at) == 0 {
		return 0
	}
	return atomic.SwapUint32(at, 0)
}

// takeOther empties the cells of a slice in the rings of everything else.
func (r *rings) takeOther(s settings, slice int64) (sum int64) {
	for ring := s.slots; ring < s.rings(); ring++ {
		sum += int64(take(&r.usage[cell(uint32(ring), slice)]))
	}
	return sum << s.usageShift
}

// wipe empties everything of a slot that nothing is charged to.
func (r *rings) wipe(slot uint32, possibleCPUs int) {
	from, to := cell(slot, 0), cell(slot, 0)+ringSlices
	clear(r.usage[from:to])
	r.bandwidths[slot] = bandwidth{}
	if r.verdicts != nil {
		r.verdicts[slot] = verdicts{}
	}
	if r.cycles != nil {
		clear(r.cycles[from:to])
		clear(r.instructions[from:to])
	}
	if r.runnable != nil {
		clear(r.runnable[from:to])
		clear(r.throttled[from:to])
		clear(r.queues[int(slot)*possibleCPUs : int(slot+1)*possibleCPUs])
	}
}
