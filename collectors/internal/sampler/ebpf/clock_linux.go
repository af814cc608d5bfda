package ebpf

import (
	"math"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

const (
	sliceNs = usagewindow.SampleIntervalUs * 1000
	// closeReadings is how many pairs of clock readings the narrowest is chosen from.
	closeReadings = 8
)

// monotonicNs reads the clock of the programs.
func monotonicNs() int64 { return clockNs(unix.CLOCK_MONOTONIC) }

func clockNs(id int32) int64 {
	var spec unix.Timespec
	if err := unix.ClockGettime(id, &spec); err != nil {
		return 0
	}
	return spec.Nano()
}

// wallOffsetNs is what wall time is ahead of the monotonic clock now.
func wallOffsetNs() int64 {
	var offset int64
	narrowest := int64(math.MaxInt64)
	for range closeReadings {
		before := monotonicNs()
		wall := clockNs(unix.CLOCK_REALTIME)
		if width := monotonicNs() - before; width < narrowest {
			narrowest, offset = width, wall-before-width/2
		}
	}
	return offset
}

// slicing numbers slices as the programs do, and translates to slots of wall time. Slices keep the edges that they had at
// the start; while the wall clock is slewed or set, the slot of a slice moves by whole slots.
type slicing struct {
	offsetNs int64
	// ahead is how many slots wall time has moved since.
	ahead int64
}

// sliceAt is the slice that is under way at an instant of the monotonic clock.
func (s slicing) sliceAt(monotonicNs int64) int64 { return (monotonicNs + s.offsetNs) / sliceNs }

// beginNs is when a slice begins on the monotonic clock.
func (s slicing) beginNs(slice int64) int64 { return slice*sliceNs - s.offsetNs }

// slotOf is the slot that a slice stands for: the one that ends nearest to its end.
func (s slicing) slotOf(slice int64) int64 { return slice + 1 + s.ahead }

// sliceOf is the inverse of slotOf.
func (s slicing) sliceOf(slot int64) int64 { return slot - 1 - s.ahead }

// follow takes the wall clock's present offset and returns by how many slots it has moved since the last time.
func (s *slicing) follow(offsetNs int64) (moved int64) {
	ahead := floorDiv(offsetNs-s.offsetNs+sliceNs/2, sliceNs)
	moved = ahead - s.ahead
	s.ahead = ahead
	return moved
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// tickHz is the kernel's timer frequency: the resolution of the coarse clock. False where it states none.
func tickHz() (int32, bool) {
	var resolution unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &resolution); err != nil || resolution.Nano() <= 0 {
		return 0, false
	}
	return int32((1_000_000_000 + resolution.Nano()/2) / resolution.Nano()), true
}
