package kafka_avro

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"
)

func metricsOf(t *testing.T, plugin *KafkaAvro) string {
	t.Helper()
	response, err := http.Get("http://" + plugin.endpoint.Address + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

func TestMetricsAreOffUnlessAskedFor(t *testing.T) {
	plugin, _ := started(t, nil)
	require.Nil(t, plugin.endpoint)
}

func TestPrometheusSeesWhatWasProducedAcknowledgedDroppedAndWaits(t *testing.T) {
	wire := &network{}
	plugin, log := startedWith(t, wire, func(k *KafkaAvro) { k.MetricsAddress, k.MaxRecordBytes = "127.0.0.1:0", 2048 })
	require.Len(t, log.containing("metrics are served at http://127.0.0.1:"), 1)
	large := window("host-a", 99)
	large.Exemplar = make([]byte, 4096)
	write(t, plugin, window("host-a", 0), large)
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == 1 }, 10*time.Second, 10*time.Millisecond)
	requireReconciled(t, plugin)
	wire.setCut(true)
	write(t, plugin, window("host-a", 1), window("host-a", 2))

	text := metricsOf(t, plugin)
	topic := `topic="` + plugin.TopicCPUUsageWindows + `"} `
	for _, line := range []string{
		"quotascope_records_produced_total{" + topic + "4", "quotascope_records_acknowledged_total{" + topic + "1",
		`quotascope_records_dropped_total{reason="oversize",` + topic + "1", `quotascope_errors_total{reason="oversize",` + topic + "1",
		`quotascope_records_dropped_total{reason="spool_age",` + topic + "0",
		"quotascope_spool_records{" + topic + "2", "quotascope_spool_durable{" + topic + "1", "quotascope_spool_corrupt_blocks_total{" + topic + "0",
	} {
		require.True(t, strings.Contains(text, line+"\n"), line)
	}
	require.True(t, strings.Contains(text, "quotascope_spool_oldest_age_seconds{"+topic))
	require.True(t, strings.Contains(text, "# TYPE quotascope_records_produced_total counter\n"))
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	for _, problem := range problems {
		require.False(t, strings.HasPrefix(problem.Metric, "quotascope_"), "%s: %s", problem.Metric, problem.Text)
	}
	wire.setCut(false)
}

func TestMetricsPortInUseIsAnErrorLineAndTheAgentGoesOn(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	plugin, log := started(t, func(k *KafkaAvro) {
		k.MetricsAddress, k.TopicCPUUsageWindows = taken.Addr().String(), newTopic(t, 1, nil)
	})
	require.Len(t, log.containing("is in use by another program: choose a free port"), 1)
	write(t, plugin, window("host-a", 0))
	consume(t, 1, plugin.TopicCPUUsageWindows)
}
