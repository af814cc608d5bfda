package tickpoll

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// errNotRealtime tells that the sampling thread runs at normal priority.
var errNotRealtime = errors.New("sampling thread stays at normal priority")

// makeRealtime gives the calling thread, which must be locked to its goroutine, the lowest real-time
// priority. It needs CAP_SYS_NICE or a limit of RLIMIT_RTPRIO of at least 1; with group scheduling of
// real-time tasks on v1, also a cpu.rt_runtime_us above 0. Threads that the Go runtime clones from
// this one go back to normal.
func makeRealtime() error {
	err := unix.SchedSetAttr(0, &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   unix.SCHED_FIFO,
		Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
		Priority: 1,
	}, 0)
	if err != nil {
		return fmt.Errorf("%w: SCHED_FIFO refused (%w); CAP_SYS_NICE or RLIMIT_RTPRIO >= 1 would enable it"+
			" and samples would be less late on a busy host", errNotRealtime, err)
	}
	return nil
}
