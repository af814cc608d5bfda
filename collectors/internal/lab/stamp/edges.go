package stamp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// Edges is the kernel's work that a thread is charged for after its last stamp, by how it left the CPU.
type Edges struct {
	SleptNs, SwitchedNs int64
	// Sleeps and Switches are how many hand-overs the figures are medians of.
	Sleeps, Switches int
}

const (
	calibrateFor = 1500 * time.Millisecond
	// handoverMaxNs separates a hand-over between our two threads from one with a third in between.
	handoverMaxNs = 60_000
	handoversMin  = 30
)

// Calibrate lets two threads take turns on one CPU. From the last stamp of one to the first of the
// other there is nothing but the kernel's work of leaving, which the first is charged for, and a
// microsecond of arriving. They do so in a cgroup of the folder, whose weight keeps other processes of a busy machine away.
func Calibrate(program string, folder *cgroup.Folder) (Edges, error) {
	group, err := folder.Create("calibration", "turns", cgroup.Limits{CpuShares: 1024})
	if err != nil {
		return Edges{}, err
	}
	edges, err := takeTurns(program, group)
	_, cleared := folder.Clear()
	return edges, errors.Join(err, cleared)
}

func takeTurns(program string, group *cgroup.Group) (Edges, error) {
	load := Load{Threads: 2, Cpus: 1, BusyMin: 2 * time.Millisecond, BusyMax: 4 * time.Millisecond,
		IdleMin: 300 * time.Microsecond, IdleMax: 700 * time.Microsecond, Seed: 1}
	trial, err := Run(program, load, calibrateFor, group, nil)
	if err != nil {
		return Edges{}, err
	}
	return trial.Truth.handovers()
}

func (t Truth) handovers() (Edges, error) {
	ordered := slices.SortedFunc(slices.Values(t.Intervals), func(a, b Interval) int {
		return cmp.Or(cmp.Compare(a.Cpu, b.Cpu), cmp.Compare(a.StartNs, b.StartNs))
	})
	var slept, switched []int64
	for k := 1; k < len(ordered); k++ {
		left, came := ordered[k-1], ordered[k]
		gap := came.StartNs - left.EndNs
		if left.Cpu != came.Cpu || left.Thread == came.Thread || gap < 0 || gap > handoverMaxNs {
			continue
		}
		switch left.End {
		case Slept:
			slept = append(slept, gap)
		case Switched:
			switched = append(switched, gap)
		case Stolen:
		}
	}
	if len(slept) < handoversMin || len(switched) < handoversMin {
		return Edges{}, fmt.Errorf("calibrating: %d sleeps and %d switches between two threads are too few; is the machine overloaded?",
			len(slept), len(switched))
	}
	return Edges{SleptNs: median(slept), SwitchedNs: median(switched), Sleeps: len(slept), Switches: len(switched)}, nil
}

func median(values []int64) int64 {
	slices.Sort(values)
	return values[len(values)/2]
}
