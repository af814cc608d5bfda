package sampler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/protection"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

type lines struct{ said []string }

func (l *lines) Infof(format string, args ...any) {
	l.said = append(l.said, "I! "+fmt.Sprintf(format, args...))
}
func (l *lines) Warnf(format string, args ...any) {
	l.said = append(l.said, "W! "+fmt.Sprintf(format, args...))
}
func (l *lines) Errorf(format string, args ...any) {
	l.said = append(l.said, "E! "+fmt.Sprintf(format, args...))
}

// fleet drives a recorder without a kernel: ten shards, of which shard n uses n ms per sample; shard
// 0 is throttled.
type fleet struct {
	recorder *Recorder
	shards   []*usagewindow.Builder
	batches  []Batch
	log      lines
	slot     int64
	cpuUs    int64
}

func newFleet() *fleet {
	f := &fleet{slot: at / slotNs}
	f.recorder = NewRecorder(Agent{HostID: "h", EpochUs: 1}, func(b Batch) { f.batches = append(f.batches, b) })
	for n := range 10 {
		f.shards = append(f.shards, f.recorder.Track(Found{
			Path: fmt.Sprintf("/s/%d", n), Inode: uint64(n) + 1, Born: true,
			Shard:  identity.Shard{Service: "s", Name: fmt.Sprint(n)},
			Limits: usagewindow.Limits{Limited: true, Limit: cfs.Bandwidth{QuotaUs: 100_000, PeriodUs: 100_000}},
		}))
	}
	f.recorder.Baseline(HostReading{AtNs: 1})
	return f
}

// window passes one window in which the agent used so much of one CPU.
func (f *fleet) window(cpuPercent int64) *usagewindow.HostWindow {
	start := f.slot * usagewindow.SampleIntervalUs
	end := f.slot + usagewindow.SlotsPerWindow
	for f.slot < end {
		f.slot += f.recorder.SlotsPerSample()
		for n, shard := range f.shards {
			if !shard.Skipped() {
				shard.Sample(f.slot, f.slot*slotNs, (f.slot-at/slotNs)*int64(n)*1_000_000, 0)
				if n == 0 {
					shard.Stat(cgroupfs.CPUStat{HasBandwidth: true, Periods: f.slot, ThrottledPeriods: f.slot})
				}
			}
		}
	}
	f.cpuUs += cpuPercent * usagewindow.WindowUs / 100
	f.recorder.Finish(f.recorder.Cut(start, end), HostReading{AtNs: 1 + f.slot*slotNs - at, AgentCPUUs: f.cpuUs})
	return f.batches[len(f.batches)-1].Host
}

func (f *fleet) sent() (names string) {
	for _, w := range f.batches[len(f.batches)-1].Windows {
		names += w.Shard
	}
	return names
}

func TestOverItsBudgetTheAgentDegradesAndTheRecordsSayHow(t *testing.T) {
	f := newFleet()
	f.recorder.Protect(protection.Budget{CPUMillis: 20}, &f.log)
	seen := map[int32]string{}
	for range 14 {
		host := f.window(10)
		require.Equal(t, int(host.ShardRecords), 10-int(host.BudgetSkippedCgroups))
		require.Equal(t, host.ProtectionStep == 0, host.ProtectionReason == nil)
		require.Equal(t, int64(10_000), host.QuotaMillicores, "what the host has promised does not shrink with what is measured")
		first := f.batches[len(f.batches)-1].Windows[0]
		interval := int32(10_000)
		if host.ProtectionStep >= int32(protection.HalfRate) {
			interval = 20_000
		}
		require.Equal(t, interval, first.SampleIntervalUs)
		if len(f.batches) > 1 {
			require.Equal(t, int32(10_000_000/interval), first.Samples)
			require.Zero(t, first.MissedSamples)
		}
		seen[host.ProtectionStep] = f.sent()
	}
	require.Equal(t, "0123456789", seen[0])
	require.Equal(t, "0123456789", seen[2])
	require.Contains(t, f.log.said[0], "W! over its budget, the agent goes down to optional features off (step 1")
	require.Contains(t, f.log.said[0], "10.00 % of one CPU used, budget 2.00 %")
	// 7 of 10, then 4: the throttled one and those that use most.
	require.Equal(t, "0789", seen[3])
}

func TestInsideItsBudgetTheAgentComesBackWithoutInventingUsage(t *testing.T) {
	f := newFleet()
	f.recorder.Protect(protection.Budget{CPUMillis: 20}, &f.log)
	for range 14 {
		f.window(10)
	}
	require.Less(t, len(f.sent()), 10)
	for range 40 {
		f.window(0)
	}
	host := f.window(0)
	require.Zero(t, host.ProtectionStep)
	require.Nil(t, host.ProtectionReason)
	require.Zero(t, host.BudgetSkippedCgroups)
	require.Equal(t, int32(10), host.ShardRecords)
	for _, batch := range f.batches {
		for _, w := range batch.Windows {
			var perSample int64
			_, err := fmt.Sscan(w.Shard, &perSample)
			require.NoError(t, err)
			require.LessOrEqual(t, w.UsageUs, perSample*1000*1000, "the time in which %s was left out is nobody's", w.Shard)
		}
	}
	require.Contains(t, strings.Join(f.log.said, "\n"), "I! inside its budget, the agent goes back to everything")
}

func TestWithoutABudgetNothingIsLeftOut(t *testing.T) {
	f := newFleet()
	for range 10 {
		require.Zero(t, f.window(500).ProtectionStep)
	}
	require.Len(t, f.sent(), 10)
}

func TestAReloadNumbersOnAndCountsWhatNobodyRead(t *testing.T) {
	numbering := NewNumbering(7)
	var hosts []*usagewindow.HostWindow
	run := func(from, to int64) *Recorder {
		r := NewRecorder(Agent{HostID: "h", EpochUs: numbering.EpochUs()}, func(b Batch) { hosts = append(hosts, b.Host) })
		r.GoOn(numbering)
		for slot := from; slot <= to; slot++ {
			r.Host().Sample(slot, slot*slotNs, slot, 0)
		}
		r.Finish(r.Cut(at/1000, to), HostReading{})
		return r
	}
	first := at / slotNs
	run(first+1, first+400)
	second := run(first+431, first+1000)
	require.Equal(t, []int64{0, 1}, []int64{hosts[0].Seq, hosts[1].Seq})
	require.Equal(t, []int64{7, 7}, []int64{hosts[0].AgentEpoch, hosts[1].AgentEpoch})
	require.Equal(t, int32(569), hosts[1].Samples)
	require.Equal(t, int32(31), hosts[1].MissedSamples, "401 to 430, and 431, which only begins")
	require.Equal(t, first+1000, second.Covered())
}

// TestAWindowIsNotSentTwice holds for a back end that labels its slices by a wall clock that was set back.
func TestAWindowIsNotSentTwice(t *testing.T) {
	var batches []Batch
	r := NewRecorder(Agent{HostID: "h", EpochUs: 1, Method: usagewindow.MethodEbpf}, func(b Batch) { batches = append(batches, b) })
	shard := r.Track(Found{Path: "/a", Inode: 1})
	usageNs := int64(0)
	pass := func(startUs int64) {
		first := startUs / usagewindow.SampleIntervalUs
		for slot := first + 1; slot <= first+usagewindow.SlotsPerWindow; slot++ {
			usageNs += 10_000_000
			shard.Slice(slot, slotNs, 10_000_000)
		}
		shard.Final(usageNs)
		r.Finish(r.Cut(startUs, first+usagewindow.SlotsPerWindow), HostReading{})
	}
	start := at / 1000
	for _, window := range []int64{0, 1, 2, 0, 1, 2, 3} {
		pass(start + window*usagewindow.WindowUs)
	}
	require.Len(t, batches, 4)
	for i, batch := range batches {
		require.Equal(t, int64(i), batch.Host.Seq)
		require.Equal(t, start+int64(i)*usagewindow.WindowUs, batch.Host.WindowStartUs)
		require.Len(t, batch.Windows, 1)
		require.Equal(t, int32(1000), batch.Windows[0].Samples)
		require.LessOrEqual(t, batch.Windows[0].UsageUs, usagewindow.WindowUs)
	}
}
