package stamp

import "golang.org/x/sys/unix"

// Now returns CLOCK_MONOTONIC in nanoseconds, the clock of all stamps.
func Now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err) // the kernel has had this clock since 2.6
	}
	return t.Nano()
}
