package tickpoll

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The sampling thread sleeps 100 times a second and then runs for some 10 to 500 us. Go's scheduler is
// not made for that: it keeps a processor reserved for a thread in a short system call and lets its
// monitor thread poll every 20 us until it takes it away, and it takes a thread that it has not seen
// being scheduled for 10 ms for one that runs too long, and preempts it in the middle of a sample. Both
// are avoided by telling it the truth, through functions that the runtime keeps reachable for such use.
// The measurements are in README.md of this folder.

// entersyscallblock announces a system call that will block, which gives up the processor at once.
//
//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

// exitsyscall ends it.
//
//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// procPin keeps the goroutine from being preempted. Nothing may block until procUnpin.
//
//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

// sleepUntil sleeps to an absolute instant of CLOCK_MONOTONIC on the calling thread.
func sleepUntil(monoNs int64) {
	spec := unix.NsecToTimespec(monoNs)
	for nanosleep(&spec) == unix.EINTR {
		continue
	}
}

//go:nosplit
//go:norace
func nanosleep(until *unix.Timespec) syscall.Errno {
	entersyscallblock()
	_, _, errno := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(until)), 0, 0, 0)
	exitsyscall()
	return errno
}
