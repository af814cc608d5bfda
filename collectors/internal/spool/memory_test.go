package spool_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

func record(number int) spool.Record {
	return spool.Record{Topic: "t", Key: []byte("host"), Value: fmt.Appendf(nil, "%06d", number)}
}

var size = record(0).Size()

// Against a model that is a plain list: order kept, held records never dropped, nothing lost uncounted, bound kept.
func TestMemoryIsABoundedFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.IntRange(1, 8).Draw(t, "bound")
		var memory spool.Spool = spool.NewMemory(int64(bound) * size)
		var held, waiting []int
		next := 0
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				dropped, err := memory.Append(record(next))
				require.NoError(t, err)
				waiting = append(waiting, next)
				next++
				excess := min(len(waiting), max(0, len(held)+len(waiting)-bound))
				waiting = waiting[excess:]
				require.Equal(t, excess, dropped)
			},
			"hold": func(t *rapid.T) {
				count := rapid.IntRange(1, 5).Draw(t, "count")
				records, err := memory.Hold(count, int64(count)*size)
				require.NoError(t, err)
				if len(held) == 0 {
					count = min(count, len(waiting))
					held, waiting = waiting[:count:count], waiting[count:]
				}
				require.Len(t, records, len(held))
				for i, number := range held {
					require.Equal(t, record(number), records[i])
				}
			},
			"release": func(t *rapid.T) {
				require.NoError(t, memory.Release())
				held = nil
			},
			"": func(t *rapid.T) {
				records, bytes := memory.Backlog()
				require.Equal(t, len(held)+len(waiting), records)
				require.Equal(t, int64(records)*size, bytes)
			},
		})
	})
}

func TestRecordAboveTheBoundGoesAlone(t *testing.T) {
	memory := spool.NewMemory(size - 1)
	dropped, err := memory.Append(record(1))
	require.NoError(t, err)
	require.Equal(t, 1, dropped)
	held, err := memory.Hold(1, size)
	require.NoError(t, err)
	require.Empty(t, held)
}

func TestHoldReturnsOneRecordAboveTheByteLimit(t *testing.T) {
	memory := spool.NewMemory(10 * size)
	for number := range 3 {
		_, err := memory.Append(record(number))
		require.NoError(t, err)
	}
	held, err := memory.Hold(3, 1)
	require.NoError(t, err)
	require.Equal(t, []spool.Record{record(0)}, held)
}
