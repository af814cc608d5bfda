package spool_test

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/replay"
	"github.com/quotascope/quotascope/collectors/internal/spool"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	containers   = 100
	outage       = 6 * time.Hour
	windowsOfAll = int(outage / (10 * time.Second))
	bound        = 96 << 20
	// distinct windows of each container are made from the recorded traces; after that they come again, newly numbered.
	distinct = 30
)

// host makes the records of a host whose containers each behave like a recorded one, at a moment of their own.
type host struct {
	encoder *usagewindow.Encoder
	windows [][]*usagewindow.Window // by window, by container
	seq     int64
}

func newHost(t testing.TB) *host {
	t.Helper()
	traces, err := replay.Load("../../testdata/traces")
	require.NoError(t, err)
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	h := &host{encoder: encoder, windows: make([][]*usagewindow.Window, distinct)}
	for container := range containers {
		cgroup := &traces[container%len(traces)].Cgroups[0]
		for number, window := range windowsOf(cgroup, container) {
			h.windows[number] = append(h.windows[number], window)
		}
	}
	return h
}

// windowsOf plays a trace round and round from a slot that depends on the container.
func windowsOf(cgroup *replay.Cgroup, container int) (windows []*usagewindow.Window) {
	builder := usagewindow.NewBuilder(usagewindow.Subject{
		HostID: "0123456789abcdef0123456789abcdef", AgentEpoch: 1795000000000000, Cluster: "production-eu",
		Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodTickPoll, ShardID: int64(container) * 0x9e3779b97f4a7c1,
		Service: fmt.Sprintf("team-%02d/service-%03d", container%12, container%40), Shard: fmt.Sprintf("service-%03d-6d5f7c9b8-%05x", container%40, container*7919),
	}, false)
	builder.SetLimits(cgroup.Limits)
	readings := cgroup.Readings
	first, last := readings[0], readings[len(readings)-1]
	rounds, period := int64(0), int64(len(readings)-1)
	for slot, at := int64(0), int64(container*37)%period; slot <= distinct*usagewindow.SlotsPerWindow; slot, at = slot+1, at+1 {
		if at > period {
			at, rounds = 1, rounds+1
		}
		if now := readings[at]; now != nil {
			late := rounds * period * usagewindow.SampleIntervalUs * 1000
			builder.Sample(slot, now.AtNs-first.AtNs+late, now.UsageNs-first.UsageNs+rounds*(last.UsageNs-first.UsageNs), now.LateUs)
			builder.Stat(grown(now.Stat, first.Stat, last.Stat, rounds))
			builder.SetThreads(now.Threads)
		}
		if slot > 0 && slot%usagewindow.SlotsPerWindow == 0 {
			windows = append(windows, builder.Take(usagewindow.WindowOf(slot), slot))
		}
	}
	return windows
}

func grown(now, first, last cgroupfs.CPUStat, rounds int64) cgroupfs.CPUStat {
	now.Periods += rounds * (last.Periods - first.Periods)
	now.ThrottledPeriods += rounds * (last.ThrottledPeriods - first.ThrottledPeriods)
	now.ThrottledNs += rounds * (last.ThrottledNs - first.ThrottledNs)
	return now
}

// batch is what one window of the host hands over: a record a container, the host's own, and once in ten minutes the
// identities.
func (h *host) batch(t testing.TB, number int) (records []spool.Record) {
	t.Helper()
	startUs := int64(1795000000000000) + int64(number)*usagewindow.WindowUs
	add := func(topic string, record any) {
		value, err := h.encoder.Append(nil, record)
		require.NoError(t, err)
		records = append(records, spool.Record{Topic: topic, Key: []byte("0123456789abcdef0123456789abcdef"), Value: value})
	}
	summary := &usagewindow.HostWindow{
		HostID: "0123456789abcdef0123456789abcdef", AgentEpoch: 1795000000000000, Seq: int64(number), Cluster: "production-eu",
		Origin: usagewindow.OriginMeasured, WindowStartUs: startUs, Cpus: 96, KernelRelease: "6.18.44", CgroupVersion: "v2",
		Method: "tick_poll", ShardRecords: containers,
	}
	for _, window := range h.windows[number%distinct] {
		numbered := *window
		numbered.Seq, numbered.WindowStartUs = h.seq, startUs
		h.seq++
		if number%60 == 0 {
			add("shard-identities.v1", &usagewindow.ShardIdentity{
				HostID: window.HostID, AgentEpoch: window.AgentEpoch, Cluster: window.Cluster, Origin: window.Origin,
				ShardID: window.ShardID, Service: window.Service, Shard: window.Shard, ObservedAtUs: startUs, Runtime: "kubernetes",
				CgroupPath: fmt.Sprintf("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod%032x.slice/cri-containerd-%064x.scope", window.ShardID, window.ShardID*3),
			})
		}
		add("cpu-usage-windows.v1", &numbered)
		summary.ServiceRecords = append(summary.ServiceRecords, usagewindow.ServiceRecords{
			Service: window.Service, QuotaUs: window.QuotaUs, PeriodUs: window.PeriodUs, ShardRecords: 1,
		})
	}
	add("host-windows.v1", summary)
	return records
}

// The promise of the outage: six hours at 100 containers fit into the default bound, and every byte comes back.
func TestSixHoursOfAHundredContainersFit(t *testing.T) {
	if testing.Short() {
		t.Skip("216,000 records through the disk")
	}
	told, source := &witness{}, newHost(t)
	o := options(t.TempDir(), told)
	o.MaxBytes, o.MaxAge = bound, outage+25*time.Minute
	disk := spool.NewDisk(o)
	records, raw := 0, int64(0)
	for number := range windowsOfAll {
		batch := source.batch(t, number)
		for _, record := range batch {
			raw += int64(len(record.Key) + len(record.Value))
		}
		records += len(batch)
		disk.Append(batch)
	}
	backlog := disk.Backlog()
	t.Logf("%d records, %d bytes raw (%d a record), %d on disk (%d a record): %.0f %% of the bound", records, raw, raw/int64(records),
		backlog.Bytes, backlog.Bytes/int64(records), 100*float64(backlog.Bytes)/bound)
	require.Equal(t, records, backlog.Records)
	require.Less(t, backlog.Bytes, int64(bound)*3/4, "and a quarter is left for hosts whose records are larger")
	require.Zero(t, told.droppedInAll())
	disk.Close()

	disk = spool.NewDisk(o)
	defer disk.Close()
	again := newHost(t)
	var expected []spool.Record
	for number := 0; ; {
		held := disk.Hold(2000, 500_000)
		if len(held) == 0 {
			break
		}
		for ; len(expected) < len(held); number++ {
			expected = append(expected, again.batch(t, number)...)
		}
		require.Equal(t, expected[:len(held)], held)
		expected, records = expected[len(held):], records-len(held)
		disk.Release(nil)
	}
	require.Zero(t, records)
	require.Zero(t, told.droppedInAll())
}

// go test -bench . ./internal/spool: one operation is the window of a host with 100 containers, 101 records. cpu-ns/record
// is user and system time of the whole process, the benchmark's own encoding excluded.
func BenchmarkHostWindow(b *testing.B) {
	source := newHost(b)
	batches := make([][]spool.Record, distinct)
	bytes, records := int64(0), 0
	for number := range batches {
		batches[number] = source.batch(b, number)
		records += len(batches[number])
		for _, record := range batches[number] {
			bytes += int64(len(record.Value))
		}
	}
	for name, sync := range map[string]time.Duration{"append": time.Hour, "append-and-fsync": 0, "append-and-read": time.Hour} {
		b.Run(name, func(b *testing.B) {
			o := options(b.TempDir(), &witness{})
			o.MaxBytes, o.SyncAfter = bound, sync
			disk := spool.NewDisk(o)
			defer disk.Close()
			b.SetBytes(bytes / distinct)
			b.ReportAllocs()
			runtime.GC()
			begun := cpu(b)
			for i := range b.N {
				disk.Append(batches[i%distinct])
				for name == "append-and-read" && len(disk.Hold(2000, 500_000)) > 0 {
					disk.Release(nil)
				}
			}
			b.ReportMetric(float64(cpu(b)-begun)/float64(b.N)/float64(records/distinct), "cpu-ns/record")
		})
	}
}

func cpu(t testing.TB) int64 {
	t.Helper()
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}
