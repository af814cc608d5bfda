package main

import (
	"math"
	"slices"
)

// pairs judges rounds that alternate: without, with, without, with, .. without. Each round with is compared
// with the mean of its two neighbours, so that a machine that drifts slowly does not count as a cost.
type pairs struct {
	// Without is the median round without.
	Without float64 `json:"without"`
	// Added is the median of the differences, with minus without.
	Added float64 `json:"added"`
	// Noise is how far the median of as many differences would be off if there were nothing: from the
	// differences' own spread around their median.
	Noise  float64 `json:"noise"`
	Rounds int     `json:"rounds"`
}

// judge takes len(with)+1 rounds without.
func judge(without, with []float64) pairs {
	var differences []float64
	for k, value := range with {
		differences = append(differences, value-(without[k]+without[k+1])/2)
	}
	added := median(differences)
	var off []float64
	for _, d := range differences {
		off = append(off, math.Abs(d-added))
	}
	// 1.4826 makes a median deviation a standard deviation of normal noise, 1.2533 is the
	// standard error of a median in units of that of a mean.
	noise := 1.4826 * 1.2533 * median(off) / math.Sqrt(float64(len(differences)))
	return pairs{Without: median(without), Added: added, Noise: noise, Rounds: len(with)}
}

// Ratio is the cost as a share of what it was without.
func (p pairs) Ratio() float64 { return p.Added / p.Without }

// NoiseRatio is the noise on the same scale.
func (p pairs) NoiseRatio() float64 { return p.Noise / p.Without }

func median(values []float64) float64 {
	ordered := slices.Sorted(slices.Values(values))
	n := len(ordered)
	return (ordered[(n-1)/2] + ordered[n/2]) / 2
}
