package kafka_avro

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/influxdata/telegraf/config"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestADiskThatHangsStopsNobody starts the output over a spool folder that cannot be opened to an end: a FIFO is in the place of a
// segment. Windows are written, the disk answers, everything arrives in order; then the same with an orderly stop meanwhile.
func TestADiskThatHangsStopsNobody(t *testing.T) {
	skipIfShort(t)
	folder := t.TempDir()
	topic := newTopic(t, 1, nil)
	fifo := filepath.Join(folder, "0000000000000000.qsp")
	require.NoError(t, unix.Mkfifo(fifo, 0o600))
	began := time.Now()
	plugin, log := started(t, func(k *KafkaAvro) {
		k.SpoolDirectory, k.TopicCPUUsageWindows, k.Jitter = folder, topic, config.Duration(0)
	})
	write(t, plugin, window("host-1", 0), window("host-1", 1))
	write(t, plugin, window("host-1", 2))
	require.Less(t, time.Since(began), 10*diskPatience, "one patience, and the time to do it")
	require.NotEmpty(t, log.containing("has not answered"))
	require.Zero(t, plugin.tally.acknowledged())
	require.EqualValues(t, 3, plugin.spool.Backlog().Records)

	other, err := os.OpenFile(fifo, os.O_RDWR, 0)
	require.NoError(t, err)
	defer other.Close()
	require.Eventually(t, func() bool { return plugin.spool.Backlog().Durable }, 20*time.Second, 10*time.Millisecond)
	write(t, plugin, window("host-1", 3))
	messages := consume(t, 4, topic)
	requireRising(t, messages)
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == 4 }, 20*time.Second, 10*time.Millisecond)
	requireReconciled(t, plugin)
	require.Empty(t, plugin.tally.drops())
}
