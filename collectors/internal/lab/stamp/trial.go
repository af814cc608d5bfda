package stamp

import (
	"errors"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// Trial is one run of a load in a cgroup: what the threads stamped, and what the kernel counted
// between two instants at which all of them slept, so that its figure is exact.
type Trial struct {
	Truth          Truth
	StartNs, EndNs int64
	Counted        cgroup.Deltas
}

// settle is how long nobody runs before the first and after the last stamp.
const settle = 100 * time.Millisecond

// Run runs a load in a cgroup of its own, which the caller makes and removes. It calls began, if not
// nil, when the threads are in the cgroup and still sleep.
func Run(program string, load Load, duration time.Duration, group *cgroup.Group, began func()) (Trial, error) {
	spinner, err := Start(program, load, duration, group.ProcsFiles())
	if err != nil {
		return Trial{}, err
	}
	if began != nil {
		began()
	}
	trial, err := spinner.trial(duration, group)
	if err != nil {
		return Trial{}, errors.Join(err, spinner.Kill())
	}
	trial.Truth, err = spinner.Truth()
	return trial, err
}

func (s *Spinner) trial(duration time.Duration, group *cgroup.Group) (Trial, error) {
	time.Sleep(settle)
	before, err := group.Read()
	if err != nil {
		return Trial{}, err
	}
	startNs := Now() + int64(settle)
	trial := Trial{StartNs: startNs, EndNs: startNs + int64(duration)}
	if err := s.Begin(trial.StartNs, trial.EndNs); err != nil {
		return Trial{}, err
	}
	if err := s.Wait(); err != nil {
		return Trial{}, err
	}
	time.Sleep(settle)
	after, err := group.Read()
	trial.Counted = after.Since(before)
	return trial, err
}
