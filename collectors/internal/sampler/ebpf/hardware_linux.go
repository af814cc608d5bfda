package ebpf

import (
	"errors"
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

// countedShift is the unit of counts in a cell, as in bpf/counters.h.
const countedShift = 6

// counter says what the processor is to count, as perf_event_open(2) does.
type counter struct {
	kind   uint32
	config uint64
}

// hardware are cycles in which a CPU did not halt, and instructions that it finished.
var hardware = [2]counter{
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES},
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS},
}

// counters are open counters by CPU; the descriptor of a CPU that is offline is noCounter.
type counters struct{ files [2][]int }

const noCounter = -1

// openCounters opens both on every CPU, or says why this host has none.
func openCounters(wanted [2]counter, possibleCPUs int) (*counters, error) {
	c := &counters{}
	for which, counter := range wanted {
		for cpu := range possibleCPUs {
			attributes := unix.PerfEventAttr{Type: counter.kind, Config: counter.config}
			attributes.Size = uint32(unix.PERF_ATTR_SIZE_VER5)
			file, err := unix.PerfEventOpen(&attributes, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
			if errors.Is(err, unix.ENODEV) {
				file = noCounter
			} else if err != nil {
				c.close()
				return nil, fmt.Errorf("counter %d of CPU %d: %w", which, cpu, err)
			}
			c.files[which] = append(c.files[which], file)
		}
	}
	return c, nil
}

func (c *counters) close() {
	if c == nil {
		return
	}
	for _, files := range c.files {
		for _, file := range files {
			if file != noCounter {
				_ = unix.Close(file) // nothing was written
			}
		}
	}
	c.files = [2][]int{} // closing twice is harmless
}

// useCounters tells the programs which counters to read.
func (k *kernel) useCounters() error {
	if k.settings.counters == nil {
		return nil
	}
	for which, name := range []string{"cycle_counters", "instruction_counters"} {
		for cpu, file := range k.settings.counters.files[which] {
			if file == noCounter {
				continue
			}
			if err := k.collection.Maps[name].Put(uint32(cpu), uint32(file)); err != nil {
				return fmt.Errorf("%s of CPU %d: %w", name, cpu, err)
			}
		}
	}
	return nil
}

// takeCounted empties the cells of cycles and instructions and states them by whether their slice was above the quota.
func (l *loop) takeCounted(s *shard, from, until int64) {
	var sum usagewindow.Hardware
	for i, usedNs := range l.amounts[:until-from] {
		at := cell(s.slot, from+int64(i))
		cycles := int64(take(&l.kernel.rings.cycles[at])) << countedShift
		instructions := int64(take(&l.kernel.rings.instructions[at])) << countedShift
		if s.limited && usedNs*s.periodUs > s.quotaUs*sliceNs {
			sum.CyclesAboveQuota += cycles
			sum.InstructionsAboveQuota += instructions
		} else {
			sum.CyclesBelowQuota += cycles
			sum.InstructionsBelowQuota += instructions
		}
	}
	if !l.repeating && !s.builder.Skipped() {
		s.builder.AddHardware(sum)
	}
}
