package sampler

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

const (
	firstStart  = int64(170_000_000_000_000)
	secondStart = firstStart + usagewindow.WindowUs
)

// newborn is a cgroup that was found some seconds into the first window.
func newborn(name string, seconds int64) Found {
	f := found("batch", name, 0)
	f.Born, f.AtUs = true, firstStart+seconds*1_000_000
	return f
}

func readAt(b *usagewindow.Builder, us, usageNs int64) {
	b.Sample(us/usagewindow.SampleIntervalUs, us*1000, usageNs, 0)
}

func cutWhole(r *Recorder, start int64) Batch { return r.Cut(start, usagewindow.LastSlotOf(start)) }

func TestLivesShorterThanAWindowArePooledWhereverTheyLie(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h", Method: usagewindow.MethodTickPoll}, nil)
	inside, across, unread := r.Track(newborn("inside", 2)), r.Track(newborn("across", 8)), r.Track(newborn("unread", 9))
	readAt(inside, firstStart+3_000_000, 5_000_000)
	readAt(across, firstStart+9_000_000, 7_000_000)
	inside.Retire()
	unread.Retire()
	first := cutWhole(r, firstStart)
	require.Empty(t, first.Windows)
	require.Empty(t, first.Identities)
	require.Equal(t, int32(2), first.Host.ShortLivedCgroups)
	require.Equal(t, int64(5_000), *first.Host.ShortLivedUsageUs)
	readAt(across, firstStart+17_990_000, 30_000_000)
	across.Retire()
	second := cutWhole(r, secondStart)
	require.Empty(t, second.Windows)
	require.Empty(t, second.Identities)
	require.Equal(t, int32(1), second.Host.ShortLivedCgroups)
	require.Equal(t, int64(30_000), *second.Host.ShortLivedUsageUs, "of both windows")
	require.Zero(t, *cutWhole(r, secondStart+usagewindow.WindowUs).Host.ShortLivedUsageUs)
}

func TestANewbornThatLivesSendsItsFirstWindowLate(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h", Method: usagewindow.MethodTickPoll}, nil)
	b := r.Track(newborn("a1", 8))
	readAt(b, firstStart+9_000_000, 7_000_000)
	require.Empty(t, cutWhole(r, firstStart).Windows)
	readAt(b, firstStart+18_010_000, 9_000_000)
	b.Retire()
	second := cutWhole(r, secondStart)
	require.Len(t, second.Windows, 2)
	require.Len(t, second.Identities, 1)
	for i, want := range []struct{ start, usageUs int64 }{{firstStart, 7_000}, {secondStart, 2_000}} {
		w := second.Windows[i]
		require.Equal(t, []int64{int64(i), want.start, want.usageUs}, []int64{w.Seq, w.WindowStartUs, w.UsageUs})
	}
	require.Equal(t, int32(1), second.Host.ShardRecords, "what a host states is about its own window")
	require.Equal(t, int32(1), second.Host.ServiceRecords[0].ShardRecords)
	require.Equal(t, []usagewindow.ServiceRecords{{Service: "batch", PeriodUs: second.Windows[0].PeriodUs, ShardRecords: 1}}, second.Host.FirstRecords,
		"and apart from that about first records of the window before")
	require.Zero(t, second.Host.ShortLivedCgroups)
}

func TestAnAgentThatStopsHoldsNothingBack(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h", Method: usagewindow.MethodTickPoll}, nil)
	b := r.Track(newborn("a1", 2))
	readAt(b, firstStart+3_000_000, 5_000_000)
	last := r.Cut(firstStart, firstStart/usagewindow.SampleIntervalUs+300)
	require.Len(t, last.Windows, 1)
	require.Len(t, last.Identities, 1)
}

func TestAHundredThousandShortLivesAreNoShard(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h", Method: usagewindow.MethodTickPoll}, nil)
	var cgroups, usageUs int64
	for window := range int64(50) {
		start := firstStart + window*usagewindow.WindowUs
		for i := range int64(2000) {
			f := found("batch", "x", 0)
			f.Inode, f.Born, f.AtUs = uint64(window*2000+i), true, start+i*5000
			b := r.Track(f)
			readAt(b, f.AtUs+20_000, 1_000_000)
			b.Retire()
		}
		batch := cutWhole(r, start)
		require.Empty(t, batch.Windows)
		require.Empty(t, batch.Identities)
		cgroups, usageUs = cgroups+int64(batch.Host.ShortLivedCgroups), usageUs+*batch.Host.ShortLivedUsageUs
	}
	require.Equal(t, []int64{100_000, 100_000_000}, []int64{cgroups, usageUs})
	require.Empty(t, r.shards)
}
