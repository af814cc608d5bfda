package kernelrun

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

const sampleInterval = 10 * time.Millisecond

// Sample is what the counters grew by since the sample before. All times are microseconds.
type Sample struct {
	ElapsedUs, UsageUs, Periods, ThrottledPeriods, ThrottledUs int64
}

// sampler reads a cgroup's counters every 10 ms, as a polling collector does.
type sampler struct {
	samples []Sample
	failure error
	stop    chan struct{}
	done    chan struct{}
}

func startSampler(group *cgroup.Group, before cgroup.Counters) *sampler {
	s := &sampler{stop: make(chan struct{}), done: make(chan struct{})}
	go s.run(group, before)
	return s
}

func (s *sampler) run(group *cgroup.Group, before cgroup.Counters) {
	defer close(s.done)
	// The thread ends with this goroutine: one that is first in line must start no server.
	runtime.LockOSThread()
	// Other load must not make samples late; without the right to say so they may be.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
	readAt := time.Now()
	for next := readAt.Add(sampleInterval); ; next = next.Add(sampleInterval) {
		time.Sleep(time.Until(next))
		select {
		case <-s.stop:
			return
		default:
		}
		now, err := group.Read()
		if err != nil {
			s.failure = err
			return
		}
		at := time.Now()
		deltas := now.Since(before)
		s.samples = append(s.samples, Sample{at.Sub(readAt).Microseconds(), deltas.UsageUs, deltas.Periods,
			deltas.ThrottledPeriods, deltas.ThrottledUs})
		before, readAt = now, at
	}
}

// end stops the sampling and gives what was read.
func (s *sampler) end() ([]Sample, error) {
	close(s.stop)
	<-s.done
	return s.samples, s.failure
}
