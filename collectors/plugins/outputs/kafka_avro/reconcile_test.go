package kafka_avro

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/influxdata/telegraf/config"
	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// Whoever reads the topic sees holes in seq, and nothing else is missing than what the agent counted, by reason: blocks
// spoilt on disk between two runs, a record too large, one too broken, one that the broker refuses.
func TestHolesThatTheReaderSeesAreTheCountedDrops(t *testing.T) {
	wire, limit := &network{cut: true}, "3000"
	plugin, _ := startedWith(t, wire, func(k *KafkaAvro) {
		k.TopicCPUUsageWindows = newTopic(t, 1, map[string]*string{"max.message.bytes": &limit})
		k.CloseTimeout, k.MaxRecordBytes = config.Duration(200*time.Millisecond), 8192
	})
	const blocks, perBlock = 20, 10
	for number := range int64(blocks) {
		var records []any
		for seq := number * perBlock; seq < (number+1)*perBlock; seq++ {
			records = append(records, window("host-a", seq))
		}
		write(t, plugin, records...)
	}
	require.NoError(t, plugin.Close())
	spoil(t, plugin.SpoolDirectory, 3)

	second, log := startedWith(t, wire, func(k *KafkaAvro) {
		k.SpoolDirectory, k.TopicCPUUsageWindows, k.MaxRecordBytes = plugin.SpoolDirectory, plugin.TopicCPUUsageWindows, 8192
	})
	large, broken, refused := window("host-a", 201), window("host-a", 203), window("host-a", 205)
	large.Exemplar, broken.Service = make([]byte, 9000), "not\xffutf8"
	for i := range 6000 { // Noise, so that zstd cannot bring it below the topic's limit.
		refused.Exemplar = append(refused.Exemplar, byte(i*i*31>>3)^byte(i*7919>>5))
	}
	write(t, second, window("host-a", 200), large, window("host-a", 202), broken, window("host-a", 204), refused, window("host-a", 206))
	wire.setCut(false)

	expected := map[string]int64{string(spool.ReasonCorrupt): 3 * perBlock, dropOversize: 1, dropUnencodable: 1, dropRejected: 1}
	arrived := consume(t, 207-3*perBlock-3, plugin.TopicCPUUsageWindows)
	holes, next := int64(0), int64(0)
	for _, message := range arrived {
		seq := seqOf(t, message)
		require.GreaterOrEqual(t, seq, next)
		holes += seq - next
		next = seq + 1
	}
	require.Equal(t, int64(207), next)
	require.Equal(t, int64(3*perBlock+3), holes)
	require.Equal(t, expected, second.tally.drops())
	require.Equal(t, int64(3), second.tally.corrupt.Get())
	require.NotEmpty(t, log.containing("set aside"))
	requireReconciled(t, second)
}

// spoil flips a bit in the body of that many blocks, far from each other.
func spoil(t *testing.T, folder string, blocks int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.qsp"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	for number := range blocks {
		offset := 16
		for range 4 + 6*number { // Walk by the lengths in the headers.
			offset += 40 + int(text[offset+20]) + int(text[offset+21])<<8
		}
		text[offset+50] ^= 16
	}
	require.NoError(t, os.WriteFile(files[0], text, 0o600))
}
