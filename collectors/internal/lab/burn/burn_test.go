package burn

import (
	"testing"
	"time"
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

func TestSpendCostsWhatTheCalibrationSays(t *testing.T) {
	speed := Calibrate()
	best := time.Hour
	for range 30 {
		start := time.Now()
		Spend(speed.Steps(2000), 7)
		best = min(best, time.Since(start))
	}
	// Neighbours can only make it slower; the best of many rounds must be near the promise.
	if best < 1500*time.Microsecond || best > 4*time.Millisecond {
		t.Errorf("2 ms of work took %v at best", best)
	}
}
