package sampler

import "github.com/quotascope/quotascope/collectors/internal/usagewindow"

const (
	slotNs = usagewindow.SampleIntervalUs * 1000
	// TooLateNs is the lateness from which a slot counts as missed: the slice would be closer to two
	// slots long than to one. It is also how far the wall clock must leave the monotonic one within one
	// slot to count as a step; adjtimex slews by less than a hundredth of that.
	TooLateNs = slotNs / 2
)

// Schedule chooses the slots to read from two clocks. Slot n ends at n x 10 ms of UTC. It never
// returns a slot twice, nor one before the last: however the wall clock is set, one numbering of
// records has at most one reading of a slot, and windows that were sent are not opened again.
type Schedule struct {
	last     int64
	offsetNs int64
	seen     bool
}

// NewSchedule returns a schedule whose first slot comes after the given one.
func NewSchedule(after int64) *Schedule { return &Schedule{last: after} }

// Turn is what to do next.
type Turn struct {
	// Slot is the next to read.
	Slot int64
	// DueNs is the end of that slot on the monotonic clock.
	DueNs int64
	// SteppedNs is how far the wall clock was set since the last turn, 0 for not at all. The monotonic
	// clock stands still while a host is suspended, so waking up is a step forward.
	SteppedNs int64
	// Repeated is true when the wall clock was set back: time that has already been measured comes
	// again, and is left out.
	Repeated bool
}

// Next returns the next slot that can still be read, in steps of stride slots. It takes the slot as
// done: one that is then not read is missed.
func (s *Schedule) Next(wallNs, monoNs, stride int64) (turn Turn) {
	offsetNs := wallNs - monoNs
	if moved := offsetNs - s.offsetNs; s.seen && (moved > TooLateNs || moved < -TooLateNs) {
		turn.SteppedNs, turn.Repeated = moved, moved < 0
	}
	earliest := (wallNs-TooLateNs)/slotNs + 1
	if !s.seen {
		earliest = wallNs/slotNs + 1 // nothing waits for a slot that has ended
	}
	s.offsetNs, s.seen = offsetNs, true
	next := max(s.last+1, earliest)
	if turn.SteppedNs != 0 {
		next++ // what lies between a reading before the step and one after it is not 10 ms
	}
	turn.Slot = (next + stride - 1) / stride * stride
	turn.DueNs = s.DueNs(turn.Slot, wallNs, monoNs)
	s.last = turn.Slot
	return turn
}

// DueNs is the end of a slot on the monotonic clock, by the wall clock as it is set now.
func (s *Schedule) DueNs(slot, wallNs, monoNs int64) int64 { return slot*slotNs - (wallNs - monoNs) }

// Last is the last slot that was given out.
func (s *Schedule) Last() int64 { return s.last }
