package sampler

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// at is 2026-11-21 at a slot boundary, nanoseconds since the Unix epoch.
const at = int64(1_795_177_100_000_000_000)

func TestSlotsFollowEachOtherAndLateOnesAreLeftOut(t *testing.T) {
	s := NewSchedule(0)
	first := s.Next(at+1, 1, 1)
	require.Equal(t, Turn{Slot: at/slotNs + 1, DueNs: slotNs}, first)
	require.Equal(t, first.Slot+1, s.Next(at+slotNs+4_000_000, slotNs+4_000_000, 1).Slot, "4 ms late can still be read")
	require.Equal(t, first.Slot+6, s.Next(at+6*slotNs+6_000_000, 6*slotNs+6_000_000, 1).Slot)
}

func TestHalfTheRateReadsEvenSlots(t *testing.T) {
	s := NewSchedule(0)
	slot := s.Next(at+1, 1, 2).Slot
	require.Zero(t, slot%2)
	require.Equal(t, slot+2, s.Next(at+2*slotNs, 2*slotNs, 2).Slot)
}

func TestAClockSetForwardLeavesOutWhatNeverWas(t *testing.T) {
	s := NewSchedule(0)
	slot := s.Next(at+1, 1, 1).Slot
	turn := s.Next(at+slotNs+3_600_000_000_000, slotNs, 1)
	require.Equal(t, int64(3_600_000_000_000), turn.SteppedNs)
	require.False(t, turn.Repeated)
	require.Equal(t, slot+360_001, turn.Slot, "the first after the step begins no slice")
	require.Zero(t, s.Next(at+3*slotNs+3_600_000_000_000, 3*slotNs, 1).SteppedNs)
}

func TestAClockSetBackWaitsForNewTime(t *testing.T) {
	s := NewSchedule(0)
	slot := s.Next(at+1, 1, 1).Slot
	turn := s.Next(at+slotNs-25_000_000_000, slotNs, 1)
	require.True(t, turn.Repeated)
	require.Equal(t, int64(-25_000_000_000), turn.SteppedNs)
	require.Equal(t, slot+2, turn.Slot)
	require.Equal(t, int64(25_000_000_000)+3*slotNs, turn.DueNs)
}

func TestAReloadGoesOnAfterWhatIsCovered(t *testing.T) {
	require.Equal(t, at/slotNs+50, NewSchedule(at/slotNs+49).Next(at, 1, 1).Slot)
}

// TestLawNoSlotTwice lets the wall clock do as it likes.
func TestLawNoSlotTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, mono, offset, last := NewSchedule(0), int64(0), at, int64(0)
		for range rapid.IntRange(1, 200).Draw(t, "turns") {
			mono += rapid.Int64Range(0, 40_000_000).Draw(t, "elapsed")
			moved := int64(0)
			if rapid.Bool().Draw(t, "steps") {
				moved = rapid.Int64Range(-100_000_000_000, 100_000_000_000).Draw(t, "step")
			}
			offset += moved
			stride := rapid.Int64Range(1, 2).Draw(t, "stride")
			turn := s.Next(mono+offset, mono, stride)
			if turn.Slot <= last || turn.Slot%stride != 0 {
				t.Fatalf("slot %d after %d", turn.Slot, last)
			}
			if last != 0 && (moved > TooLateNs || moved < -TooLateNs) != (turn.SteppedNs != 0) {
				t.Fatalf("moved by %d, said %d", moved, turn.SteppedNs)
			}
			if turn.SteppedNs != 0 && last != 0 && turn.Slot == last+1 {
				t.Fatal("a slice would span the step")
			}
			last = turn.Slot
		}
	})
}
