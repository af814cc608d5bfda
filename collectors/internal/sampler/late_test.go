package sampler

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// TestAWindowIsLateWhenItIsFinishedLaterThanPromised lets one window be handed over in time, the next too late, and one with a
// newborn's first record, which is older on purpose and no lateness.
func TestAWindowIsLateWhenItIsFinishedLaterThanPromised(t *testing.T) {
	var hosts []*usagewindow.HostWindow
	r := NewRecorder(Agent{HostID: "h"}, func(batch Batch) { hosts = append(hosts, batch.Host) })
	const first = 17_000_000_001
	start := usagewindow.WindowOf(first)
	older := []*usagewindow.Builder{r.Track(found("a", "1", 0)), r.Track(found("a", "2", 0))}
	newborn := found("a", "3", 0)
	newborn.Born, newborn.AtUs = true, start+usagewindow.WindowUs+5
	finish := func(window int64, afterEndUs int64) Batch {
		slot := usagewindow.LastSlotOf(start) + window*usagewindow.SlotsPerWindow
		for _, b := range older {
			b.Sample(slot, 0, 0, 0)
		}
		batch := r.Cut(start+window*usagewindow.WindowUs, slot)
		batch.FinishedAt(start + (window+1)*usagewindow.WindowUs + afterEndUs)
		r.Finish(batch, HostReading{})
		return batch
	}
	finish(0, PromisedUs)
	born := r.Track(newborn)
	born.Sample(usagewindow.LastSlotOf(start)+7, 0, 0, 0)
	finish(1, PromisedUs+1)
	born.Sample(usagewindow.LastSlotOf(start)+usagewindow.SlotsPerWindow+7, 0, 0, 0)
	require.Len(t, finish(2, 1_000_000).Windows, 4, "the newborn's two windows at once")
	finish(3, PromisedUs+1)
	require.Equal(t, []int32{0, 2, 0, 3}, []int32{hosts[0].LateWindows, hosts[1].LateWindows, hosts[2].LateWindows, hosts[3].LateWindows})

	batch := r.Cut(start+4*usagewindow.WindowUs, usagewindow.LastSlotOf(start)+4*usagewindow.SlotsPerWindow)
	r.Finish(batch, HostReading{LateWindows: 5})
	require.Equal(t, int32(5), hosts[4].LateWindows, "a replay states what was recorded, whenever it runs")
}
