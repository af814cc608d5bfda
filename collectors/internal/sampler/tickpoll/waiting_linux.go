package tickpoll

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// parking is a clock that waits for a timer descriptor in Go's network poller. Its goroutine parks as for
// any other event, so every processor of the runtime is idle meanwhile and the runtime's monitor thread
// sleeps too. A thread that sleeps in a system call instead keeps its processor, and the monitor looks
// after it many times per slot, which costs more than reading a hundred cgroups.
type parking struct {
	*clock
	file  *os.File
	timer syscall.RawConn
	// wait is kept, with what it uses, so that a wait allocates nothing.
	wait  func(fd uintptr) bool
	due   int64
	armed bool
	spec  unix.ItimerSpec
	// failed is why the timer could not be set.
	failed syscall.Errno
}

func newParking(clock *clock) (*parking, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	p := &parking{clock: clock, file: os.NewFile(uintptr(fd), "timer")}
	if p.timer, err = p.file.SyscallConn(); err != nil {
		return nil, err
	}
	p.wait = p.arm
	return p, nil
}

// arm is asked whether the wait is over: at first, when the poller has forgotten older events, and after each event. It sets
// the timer then and after an event that came too early, without telling the scheduler, which does not wait here. Nobody
// reads the timer, because setting it makes it unread.
func (p *parking) arm(fd uintptr) bool {
	if p.armed && p.mono() >= p.due {
		return true
	}
	_, _, p.failed = unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, fd, unix.TFD_TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&p.spec)), 0, 0, 0)
	p.armed = true
	return p.failed != 0
}

func (p *parking) close() { _ = p.file.Close() } // nothing was written

// sleepUntil parks until the timer has expired.
func (p *parking) sleepUntil(monoNs int64) {
	if monoNs <= p.mono() {
		return
	}
	p.due, p.armed, p.failed, p.spec.Value = monoNs, false, 0, unix.NsecToTimespec(monoNs)
	if err := p.timer.Read(p.wait); err != nil || p.failed != 0 {
		p.clock.sleepUntil(monoNs)
	}
}

// monitorSlackNs is how late the other threads' short sleeps may be. The runtime's monitor thread asks
// for 20 us while a processor is in a system call; it may as well look once per tick, and backs off to
// 10 ms by itself.
const monitorSlackNs = 4_000_000

// slackenOthers lets all threads but the calling one wake with a tick. It needs CAP_SYS_NICE; without, the
// sampling thread is as punctual and the agent costs up to 2 % of a CPU more.
func slackenOthers() error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	self := strconv.Itoa(unix.Gettid())
	for _, task := range tasks {
		if task.Name() == self {
			continue
		}
		// A thread's own file is below /proc, not below its process's task folder.
		err := os.WriteFile("/proc/"+task.Name()+"/timerslack_ns", strconv.AppendInt(nil, monitorSlackNs, 10), 0)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
