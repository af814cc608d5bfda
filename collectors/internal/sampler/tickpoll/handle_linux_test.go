package tickpoll

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// cgroupOf100ms has its cpu.stat read every fifth slot.
func cgroupOf100ms() *handle { return &handle{fresh: true, statEvery: 5} }

// readings lets slots pass from the first to before another and returns those in which cpu.stat was read.
func readings(h *handle, from, until int64, usageNs, periods func(slot int64) int64) (slots []int64) {
	for slot := from; slot < until; slot++ {
		if h.wantsStat(slot, usageNs(slot), 1) {
			slots = append(slots, slot)
			h.sawStat(slot, periods(slot))
		}
	}
	return slots
}

func still(int64) int64 { return 7 }

func TestTheStatOfARestingCgroupIsNotRead(t *testing.T) {
	h := cgroupOf100ms()
	require.Equal(t, []int64{1001, 1005, 1010, 1015, 1020}, readings(h, 1001, 1300, still, still), "two periods, and no more")
	woken := func(int64) int64 { return 8 }
	require.Equal(t, []int64{1300, 1305, 1310, 1315, 1320}, readings(h, 1300, 1500, woken, still), "at once when it has run")
}

func TestTheStatOfAThrottledCgroupIsReadThoughItUsesNothing(t *testing.T) {
	h := cgroupOf100ms()
	counted := func(slot int64) int64 { return slot / 10 }
	require.Len(t, readings(h, 1000, 1500, still, counted), 100)
}

func TestTheStatOfABusyCgroupIsReadTwiceAPeriod(t *testing.T) {
	h := cgroupOf100ms()
	used := func(slot int64) int64 { return slot * 1000 }
	require.Len(t, readings(h, 1000, 1500, used, still), 100)
}
