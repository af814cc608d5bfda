package tickpoll

import (
	"math"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"golang.org/x/sys/unix"
)

// clock reads wall time and CLOCK_MONOTONIC together. Go's monotonic time is CLOCK_MONOTONIC without
// its origin; the origin is measured once, so that absolute sleeps and readings share one axis.
type clock struct {
	base   time.Time
	origin int64
	// suspended is how far CLOCK_BOOTTIME was ahead of CLOCK_MONOTONIC when last asked: the time for
	// which the host was suspended since it started.
	suspended int64
}

// timekeeper is the time by which the loop runs.
type timekeeper interface {
	// now returns nanoseconds since the Unix epoch and on CLOCK_MONOTONIC, mono the latter alone.
	now() (wallNs, monoNs int64)
	mono() int64
	// sleepUntil sleeps to an instant of CLOCK_MONOTONIC.
	sleepUntil(monoNs int64)
	// seeTick waits for a tick, at most until giveUpNs.
	seeTick(giveUpNs int64) (atNs int64, seen bool)
	// asleep returns for how long the host was suspended since it was last asked.
	asleep() time.Duration
}

func newClock() *clock {
	best := &clock{}
	narrowest := time.Duration(1<<63 - 1)
	for range 16 {
		before := time.Now()
		mono := nanosOf(unix.CLOCK_MONOTONIC)
		if width := time.Since(before); width < narrowest {
			narrowest = width
			best = &clock{base: before, origin: mono - int64(width)/2}
		}
	}
	best.asleep()
	return best
}

// suspendNoise is more than two clock readings one after the other differ by, unless the thread was
// held up between them, which is then tried again.
const suspendNoise = 2 * time.Millisecond

func (c *clock) asleep() time.Duration {
	suspended := c.suspended
	for range 16 {
		before := nanosOf(unix.CLOCK_MONOTONIC)
		boot := nanosOf(unix.CLOCK_BOOTTIME)
		if after := nanosOf(unix.CLOCK_MONOTONIC); after-before < int64(suspendNoise)/2 {
			suspended = boot - before
			break
		}
	}
	since := time.Duration(suspended - c.suspended)
	if since < suspendNoise {
		return 0
	}
	c.suspended = suspended
	return since
}

// now returns nanoseconds since the Unix epoch and on CLOCK_MONOTONIC.
func (c *clock) now() (wallNs, monoNs int64) { return together(c) }

// both reads the wall clock between two readings of the monotonic one.
func (c *clock) both() (beforeNs, wallNs, afterNs int64) {
	before := c.mono()
	now := time.Now() // Go reads the wall clock first
	return before, now.UnixNano(), c.origin + int64(now.Sub(c.base))
}

// bracketed is a wall clock that is read between two readings of the monotonic one.
type bracketed interface {
	both() (beforeNs, wallNs, afterNs int64)
}

const (
	// togetherWithinNs is how far apart readings of two clocks may be to count as one: a fifth of what passes for a step.
	togetherWithinNs = sampler.TooLateNs / 5
	// togetherTries is how often they are read until they are.
	togetherTries = 16
)

// together reads two clocks at one instant. A thread that is held up between them, as in a starved virtual machine, would
// see the wall clock step away and back; such a pair is read again, and the closest one holds.
func together(clocks bracketed) (wallNs, monoNs int64) {
	closest := int64(math.MaxInt64)
	for range togetherTries {
		before, wall, after := clocks.both()
		if apart := after - before; apart < closest {
			closest, wallNs, monoNs = apart, wall, before+apart/2
		}
		if closest <= togetherWithinNs {
			break
		}
	}
	return wallNs, monoNs
}

// mono returns nanoseconds on CLOCK_MONOTONIC.
func (c *clock) mono() int64 { return c.origin + int64(time.Since(c.base)) }

// sleepUntil sleeps to an absolute instant of CLOCK_MONOTONIC on the calling thread.
func (*clock) sleepUntil(monoNs int64) {
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
func (c *clock) seeTick(giveUpNs int64) (atNs int64, seen bool) {
	coarse := nanosOf(unix.CLOCK_MONOTONIC_COARSE)
	for {
		changed := nanosOf(unix.CLOCK_MONOTONIC_COARSE) != coarse
		now := c.mono()
		if changed || now >= giveUpNs {
			return now, changed
		}
	}
}
