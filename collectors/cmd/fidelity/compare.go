package main

import (
	"math"
	"slices"

	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
)

// slice is what a method says about one stretch of time, about 10 ms.
type slice struct {
	// StartNs and EndNs are on CLOCK_MONOTONIC.
	StartNs, EndNs int64
	UsedNs         int64
}

// comparison is one method against the truth of one run.
type comparison struct {
	// Slices lie wholly inside the run; Expected is how many there should be.
	Slices   int `json:"slices"`
	Expected int `json:"expected_slices"`
	// MeanError is relative: mean used cores over the slices / those of the truth - 1.
	MeanError float64 `json:"mean_error_ratio"`
	// Distance is the earth mover's distance between the distributions of used cores per slice.
	Distance float64 `json:"earth_movers_distance_cores"`
	// SliceError is the root of the mean squared error of single slices over their own stretch of time.
	SliceError float64 `json:"slice_rms_error_cores"`
	// SumError is relative to the kernel's counter at rest before and after the run.
	SumError float64 `json:"sum_error_ratio"`
}

// compare judges the slices of a method. Grid is the start of a slice on CLOCK_MONOTONIC, for the truth is cut on
// the same grid; counted is what the kernel counted over the whole run.
func compare(said []slice, truth stamp.Truth, trial stamp.Trial, gridNs, countedNs int64) comparison {
	first := gridNs + (trial.StartNs-gridNs+sliceNs-1)/sliceNs*sliceNs
	count := int((trial.EndNs - first) / sliceNs)
	real := make([]float64, 0, count)
	for _, ns := range truth.Slices(first, sliceNs, count) {
		real = append(real, float64(ns)/sliceNs)
	}
	last := first + int64(count)*sliceNs
	result := comparison{Expected: count}
	var rates []float64
	var squares, saidNs, saidOverNs float64
	var sumNs int64
	cursor := newCursor(truth)
	for _, s := range said {
		sumNs += s.UsedNs
		if s.StartNs < first-sliceNs/2 || s.EndNs > last+sliceNs/2 {
			continue
		}
		elapsed := float64(s.EndNs - s.StartNs)
		rate := float64(s.UsedNs) / elapsed
		rates = append(rates, rate)
		saidNs, saidOverNs = saidNs+float64(s.UsedNs), saidOverNs+elapsed
		difference := rate - float64(cursor.between(s.StartNs, s.EndNs))/elapsed
		squares += difference * difference
	}
	result.Slices = len(rates)
	result.SumError = float64(sumNs)/float64(countedNs) - 1
	if len(rates) > 0 {
		result.MeanError = saidNs/saidOverNs/mean(real) - 1
		result.Distance = earthMovers(rates, real)
		result.SliceError = math.Sqrt(squares / float64(len(rates)))
	}
	return result
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// earthMovers is the least work that turns one distribution into the other: the area between their
// quantile functions. It sorts both.
func earthMovers(a, b []float64) float64 {
	slices.Sort(a)
	slices.Sort(b)
	work, at := 0.0, 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		nextA, nextB := float64(i+1)/float64(len(a)), float64(j+1)/float64(len(b))
		next := math.Min(nextA, nextB)
		work += (next - at) * math.Abs(a[i]-b[j])
		at = next
		if nextA <= next {
			i++
		}
		if nextB <= next {
			j++
		}
	}
	return work
}

// cursor adds up the truth over any stretch in the time of a binary search.
type cursor struct {
	threads []threadTruth
}

// threadTruth is one thread's intervals with the CPU time before each.
type threadTruth struct {
	intervals []stamp.Interval
	before    []int64
}

func newCursor(truth stamp.Truth) cursor {
	byThread := map[int]*threadTruth{}
	for _, i := range truth.Intervals {
		t := byThread[i.Thread]
		if t == nil {
			t = &threadTruth{}
			byThread[i.Thread] = t
		}
		used := int64(0)
		if n := len(t.intervals); n > 0 {
			used = t.before[n-1] + t.intervals[n-1].EndNs - t.intervals[n-1].StartNs
		}
		t.intervals, t.before = append(t.intervals, i), append(t.before, used)
	}
	var c cursor
	for _, t := range byThread {
		c.threads = append(c.threads, *t)
	}
	return c
}

func (c cursor) between(startNs, endNs int64) int64 {
	var total int64
	for _, t := range c.threads {
		total += t.until(endNs) - t.until(startNs)
	}
	return total
}

// until is the CPU time of the thread up to an instant.
func (t threadTruth) until(ns int64) int64 {
	k, _ := slices.BinarySearchFunc(t.intervals, ns, func(i stamp.Interval, ns int64) int {
		if i.StartNs <= ns {
			return -1
		}
		return 1
	})
	if k == 0 {
		return 0
	}
	i := t.intervals[k-1]
	return t.before[k-1] + min(ns, i.EndNs) - i.StartNs
}
