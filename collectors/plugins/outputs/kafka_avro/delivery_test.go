package kafka_avro

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/hamba/avro/v2"
	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/metric"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/spool"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

// started returns a connected plugin without jitter, with topics of its own, and what it logs.
func started(t *testing.T, change func(*KafkaAvro)) (*KafkaAvro, *logRecorder) {
	t.Helper()
	plugin, log := newWithDefaults(), &logRecorder{}
	plugin.Log, plugin.Brokers, plugin.Jitter = log, []string{broker}, 0
	plugin.CloseTimeout, plugin.SpoolDirectory = config.Duration(20*time.Second), t.TempDir()
	plugin.ReportInterval = config.Duration(500 * time.Millisecond)
	plugin.TopicCPUUsageWindows, plugin.TopicHostWindows, plugin.TopicShardIdentities = "absent-windows", "absent-hosts", "absent-identities"
	if change != nil {
		change(plugin)
	}
	require.NoError(t, plugin.Init())
	require.NoError(t, plugin.Connect())
	t.Cleanup(func() { require.NoError(t, plugin.Close()) })
	return plugin, log
}

func write(t *testing.T, plugin *KafkaAvro, records ...any) {
	t.Helper()
	metrics := make([]telegraf.Metric, 0, len(records))
	for _, record := range records {
		carried, err := usagewindow.ToMetric(record)
		require.NoError(t, err)
		metrics = append(metrics, carried)
	}
	require.NoError(t, plugin.Write(metrics))
}

func window(host string, seq int64) *usagewindow.Window {
	return &usagewindow.Window{
		HostID: host, AgentEpoch: 1, Seq: seq, Cluster: "test", Origin: usagewindow.OriginMeasured,
		WindowStartUs: seq * usagewindow.WindowUs, ShardID: -7, Service: "service", Shard: "shard",
		SampleIntervalUs: 10000, Method: usagewindow.MethodTickPoll, LayoutVersion: 1,
	}
}

func hostWindow(host string, seq int64) *usagewindow.HostWindow {
	return &usagewindow.HostWindow{
		HostID: host, AgentEpoch: 1, Seq: seq, Cluster: "test", Origin: usagewindow.OriginMeasured, CgroupVersion: "v1",
		Cpus: 2, Method: "tick_poll", KernelRelease: "6.18",
	}
}

func decodeWindow(t *testing.T, message *kgo.Record) (decoded usagewindow.Window) {
	t.Helper()
	require.NoError(t, avro.Unmarshal(windowSchema, message.Value[10:], &decoded))
	return decoded
}

var windowSchema = avro.MustParse(schemas.CpuUsageWindow)

func seqOf(t *testing.T, message *kgo.Record) int64   { return decodeWindow(t, message).Seq }
func epochOf(t *testing.T, message *kgo.Record) int64 { return decodeWindow(t, message).AgentEpoch }

// requireRising demands every seq of a host exactly once and in order, which is what the intake's mark relies on.
func requireRising(t *testing.T, messages []*kgo.Record) {
	t.Helper()
	next := map[string]int64{}
	for _, message := range messages {
		require.Equal(t, next[string(message.Key)], seqOf(t, message), "host %s", message.Key)
		next[string(message.Key)]++
	}
}

// requireReconciled waits until the plugin rests and demands that every record is accounted for.
func requireReconciled(t *testing.T, plugin *KafkaAvro) {
	t.Helper()
	sums := func() (taken, settled int64) {
		for _, count := range plugin.tally.drops() {
			settled += count
		}
		settled += plugin.tally.acknowledged() + int64(plugin.spool.Backlog().Records)
		return plugin.tally.produced.Get() + plugin.tally.recovered.Get(), settled
	}
	require.Eventually(t, func() bool { taken, settled := sums(); return taken == settled }, 10*time.Second, 10*time.Millisecond,
		"produced + recovered = acknowledged + dropped + waiting")
}

func TestRecordsArriveKeyedOrderedAndCompressed(t *testing.T) {
	plugin, log := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 4, nil)
		k.TopicHostWindows = newTopic(t, 4, nil)
		k.TopicShardIdentities = newTopic(t, 4, nil)
	})
	var records []any
	for seq := range int64(30) {
		records = append(records, window("host-a", seq), window("host-b", seq))
	}
	identity := &usagewindow.ShardIdentity{HostID: "host-a", Origin: usagewindow.OriginMeasured, ShardID: -7, Runtime: "lab"}
	write(t, plugin, append(records, hostWindow("host-a", 0), identity)...)

	windows := consume(t, 60, plugin.TopicCPUUsageWindows)
	requireRising(t, windows)
	for _, message := range windows {
		require.Equal(t, uint8(4), message.Attrs.CompressionType(), "zstd")
	}
	require.Equal(t, "host-a", string(consume(t, 1, plugin.TopicHostWindows)[0].Key))
	require.Equal(t, "host-a/-7", string(consume(t, 1, plugin.TopicShardIdentities)[0].Key))
	require.GreaterOrEqual(t, plugin.tally.sent.Get(), int64(62), "a topic whose leader is not chosen yet makes a second attempt: %v", log.containing(""))
	require.Equal(t, int64(62), plugin.tally.acknowledged())
	requireReconciled(t, plugin)
	require.Empty(t, plugin.tally.drops())
}

func TestOversizeRecordDropsAlone(t *testing.T) {
	plugin, log := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, nil)
		k.TopicHostWindows = newTopic(t, 1, nil)
		k.MaxRecordBytes = 2048
		k.ReportInterval = config.Duration(time.Hour)
	})
	large := window("host-a", 99)
	large.Exemplar = make([]byte, 4096)
	write(t, plugin, window("host-a", 0), large, large, window("host-a", 1), hostWindow("host-a", 0))

	requireRising(t, consume(t, 2, plugin.TopicCPUUsageWindows))
	require.Equal(t, map[string]int64{dropOversize: 2}, plugin.tally.drops())
	lines := log.containing("max_record_bytes is 2048")
	require.Len(t, lines, 1, "once per interval")
	require.Contains(t, lines[0], "host-a")

	var host usagewindow.HostWindow
	message := consume(t, 1, plugin.TopicHostWindows)[0]
	require.NoError(t, avro.Unmarshal(avro.MustParse(schemas.HostWindow), message.Value[10:], &host))
	require.Equal(t, map[string]int64{dropOversize: 2}, host.Drops, "the host's record states the drops")
	require.Zero(t, host.SpoolBytes, "nothing had waited")
	requireReconciled(t, plugin)
}

func TestUnencodableRecordAndForeignMetricAreCounted(t *testing.T) {
	plugin, log := started(t, func(k *KafkaAvro) { k.TopicCPUUsageWindows = newTopic(t, 1, nil) })
	broken := window("host-a", 99)
	broken.Service = "not\xffutf8"
	write(t, plugin, window("host-a", 0), broken, window("host-a", 1))
	foreign := metric.New("cpu", map[string]string{}, map[string]any{"usage_idle": 3.0}, time.Now())
	require.NoError(t, plugin.Write([]telegraf.Metric{foreign}))

	requireRising(t, consume(t, 2, plugin.TopicCPUUsageWindows))
	require.Equal(t, map[string]int64{dropUnencodable: 1}, plugin.tally.drops())
	require.Len(t, log.containing("field service: not UTF-8"), 1)
	require.Equal(t, int64(1), plugin.tally.refused.Get())
	require.Len(t, log.containing("takes only the records of inputs.cgroup_cpu"), 1)
}

// The broker refuses the whole batch because of one record: only that one may go, and the others keep their order.
func TestRecordThatTheBrokerRefusesDropsAlone(t *testing.T) {
	limit := "3000"
	plugin, log := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, map[string]*string{"max.message.bytes": &limit})
	})
	var records []any
	for seq := range int64(20) {
		records = append(records, window("host-a", seq))
		if seq == 7 || seq == 13 {
			refused := window("host-a", 1000+seq)
			for i := range 6000 { // Noise, so that zstd cannot bring it below the limit.
				refused.Exemplar = append(refused.Exemplar, byte(i*i*31>>3)^byte(i*7919>>5))
			}
			records = append(records, refused)
		}
	}
	write(t, plugin, records...)
	requireRising(t, consume(t, 20, plugin.TopicCPUUsageWindows))
	require.Eventually(t, func() bool { return plugin.tally.dropped(dropRejected) == 2 }, 5*time.Second, 10*time.Millisecond)
	require.Equal(t, map[string]int64{dropRejected: 2}, plugin.tally.drops())
	require.NotEmpty(t, log.containing("MESSAGE_TOO_LARGE"))
}

// A clock that is a day ahead makes a broker refuse a record in a topic with CreateTime; only that record goes.
func TestRecordWithARefusedTimestampDropsAlone(t *testing.T) {
	limit, create := "3600000", "CreateTime"
	plugin, log := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, map[string]*string{
			"message.timestamp.type": &create, "message.timestamp.after.max.ms": &limit, "message.timestamp.before.max.ms": &limit,
		})
	})
	plugin.sender.stamp = func(record spool.Record) time.Time {
		switch decodeWindow(t, &kgo.Record{Value: record.Value}).Seq {
		case 1007:
			return time.Now().Add(24 * time.Hour)
		case 1013:
			return time.Now().Add(-24 * time.Hour)
		}
		return time.Now()
	}
	var records []any
	for seq := range int64(20) {
		records = append(records, window("host-a", seq))
		if seq == 7 || seq == 13 {
			refused := window("host-b", 1000+seq)
			records = append(records, refused)
		}
	}
	write(t, plugin, records...)
	requireRising(t, consume(t, 20, plugin.TopicCPUUsageWindows))
	require.Eventually(t, func() bool { return plugin.tally.dropped(dropRejected) == 2 }, 5*time.Second, 10*time.Millisecond)
	require.NotEmpty(t, log.containing("INVALID_TIMESTAMP"))
	requireReconciled(t, plugin)
}

func TestJitterIsAFixedPartPerHost(t *testing.T) {
	plugin := newWithDefaults()
	plugin.hosts = map[string]time.Duration{}
	var sum time.Duration
	for host := range 1000 {
		delay := plugin.delayOf("host-" + strconv.Itoa(host))
		require.GreaterOrEqual(t, delay, time.Duration(0))
		require.Less(t, delay, 5*time.Second)
		require.Equal(t, delay, plugin.delayOf("host-"+strconv.Itoa(host)))
		sum += delay
	}
	require.InDelta(t, 2500, (sum / 1000).Milliseconds(), 200, "spread evenly over the jitter")
}

func TestJitterDelaysProduction(t *testing.T) {
	plugin, _ := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, nil)
		k.Jitter = config.Duration(5 * time.Second)
	})
	host := ""
	for i := 0; host == ""; i++ {
		candidate := fmt.Sprintf("host-%d", i)
		if delay := plugin.delayOf(candidate); delay > 1500*time.Millisecond && delay < 2500*time.Millisecond {
			host = candidate
		}
	}
	start := time.Now()
	write(t, plugin, window(host, 0))
	time.Sleep(time.Second)
	if sent := plugin.tally.sent.Get(); time.Since(start) < plugin.delayOf(host) { // a busy machine may sleep longer than the delay
		require.Zero(t, sent)
	}
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == 1 }, 10*time.Second, 10*time.Millisecond)
	require.GreaterOrEqual(t, time.Since(start), plugin.delayOf(host))
}
