package discovery

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTimeOf does some work and returns the CPU time that it took on this thread. Wall time would count
// the waiting on a busy host too, and make the finder rarer where it costs no more.
func cpuTimeOf(work func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	work()
	return threadTime() - before
}

// threadTime is 0 where the kernel does not say, which it always does.
func threadTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
