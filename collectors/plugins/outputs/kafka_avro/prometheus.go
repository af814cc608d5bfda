package kafka_avro

import (
	"github.com/influxdata/telegraf/selfstat"

	"github.com/quotascope/quotascope/collectors/internal/promexport"
)

// declared are the self metrics of this output as Prometheus shows them.
var declared = []promexport.Metric{
	counter("records_produced", "Records taken from the input, each once."),
	counter("records_recovered", "Records of an earlier process found in the spool."),
	counter("records_sent", "Records handed to the Kafka client, repetitions included."),
	counter("records_acknowledged", "Records acknowledged by all in-sync replicas."),
	counter("records_dropped", "Records lost, by reason; each is also in the host's own record."),
	counter("metrics_refused", "Metrics of other inputs, which this output does not take."),
	counter("errors", "Troubles by reason, also those that the log leaves out."),
	counter("spool_corrupt_blocks", "Blocks of the spool that could not be read back."),
	{Measurement: measurement, Field: "spool_records", Name: "quotascope_spool_records", Help: "Records that wait for an acknowledgement."},
	{Measurement: measurement, Field: "spool_bytes", Name: "quotascope_spool_bytes", Help: "Bytes that they occupy."},
	{Measurement: measurement, Field: "spool_oldest_age_us", Name: "quotascope_spool_oldest_age_seconds",
		Help: "How long the oldest of them has waited.", Scale: 1e-6},
	{Measurement: measurement, Field: "spool_durable", Name: "quotascope_spool_durable",
		Help: "1 while everything that waits would outlive the process."},
}

func counter(field, help string) promexport.Metric {
	return promexport.Metric{Measurement: measurement, Field: field, Name: "quotascope_" + field + "_total", Help: help, Counter: true}
}

// serveMetrics starts the endpoint if there is to be one. The agent goes on without it.
func (k *KafkaAvro) serveMetrics() {
	if k.MetricsAddress == "" {
		return
	}
	records := k.spool
	endpoint, err := promexport.Start(promexport.Options{
		Address: k.MetricsAddress, Gather: selfstat.Metrics, Declared: declared,
		Refresh: func() { k.tally.waits(records.Backlog()) },
	})
	if err != nil {
		k.trouble.report("metrics_address", "metrics_address: no metrics are served: %v", err)
		return
	}
	k.endpoint = endpoint
	k.Log.Infof("metrics are served at http://%s/metrics", endpoint.Address)
}

// closeMetrics ends the endpoint, whose port a reload takes again at once.
func (k *KafkaAvro) closeMetrics() {
	if k.endpoint == nil {
		return
	}
	if err := k.endpoint.Close(); err != nil {
		k.trouble.report("metrics_address", "metrics_address: %v", err)
	}
	k.endpoint = nil
}
