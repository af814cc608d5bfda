// Package cfs holds the arithmetic of CFS bandwidth control: limits, excursions above them and
// runs of throttled periods. It knows no files and no clocks.
package cfs

import (
	"math"
	"math/bits"
)

// Bandwidth is a CFS limit as the kernel states it in cpu.max or cpu.cfs_quota_us:
// at most QuotaUs of CPU time in every PeriodUs of wall time, both positive.
// "400000 100000" is four cores. A cgroup that says "max" or -1 has no Bandwidth at all:
// readers return (Bandwidth, limited bool, error).
type Bandwidth struct {
	QuotaUs  int64
	PeriodUs int64
}

// Exceeds reports whether usageNs spent in wallNs is a higher rate than the quota allows.
// It cross-multiplies in 128 bits, so that neither rounding nor overflow can decide the answer.
func (b Bandwidth) Exceeds(usageNs, wallNs int64) bool {
	usedHi, usedLo := bits.Mul64(uint64(usageNs), uint64(b.PeriodUs))
	allowedHi, allowedLo := bits.Mul64(uint64(b.QuotaUs), uint64(wallNs))
	return usedHi > allowedHi || usedHi == allowedHi && usedLo > allowedLo
}

// AllowanceNs returns floor(quota * wallNs / period): the CPU time that wallNs entitles to.
func (b Bandwidth) AllowanceNs(wallNs int64) int64 {
	hi, lo := bits.Mul64(uint64(b.QuotaUs), uint64(wallNs))
	if hi >= uint64(b.PeriodUs) {
		return math.MaxInt64
	}
	allowance, _ := bits.Div64(hi, lo, uint64(b.PeriodUs))
	return int64(min(allowance, math.MaxInt64))
}

// Tighter reports whether b allows a lower rate than other.
func (b Bandwidth) Tighter(other Bandwidth) bool {
	return b.Exceeds(other.QuotaUs, other.PeriodUs)
}

// Millicores returns floor(1000 * quota / period).
func (b Bandwidth) Millicores() int64 { return b.QuotaUs * 1000 / b.PeriodUs }

// Excursion counts the slices of a window that used CPU faster than the quota in force allowed.
type Excursion struct {
	// Slices is how many.
	Slices int64
	// ExcessNs is the CPU time above the allowance, summed over these slices.
	ExcessNs int64
}

// Add judges one slice of usageNs in wallNs against the limit in force.
func (e *Excursion) Add(limit Bandwidth, usageNs, wallNs int64) {
	if !limit.Exceeds(usageNs, wallNs) {
		return
	}
	e.Slices++
	e.ExcessNs += usageNs - limit.AllowanceNs(wallNs)
}
