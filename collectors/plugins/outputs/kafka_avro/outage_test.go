package kafka_avro

import (
	"testing"
	"time"

	"github.com/hamba/avro/v2"
	"github.com/influxdata/telegraf/config"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/spool"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

// startedWith is started behind a network that the test can cut.
func startedWith(t *testing.T, wire *network, change func(*KafkaAvro)) (*KafkaAvro, *logRecorder) {
	t.Helper()
	plugin, log := newWithDefaults(), &logRecorder{}
	plugin.Log, plugin.Brokers, plugin.Jitter = log, []string{broker}, 0
	plugin.ReportInterval, plugin.SpoolDirectory = config.Duration(300*time.Millisecond), t.TempDir()
	plugin.TopicCPUUsageWindows = newTopic(t, 1, nil)
	plugin.TopicHostWindows = newTopic(t, 1, nil)
	change(plugin)
	require.NoError(t, plugin.Init())
	plugin.clientOptions = append(plugin.clientOptions, kgo.Dialer(wire.dial))
	require.NoError(t, plugin.Connect())
	t.Cleanup(func() { require.NoError(t, plugin.Close()) })
	return plugin, log
}

func TestAgentStartsWhileKafkaIsAway(t *testing.T) {
	wire := &network{cut: true}
	plugin, log := startedWith(t, wire, func(*KafkaAvro) {})
	for seq := range int64(50) {
		write(t, plugin, window("host-a", seq))
	}
	require.Eventually(t, func() bool { return len(log.containing(errCut.Error())) > 0 }, 10*time.Second, 50*time.Millisecond,
		"the operator reads why")
	write(t, plugin, hostWindow("host-a", 0))
	require.Zero(t, plugin.tally.acknowledged())

	wire.setCut(false)
	requireRising(t, consume(t, 50, plugin.TopicCPUUsageWindows))
	var host usagewindow.HostWindow
	message := consume(t, 1, plugin.TopicHostWindows)[0]
	require.NoError(t, avro.Unmarshal(avro.MustParse(schemas.HostWindow), message.Value[10:], &host))
	require.Greater(t, host.SpoolBytes, int64(50*100), "the host's record states what waited")
	require.Empty(t, plugin.tally.drops())
	requireReconciled(t, plugin)
}

// Connections break in the middle of requests, again and again: idempotence must keep every record single and in order.
func TestBrokenConnectionsNeitherLoseNorReorder(t *testing.T) {
	wire := &network{}
	plugin, _ := startedWith(t, wire, func(*KafkaAvro) {})
	const records = 2000
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 25 {
			time.Sleep(70 * time.Millisecond)
			wire.setCut(true)
			time.Sleep(10 * time.Millisecond)
			wire.setCut(false)
		}
	}()
	for seq := range int64(records) {
		write(t, plugin, window("host-a", seq))
		time.Sleep(time.Millisecond)
	}
	<-done
	requireRising(t, consume(t, records, plugin.TopicCPUUsageWindows))
	require.Empty(t, plugin.tally.drops())
}

func TestFullSpoolDropsTheOldestAndCounts(t *testing.T) {
	wire := &network{cut: true}
	plugin, log := startedWith(t, wire, func(k *KafkaAvro) {
		k.MaxRecordBytes, k.SpoolBytes = 1024, 8192
	})
	const records = 200
	write(t, plugin, window("host-a", 0))
	require.Eventually(t, func() bool { return plugin.tally.sent.Get() == 1 }, 5*time.Second, time.Millisecond, "the first is held")
	for seq := int64(1); seq < records; seq++ {
		write(t, plugin, window("host-a", seq))
	}
	dropped := plugin.tally.dropped(string(spool.ReasonFull))
	require.Positive(t, dropped)
	require.NotEmpty(t, log.containing("spool_bytes"))

	wire.setCut(false)
	arrived := consume(t, records-int(dropped), plugin.TopicCPUUsageWindows)
	require.Equal(t, int64(0), seqOf(t, arrived[0]), "a held record may be on the wire and is never dropped")
	for i, message := range arrived[1:] {
		require.Equal(t, 1+dropped+int64(i), seqOf(t, message), "the oldest have gone: the hole is what was counted")
	}
	requireReconciled(t, plugin)
}

func TestMissingTopicKeepsRecordsUntilItExists(t *testing.T) {
	topic := "made-later-" + time.Now().Format("150405.000000")
	plugin, log := started(t, func(k *KafkaAvro) { k.TopicCPUUsageWindows = topic })
	for seq := range int64(5) {
		write(t, plugin, window("host-a", seq))
	}
	require.Eventually(t, func() bool { return len(log.containing("topic "+topic+": UNKNOWN_TOPIC_OR_PARTITION")) > 0 }, 20*time.Second, 50*time.Millisecond)
	createTopic(t, topic, 1, nil)
	requireRising(t, consume(t, 5, topic))
	require.Empty(t, plugin.tally.drops())
}

func TestCloseWithoutKafkaEndsInTimeAndSaysWhatIsLost(t *testing.T) {
	wire := &network{cut: true}
	plugin, log := startedWith(t, wire, func(k *KafkaAvro) {
		k.CloseTimeout, k.SpoolDirectory = config.Duration(700*time.Millisecond), ""
	})
	for seq := range int64(7) {
		write(t, plugin, window("host-a", seq))
	}
	started := time.Now()
	require.NoError(t, plugin.Close())
	require.Less(t, time.Since(started), 20*time.Duration(plugin.CloseTimeout))
	require.Equal(t, map[string]int64{dropShutdown: 7}, plugin.tally.drops())
	require.Len(t, log.containing("stopped with 7 records in memory"), 1)
}

// A reload (SIGHUP) closes the plugin and starts a new one in the same process, whose input counts from 0 in a new epoch.
func TestReloadHandsTheSpoolOver(t *testing.T) {
	wire := &network{cut: true}
	plugin, log := startedWith(t, wire, func(k *KafkaAvro) { k.CloseTimeout = config.Duration(300 * time.Millisecond) })
	for seq := range int64(7) {
		write(t, plugin, window("host-a", seq))
	}
	require.NoError(t, plugin.Close())
	require.Empty(t, plugin.tally.drops())
	require.Len(t, log.containing("stopped with 7 records that Kafka had not acknowledged"), 1)

	reloaded, log := startedWith(t, wire, func(k *KafkaAvro) {
		k.SpoolDirectory, k.TopicCPUUsageWindows = plugin.SpoolDirectory, plugin.TopicCPUUsageWindows
	})
	require.Len(t, log.containing("found 7 records"), 1)
	second := window("host-a", 0)
	second.AgentEpoch = 2
	write(t, reloaded, second)
	wire.setCut(false)
	arrived := consume(t, 8, plugin.TopicCPUUsageWindows)
	requireRising(t, arrived[:7])
	require.Equal(t, int64(2), epochOf(t, arrived[7]), "the earlier epoch goes first")
	requireReconciled(t, reloaded)
	require.Equal(t, int64(8), reloaded.tally.produced.Get(), "counted once in the process")
	require.Zero(t, reloaded.tally.recovered.Get())
}

func TestCloseDeliversWhatIsLeftWithoutWaitingForTheJitter(t *testing.T) {
	plugin, log := started(t, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, nil)
		k.Jitter = config.Duration(10 * time.Second)
	})
	begun := time.Now()
	write(t, plugin, window("host-a", 0), window("host-a", 1))
	require.NoError(t, plugin.Close())
	require.Less(t, time.Since(begun), time.Duration(plugin.Jitter))
	require.Len(t, log.containing("every record acknowledged (2 in all)"), 1)
	requireRising(t, consume(t, 2, plugin.TopicCPUUsageWindows))
}
