package offered

import (
	"math"
	"testing"
	"time"
)

func TestArrivalsAreAPoissonProcess(t *testing.T) {
	const rate, seconds = 50.0, 4000
	law := NewLaw(1, "checkout", "shard-0")
	counts := make([]float64, seconds)
	for at := law.Gap(rate); at < seconds*time.Second; at += law.Gap(rate) {
		counts[int(at/time.Second)]++
	}
	mean, variance := meanAndVariance(counts)
	// Four standard errors: sqrt(rate/seconds) for the mean, about rate*sqrt(2/seconds) for the variance.
	if math.Abs(mean-rate) > 4*math.Sqrt(rate/seconds) {
		t.Errorf("mean count per second is %.2f, want %.0f", mean, rate)
	}
	if dispersion := variance / mean; math.Abs(dispersion-1) > 4*math.Sqrt(2.0/seconds) {
		t.Errorf("index of dispersion is %.3f, want 1: the process is not Poisson", dispersion)
	}
}

func TestGapsHaveNoMemory(t *testing.T) {
	law := NewLaw(2, "checkout", "shard-0")
	const draws = 200_000
	gaps := make([]float64, draws)
	for i := range gaps {
		gaps[i] = law.Gap(1).Seconds()
	}
	var longer1, longer2 float64
	for _, gap := range gaps {
		if gap > 1 {
			longer1++
		}
		if gap > 2 {
			longer2++
		}
	}
	if given := longer2 / longer1; math.Abs(given-math.Exp(-1)) > 0.01 {
		t.Errorf("P(gap > 2 | gap > 1) = %.4f, want %.4f", given, math.Exp(-1))
	}
}

func TestWorkHasTheMeanAskedFor(t *testing.T) {
	law := NewLaw(3, "checkout", "shard-0")
	const meanUs, draws = 6000, 200_000
	var sum, longest int64
	for range draws {
		workUs := law.WorkUs(meanUs, Exponential)
		sum += workUs
		longest = max(longest, workUs)
	}
	if mean := float64(sum) / draws; math.Abs(mean-meanUs) > 60 {
		t.Errorf("mean work is %.0f us, want %d", mean, meanUs)
	}
	if bound := int64(longestWorkMeans*meanUs/cutMean) + 1; longest > bound {
		t.Errorf("longest work is %d us, the law is cut at %d", longest, bound)
	}
	if got := law.WorkUs(4000, Fixed); got != 4000 {
		t.Errorf("fixed work is %d us, want 4000", got)
	}
}

func TestSeedAndNameDecideEverything(t *testing.T) {
	first, same := NewLaw(7, "a", "shard-0"), NewLaw(7, "a", "shard-0")
	otherShard, otherSeed := NewLaw(7, "a", "shard-1"), NewLaw(8, "a", "shard-0")
	var differShard, differSeed bool
	for range 100 {
		gap := first.Gap(10)
		if gap != same.Gap(10) {
			t.Fatal("the same seed and shard drew another gap")
		}
		differShard = differShard || gap != otherShard.Gap(10)
		differSeed = differSeed || gap != otherSeed.Gap(10)
	}
	if !differShard || !differSeed {
		t.Error("another shard or another seed drew the same arrivals")
	}
}

func meanAndVariance(values []float64) (mean, variance float64) {
	for _, value := range values {
		mean += value / float64(len(values))
	}
	for _, value := range values {
		variance += (value - mean) * (value - mean) / float64(len(values)-1)
	}
	return mean, variance
}
