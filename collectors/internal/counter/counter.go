// Package counter turns readings of cumulative kernel counters into growth, with every way
// in which a counter can fail to grow as a typed outcome instead of a number.
package counter

// Kind says what a reading meant compared with the one before it.
type Kind uint8

const (
	// First is the first reading of a counter: there is nothing to subtract from.
	First Kind = iota
	// Advanced is a reading at or above the previous one: Growth is their difference.
	Advanced
	// Reset is a reading below the previous one: somebody wrote the file, or it is another
	// incarnation. What happened in between is unknown, so Growth is 0 and not a guess.
	Reset
	// Gap is a missing reading. The next present one spans the gap, so that sums still telescope.
	Gap
)

// Delta is what one reading added.
type Delta struct {
	Kind Kind
	// Growth is in the unit of the counter. It is 0 unless Kind is Advanced.
	Growth int64
}

// Cumulative follows one counter. The zero value has seen nothing.
type Cumulative struct {
	last int64
	seen bool
}

// From returns a counter whose previous reading was the given one: 0 for a cgroup born under our
// eyes, because the kernel starts its counters at 0.
func From(reading int64) Cumulative { return Cumulative{last: reading, seen: true} }

// Advance takes the next reading.
func (c *Cumulative) Advance(reading int64) Delta {
	previous, seen := c.last, c.seen
	c.last, c.seen = reading, true
	switch {
	case !seen:
		return Delta{Kind: First}
	case reading < previous:
		return Delta{Kind: Reset}
	}
	return Delta{Kind: Advanced, Growth: reading - previous}
}

// Skip notes that a reading could not be had. The counter keeps its last reading.
func (c *Cumulative) Skip() Delta { return Delta{Kind: Gap} }

// MicrosOf floors a cumulative count of nanoseconds to microseconds. Flooring happens before
// subtracting, never after: then the deltas of any partition of time add up to the whole.
func MicrosOf(cumulativeNs int64) int64 { return cumulativeNs / 1000 }
