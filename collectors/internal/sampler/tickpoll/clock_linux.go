package tickpoll

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock reads wall time and CLOCK_MONOTONIC together. Go's monotonic time is CLOCK_MONOTONIC without
// its origin; the origin is measured once, so that absolute sleeps and readings share one axis.
type clock struct {
	base   time.Time
	origin int64
}

func newClock() clock {
	best := clock{}
	narrowest := time.Duration(1<<63 - 1)
	for range 16 {
		before := time.Now()
		mono := nanosOf(unix.CLOCK_MONOTONIC)
		if width := time.Since(before); width < narrowest {
			narrowest = width
			best = clock{base: before, origin: mono - int64(width)/2}
		}
	}
	return best
}

// now returns nanoseconds since the Unix epoch and on CLOCK_MONOTONIC.
func (c clock) now() (wallNs, monoNs int64) {
	now := time.Now()
	return now.UnixNano(), c.origin + int64(now.Sub(c.base))
}

// mono returns nanoseconds on CLOCK_MONOTONIC.
func (c clock) mono() int64 { return c.origin + int64(time.Since(c.base)) }

// sleepUntil sleeps to an absolute instant of CLOCK_MONOTONIC on the calling thread.
func sleepUntil(monoNs int64) {
	until := unix.NsecToTimespec(monoNs)
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil) == unix.EINTR {
		continue
	}
}

// nanosOf reads a clock by system call. It is used where Go's own time will not do: the coarse clock.
func nanosOf(id int32) int64 {
	var spec unix.Timespec
	if err := unix.ClockGettime(id, &spec); err != nil {
		return 0
	}
	return spec.Nano()
}

// tickPeriod asks the kernel for its tick length: the resolution of the coarse clock.
func tickPeriod() int64 {
	var spec unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &spec); err != nil {
		return 0
	}
	return spec.Nano()
}

// seeTick spins until the coarse clock moves, which happens in the tick's handler, and returns when
// that was. It reports false when no tick came by giveUpNs: an idle timekeeping CPU skips ticks.
func (c clock) seeTick(giveUpNs int64) (atNs int64, seen bool) {
	coarse := nanosOf(unix.CLOCK_MONOTONIC_COARSE)
	for {
		changed := nanosOf(unix.CLOCK_MONOTONIC_COARSE) != coarse
		now := c.mono()
		if changed || now >= giveUpNs {
			return now, changed
		}
	}
}
