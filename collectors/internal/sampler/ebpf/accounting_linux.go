package ebpf

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// cpuState is laid out as struct cpu_state in bpf/slots.h.
type cpuState struct {
	Remembered         [2 * 4 * 3]uint64
	Runs               uint64
	TimedRuns, TimedNs uint64
	LostNs             uint64
}

// cost is what the programs have cost and lost since they were attached.
type cost struct {
	runs uint64
	// runNs is estimated: one run in 1024 is timed.
	runNs int64
	// lostNs is CPU time that was charged later than half a ring after it was used.
	lostNs uint64
}

// cost sums the states of all CPUs.
func (k *kernel) cost() (cost, error) {
	var states []cpuState
	if err := k.collection.Maps["cpus"].Lookup(uint32(0), &states); err != nil {
		return cost{}, fmt.Errorf("reading the cost of the programs: %w", err)
	}
	var sum cost
	var timedRuns, timedNs uint64
	for _, state := range states {
		sum.runs += state.Runs
		sum.lostNs += state.LostNs
		timedRuns += state.TimedRuns
		timedNs += state.TimedNs
	}
	if timedRuns > 0 {
		sum.runNs = int64(float64(timedNs) / float64(timedRuns) * float64(sum.runs))
	}
	return sum, nil
}

// mapBytes is the memory of all maps as the kernel states it.
func (k *kernel) mapBytes() (int64, error) {
	var total int64
	for name, m := range k.collection.Maps {
		text, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", m.FD()))
		if err != nil {
			return 0, err
		}
		size, err := memlock(text)
		if err != nil {
			return 0, fmt.Errorf("map %s: %w", name, err)
		}
		total += size
	}
	return total, nil
}

// memlock finds "memlock:\t8192".
func memlock(fdinfo []byte) (int64, error) {
	for line := range bytes.Lines(fdinfo) {
		if name, value, found := bytes.Cut(line, []byte(":")); found && string(name) == "memlock" {
			return strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
		}
	}
	return 0, fmt.Errorf("no memlock in %q", fdinfo)
}
