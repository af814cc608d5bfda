// Package burn spends CPU time in amounts that are known beforehand.
//
// The burning loop never reads a clock. Reading a thread's CPU clock makes the kernel bring its
// counters up to date, which hides the tick quantisation that a collector has to live with on
// real services; a lab that did so would flatter every sampler it is used to judge.
package burn

import "time"

const (
	calibrationRounds = 60
	calibrationSteps  = 400_000
)

// Speed is how many steps of the burning loop one core does in a millisecond of undisturbed
// wall time. It belongs to one machine and one binary.
type Speed struct {
	StepsPerMs int64
}

// Steps returns the steps that cost workUs microseconds of CPU time, at least one.
func (s Speed) Steps(workUs int64) uint64 {
	return uint64(max(1, workUs*s.StepsPerMs/1000))
}

// WorkUs returns the CPU time, in microseconds, that a number of steps stands for.
func (s Speed) WorkUs(steps uint64) int64 {
	return int64(steps) * 1000 / s.StepsPerMs
}

// Calibrate measures the speed by the wall clock. It takes the best of many short rounds: on a
// busy machine most rounds are interrupted, and only the fastest tells what the core can do.
func Calibrate() Speed {
	best := time.Duration(1 << 62)
	var state uint64 = 1
	for range calibrationRounds {
		start := time.Now()
		state = Spend(calibrationSteps, state)
		if took := time.Since(start); took > 0 && took < best {
			best = took
		}
	}
	return Speed{StepsPerMs: max(1, calibrationSteps*int64(time.Millisecond)/int64(best))}
}

// Spend does the given number of steps of a xorshift generator and returns its state, so that
// no compiler can leave the work out. It must not be inlined for the same reason, and because
// its prologue is where the Go scheduler may ask a thread to pause.
//
//go:noinline
func Spend(steps, state uint64) uint64 {
	state |= 1
	for range steps {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	return state
}
