package burn

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestStepsAndWorkAreInverse(t *testing.T) {
	speed := Speed{StepsPerMs: 480_000}
	for _, workUs := range []int64{1, 100, 6000, 1_000_000} {
		if got := speed.WorkUs(speed.Steps(workUs)); got != workUs {
			t.Errorf("%d us became %d us", workUs, got)
		}
	}
	if got := speed.Steps(0); got != 1 {
		t.Errorf("no work is %d steps, want the least of 1", got)
	}
}

// threadCPU is the CPU time that the calling thread has had: neighbours take none of it.
func threadCPU(t *testing.T) time.Duration {
	t.Helper()
	var spent unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &spent); err != nil {
		t.Fatal(err)
	}
	return time.Duration(spent.Nano())
}

func TestSpendCostsWhatTheCalibrationSays(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	speed := Calibrate()
	best := time.Hour
	for range 30 {
		start := threadCPU(t)
		Spend(speed.Steps(2000), 7)
		best = min(best, threadCPU(t)-start)
	}
	// A neighbour on the same core can only make it dearer; the best of many rounds must be near the promise.
	if best < 1500*time.Microsecond || best > 4*time.Millisecond {
		t.Errorf("2 ms of work cost %v of CPU time at best", best)
	}
}
