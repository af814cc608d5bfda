package sampler

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

func found(service, name string, quotaUs int64) Found {
	period, shares := int64(100_000), int64(512)
	limits := usagewindow.Limits{PeriodUs: &period, CPUShares: &shares}
	if quotaUs > 0 {
		limits.Limit, limits.Limited = cfs.Bandwidth{QuotaUs: quotaUs, PeriodUs: period}, true
	}
	return Found{Path: "/" + service + "/" + name, Inode: 7, Shard: identity.Shard{Service: service, Name: name}, Limits: limits}
}

func TestCutNumbersCountsAndForgets(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h", EpochUs: 9, Method: usagewindow.MethodTickPoll}, nil)
	a1, b1 := r.Track(found("a", "1", 50_000)), r.Track(found("b", "1", 0))
	a2, silent := r.Track(found("a", "2", 50_000)), r.Track(found("a", "3", 50_000))
	const slot = 17_000_000_001
	for _, b := range []*usagewindow.Builder{a1, b1, a2} {
		b.Sample(slot, 0, 0, 0)
	}
	first := r.Cut(usagewindow.WindowOf(slot), slot)
	require.Len(t, first.Windows, 3, "a shard that was never read has nothing to say")
	require.Len(t, first.Identities, 3)
	for i, w := range first.Windows {
		require.Equal(t, int64(i), w.Seq)
	}
	quota, period := int64(50_000), int64(100_000)
	require.Equal(t, []usagewindow.ServiceRecords{
		{Service: "a", QuotaUs: &quota, PeriodUs: &period, ShardRecords: 2},
		{Service: "b", PeriodUs: &period, ShardRecords: 1},
	}, first.Host.ServiceRecords)
	require.Equal(t, []int64{3, 1000, 1, 1500}, []int64{int64(first.Host.ShardRecords), first.Host.QuotaMillicores,
		int64(first.Host.UnlimitedShards), *first.Host.ShareMillicores})
	require.Nil(t, first.Host.UsageUs, "the root was not read")

	b1.Retire()
	silent.Retire()
	second := r.Cut(usagewindow.WindowOf(slot)+usagewindow.WindowUs, slot+1000)
	require.Len(t, second.Windows, 3, "the last window of a removed shard is still sent")
	require.Empty(t, second.Identities)
	third := r.Cut(usagewindow.WindowOf(slot)+2*usagewindow.WindowUs, slot+2000)
	require.Len(t, third.Windows, 2)
	require.Equal(t, []int64{6, 7}, []int64{third.Windows[0].Seq, third.Windows[1].Seq})
	require.Equal(t, int64(2), third.Host.Seq)
}

func TestIdentitiesAreSentAgainEveryTenMinutes(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h"}, nil)
	r.Track(found("a", "1", 0)).Sample(17_000_000_001, 0, 0, 0)
	var sentAt []int64
	for i := range int64(121) {
		batch := r.Cut(i*usagewindow.WindowUs, usagewindow.LastSlotOf(i*usagewindow.WindowUs))
		if len(batch.Identities) > 0 {
			sentAt = append(sentAt, i)
		}
	}
	require.Equal(t, []int64{0, 60, 120}, sentAt)
}

func TestHostScopedShardsCarryTheHost(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h"}, nil)
	unit := found("nginx", "nginx", 0)
	unit.Shard.HostScoped = true
	require.Equal(t, "h/nginx", r.Track(unit).Subject().Shard)
}

func TestFinishReportsGrowthAndAbsence(t *testing.T) {
	var handed []Batch
	r := NewRecorder(Agent{HostID: "h"}, func(batch Batch) { handed = append(handed, batch) })
	reading := HostReading{Version: cgroupfs.V2, Proc: &cgroupfs.ProcStat{StealUs: 10, IrqUs: 20, ContextSwitches: 30}, AgentCPUUs: 5}
	r.Baseline(reading)
	next := reading
	next.Proc = &cgroupfs.ProcStat{StealUs: 11, IrqUs: 19, ContextSwitches: 37}
	next.AgentCPUUs = 9
	r.Finish(r.Cut(0, 1000), next)
	r.Finish(r.Cut(usagewindow.WindowUs, 2000), HostReading{})
	require.Equal(t, []int64{1, 7, 4}, []int64{*handed[0].Host.StealUs, *handed[0].Host.ContextSwitches, handed[0].Host.AgentCPUUs})
	require.Nil(t, handed[0].Host.IrqUs, "a counter that went back says nothing")
	require.Nil(t, handed[1].Host.StealUs)
	require.Nil(t, handed[1].Host.Threads)
}

func TestLessSamplingBeginsWithAWindow(t *testing.T) {
	r := NewRecorder(Agent{HostID: "h"}, nil)
	r.Track(found("a", "1", 0)).Sample(17_000_000_001, 0, 0, 0)
	r.SetSlotsPerSample(2)
	r.Track(found("a", "2", 0)).Sample(17_000_000_001, 0, 0, 0)
	intervals := func(startUs int64) (of []int32) {
		for _, w := range r.Cut(startUs, usagewindow.LastSlotOf(startUs)).Windows {
			of = append(of, w.SampleIntervalUs)
		}
		return of
	}
	require.Equal(t, []int32{10_000, 10_000}, intervals(170_000_000_000_000), "never in the middle of one")
	r.Track(found("a", "3", 0)).Sample(17_000_001_002, 0, 0, 0)
	require.Equal(t, []int32{20_000, 20_000, 20_000}, intervals(170_000_010_000_000))
	r.SetSlotsPerSample(1)
	intervals(170_000_020_000_000)
	require.Equal(t, []int32{10_000, 10_000, 10_000}, intervals(170_000_030_000_000))
}

func TestFinishStatesTheAgentsConduct(t *testing.T) {
	var handed []Batch
	r := NewRecorder(Agent{HostID: "h"}, func(batch Batch) { handed = append(handed, batch) })
	run, maps, reason := int64(100), int64(4096), "over budget"
	r.Baseline(HostReading{BpfRunUs: &run})
	later, shortUs := int64(175), int64(31)
	r.Finish(r.Cut(0, 1000), HostReading{
		BpfRunUs: &later, BpfMapBytes: &maps, ProtectionStep: 2, ProtectionReason: &reason, BudgetSkippedCgroups: 3,
		ShortLivedCgroups: 4, ShortLivedUsageUs: &shortUs, ClockSteps: 5, LateWindows: 6,
	})
	h := handed[0].Host
	require.Equal(t, []int64{75, 4096, 31}, []int64{*h.BpfRunUs, *h.BpfMapBytes, *h.ShortLivedUsageUs})
	require.Equal(t, []int32{2, 3, 4, 5, 6}, []int32{h.ProtectionStep, h.BudgetSkippedCgroups, h.ShortLivedCgroups, h.ClockSteps, h.LateWindows})
	require.Equal(t, "over budget", *h.ProtectionReason)
}
