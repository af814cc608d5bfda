package spool_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// Against a model that is a plain list: order kept, held records never dropped, nothing lost uncounted, bound kept.
func TestMemoryIsABoundedFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.IntRange(1, 8).Draw(t, "bound")
		told := &witness{}
		var memory spool.Spool = spool.NewMemory(int64(bound)*size, time.Hour, told, time.Now)
		var held, waiting []int
		next, dropped := 0, 0
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				count := rapid.IntRange(1, 3).Draw(t, "records")
				memory.Append(numbered(next, count))
				for range count {
					waiting = append(waiting, next)
					next++
				}
				excess := min(len(waiting), max(0, len(held)+len(waiting)-bound))
				waiting = waiting[excess:]
				dropped += excess
			},
			"hold": func(t *rapid.T) {
				count := rapid.IntRange(1, 5).Draw(t, "count")
				records := memory.Hold(count, int64(count)*size)
				if len(held) == 0 {
					count = min(count, len(waiting))
					held, waiting = waiting[:count:count], waiting[count:]
				}
				require.Len(t, records, len(held))
				for i, number := range numbersOf(t, records) {
					require.Equal(t, held[i], number)
				}
			},
			"release": func(t *rapid.T) {
				records := memory.Hold(1, 0)
				if len(held) == 0 && len(records) == 1 {
					held, waiting = waiting[:1:1], waiting[1:]
				}
				pending := rapid.IntRange(0, len(held)).Draw(t, "pending")
				memory.Release(records[len(records)-pending:])
				waiting = append(append([]int{}, held[len(held)-pending:]...), waiting...)
				held = nil
			},
			"": func(t *rapid.T) {
				backlog := memory.Backlog()
				require.Equal(t, len(held)+len(waiting), backlog.Records)
				require.Equal(t, int64(backlog.Records)*size, backlog.Bytes)
				require.Equal(t, dropped, told.dropped(spool.ReasonFull))
			},
		})
	})
}

func TestRecordAboveTheBoundGoesAlone(t *testing.T) {
	told := &witness{}
	memory := spool.NewMemory(size-1, time.Hour, told, time.Now)
	memory.Append(numbered(1, 1))
	require.Equal(t, 1, told.dropped(spool.ReasonFull))
	require.Empty(t, memory.Hold(1, size))
}

func TestHoldReturnsOneRecordAboveTheByteLimit(t *testing.T) {
	memory := spool.NewMemory(10*size, time.Hour, &witness{}, time.Now)
	memory.Append(numbered(0, 3))
	require.Equal(t, []int{0}, numbersOf(t, memory.Hold(3, 1)))
}

func TestMemoryForgetsWhatIsTooOld(t *testing.T) {
	told := &witness{}
	clock := newClock()
	memory := spool.NewMemory(10*size, time.Minute, told, clock.now)
	memory.Append(numbered(0, 3))
	clock.pass(time.Minute)
	require.Equal(t, time.Minute, memory.Backlog().Oldest)
	require.Zero(t, told.droppedInAll(), "not older than the bound")
	clock.pass(time.Nanosecond)
	memory.Append(numbered(3, 1))
	require.Equal(t, []int{3}, numbersOf(t, memory.Hold(9, size*9)))
	require.Equal(t, 3, told.dropped(spool.ReasonAge))
	_, lost := memory.Close()
	require.Equal(t, 1, lost)
}
