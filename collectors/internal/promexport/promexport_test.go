package promexport_test

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/metric"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/promexport"
)

func gathered() []telegraf.Metric {
	return []telegraf.Metric{
		metric.New("internal_kafka_avro", map[string]string{"topic": "t", "reason": "spool\xff_age"}, map[string]any{"records_dropped": int64(7)}, time.Now()),
		metric.New("internal_kafka_avro", map[string]string{"topic": "t"}, map[string]any{"spool_oldest_age_us": int64(1_500_000), "version": "text"}, time.Now()),
		metric.New("internal_some-input", map[string]string{"1st.label": "a"}, map[string]any{"errors": int64(3)}, time.Now()),
	}
}

func started(t *testing.T, options promexport.Options) *promexport.Endpoint {
	t.Helper()
	options.Gather = gathered
	options.Declared = []promexport.Metric{
		{Measurement: "kafka_avro", Field: "records_dropped", Name: "quotascope_records_dropped_total", Help: "Dropped.", Counter: true},
		{Measurement: "kafka_avro", Field: "spool_oldest_age_us", Name: "quotascope_spool_oldest_age_seconds", Help: "Age.", Scale: 1e-6},
	}
	endpoint, err := promexport.Start(options)
	require.NoError(t, err)
	t.Cleanup(func() { endpoint.Close() })
	return endpoint
}

func scrape(t *testing.T, address, path string) (status int, text string) {
	t.Helper()
	response, err := http.Get("http://" + address + path)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

func TestSelfMetricsAreShownWithNameTypeAndUnit(t *testing.T) {
	refreshed := 0
	endpoint := started(t, promexport.Options{Address: "127.0.0.1:0", Refresh: func() { refreshed++ }})
	status, text := scrape(t, endpoint.Address, "/metrics")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "# TYPE quotascope_records_dropped_total counter\n"+
		"quotascope_records_dropped_total{reason=\"spool?_age\",topic=\"t\"} 7\n")
	require.Contains(t, text, "# HELP quotascope_spool_oldest_age_seconds Age.\n# TYPE quotascope_spool_oldest_age_seconds gauge\n"+
		"quotascope_spool_oldest_age_seconds{topic=\"t\"} 1.5\n")
	require.Contains(t, text, "telegraf_some_input_errors{_1st_label=\"a\"} 3\n", "what nobody declared")
	require.Contains(t, text, "process_resident_memory_bytes ")
	require.Contains(t, text, "go_goroutines ")
	require.Equal(t, 1, refreshed)
	status, _ = scrape(t, endpoint.Address, "/")
	require.Equal(t, http.StatusNotFound, status)
}

func TestDeclaredMetricsPassPromlint(t *testing.T) {
	endpoint := started(t, promexport.Options{Address: "127.0.0.1:0"})
	response, err := http.Get("http://" + endpoint.Address + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	problems, err := promlint.New(response.Body).Lint()
	require.NoError(t, err)
	for _, problem := range problems {
		require.NotContains(t, problem.Metric, "quotascope_", problem.Text)
	}
}

func TestAddressWithoutAHostIsLoopbackAndAPortInUseNamesTheRemedy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(taken.Addr().String())
	require.NoError(t, err)
	_, err = promexport.Start(promexport.Options{Address: ":" + port, Gather: gathered})
	require.ErrorContains(t, err, "127.0.0.1:"+port+" is in use by another program: choose a free port")
	require.NoError(t, taken.Close())
	endpoint := started(t, promexport.Options{Address: ":" + port})
	require.Equal(t, "127.0.0.1:"+port, endpoint.Address)
	require.NoError(t, endpoint.Close())
	again := started(t, promexport.Options{Address: ":" + port})
	require.Equal(t, endpoint.Address, again.Address, "a closed endpoint frees its port at once")
	require.Error(t, promexport.CheckAddress("9465"))
	require.Error(t, promexport.CheckAddress("localhost:"))
	require.NoError(t, promexport.CheckAddress(":9465"))
}
