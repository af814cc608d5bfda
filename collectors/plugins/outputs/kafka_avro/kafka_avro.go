// Package kafka_avro is the Telegraf output that delivers the records of inputs.cgroup_cpu to Kafka: keyed by host,
// in the order of their seq, acknowledged one by one, never stopping the agent because a broker is away.
//
//nolint:revive // Telegraf names plugin packages with underscores.
package kafka_avro

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/plugins/common/tls"
	"github.com/influxdata/telegraf/plugins/outputs"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/promexport"
	"github.com/quotascope/quotascope/collectors/internal/spool"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

//go:embed sample.conf
var sampleConfig string

// KafkaAvro is the plugin; sample.conf states the meaning of every option.
type KafkaAvro struct {
	Brokers              []string        `toml:"brokers"`
	ClientID             string          `toml:"client_id"`
	TopicCPUUsageWindows string          `toml:"topic_cpu_usage_windows"`
	TopicHostWindows     string          `toml:"topic_host_windows"`
	TopicShardIdentities string          `toml:"topic_shard_identities"`
	Jitter               config.Duration `toml:"jitter"`
	MaxRecordBytes       config.Size     `toml:"max_record_bytes"`
	SpoolDirectory       string          `toml:"spool_directory"`
	SpoolBytes           config.Size     `toml:"spool_bytes"`
	SpoolMaxAge          config.Duration `toml:"spool_max_age"`
	SpoolMemoryBytes     config.Size     `toml:"spool_memory_bytes"`
	SpoolSyncAfter       config.Duration `toml:"spool_sync_after"`
	MetricsAddress       string          `toml:"metrics_address"`
	CloseTimeout         config.Duration `toml:"close_timeout"`
	ReportInterval       config.Duration `toml:"report_interval"`
	SASLMechanism        string          `toml:"sasl_mechanism"`
	SASLUsername         string          `toml:"sasl_username"`
	SASLPasswordFile     string          `toml:"sasl_password_file"`
	tls.ClientConfig

	Log telegraf.Logger `toml:"-"`

	clientOptions []kgo.Opt
	encoder       *usagewindow.Encoder
	tally         *tally
	trouble       *trouble
	spool         spool.Spool
	endpoint      *promexport.Endpoint
	sender        *sender
	hosts         map[string]time.Duration
}

func init() {
	outputs.Add("kafka_avro", func() telegraf.Output { return newWithDefaults() })
}

func newWithDefaults() *KafkaAvro {
	return &KafkaAvro{
		ClientID:             "quotascope-telegraf",
		TopicCPUUsageWindows: "cpu-usage-windows.v1",
		TopicHostWindows:     "host-windows.v1",
		TopicShardIdentities: "shard-identities.v1",
		Jitter:               config.Duration(5 * time.Second),
		MaxRecordBytes:       256 << 10,
		SpoolDirectory:       "/var/lib/quotascope/spool",
		SpoolBytes:           96 << 20,
		SpoolMaxAge:          config.Duration(6*time.Hour + 25*time.Minute),
		SpoolMemoryBytes:     16 << 20,
		SpoolSyncAfter:       config.Duration(10 * time.Second),
		CloseTimeout:         config.Duration(10 * time.Second),
		ReportInterval:       config.Duration(time.Minute),
	}
}

// SampleConfig returns the configuration that the README shows.
func (*KafkaAvro) SampleConfig() string { return sampleConfig }

// Init checks every option and names the one that is wrong. It reaches no broker.
func (k *KafkaAvro) Init() error {
	if err := k.checkOptions(); err != nil {
		return err
	}
	options, err := k.kafkaOptions()
	if err != nil {
		return err
	}
	if err := kgo.ValidateOpts(options...); err != nil {
		return fmt.Errorf("options of the Kafka client: %w", err)
	}
	k.clientOptions = options
	k.encoder, err = usagewindow.NewEncoder()
	if err != nil {
		return err
	}
	k.tally = newTally(k.TopicCPUUsageWindows)
	k.trouble = newTrouble(k.Log, time.Duration(k.ReportInterval), k.tally)
	k.hosts = map[string]time.Duration{}
	return nil
}

// Connect starts delivery. It does not wait for a broker, so that an agent starts while Kafka is away, and a spool
// folder that cannot be used is bridged by memory.
func (k *KafkaAvro) Connect() error {
	last := &lastDial{}
	client, err := kgo.NewClient(append(k.clientOptions, kgo.WithHooks(last))...)
	if err != nil {
		return err
	}
	k.spool = k.openSpool()
	found := k.spool.Backlog()
	k.tally.waits(found)
	k.sender = newSender(client, k.spool, k.tally, k.trouble, last)
	go k.sender.run()
	k.serveMetrics()
	if found.Records > 0 {
		k.sender.wake(time.Duration(rand.Int64N(int64(k.Jitter) + 1))) // After an outage a fleet restarts at once.
	}
	return nil
}

// Write encodes the records and hands them to the spool. It returns an error never: what cannot be sent is counted and
// reported here, because Telegraf would answer an error by writing the whole batch again, out of order.
func (k *KafkaAvro) Write(metrics []telegraf.Metric) error {
	delay, messages := time.Duration(0), make([]spool.Record, 0, len(metrics))
	for _, metric := range metrics {
		record, err := usagewindow.FromMetric(metric)
		if errors.Is(err, usagewindow.ErrNotARecord) {
			k.tally.refused.Incr(1)
			k.trouble.report("foreign_metric", "refused: this output takes only the records of inputs.cgroup_cpu; "+
				"keep others away with namepass or send them to another output: %v", err)
			continue
		}
		k.tally.produced.Incr(1)
		if err != nil {
			k.drop(dropUnencodable, err)
			continue
		}
		if message, host, sound := k.encode(record); sound {
			delay, messages = k.delayOf(host), append(messages, message)
		}
	}
	if len(messages) > 0 {
		k.spool.Append(messages)
		k.sender.wake(delay)
	}
	k.tally.waits(k.spool.Backlog())
	return nil
}

// encode makes the message of one record and says whose it is, or drops and counts it.
func (k *KafkaAvro) encode(record any) (message spool.Record, host string, sound bool) {
	message, host, err := k.message(record)
	switch {
	case err != nil:
		k.drop(dropUnencodable, err)
		return message, host, false
	case int64(len(message.Key)+len(message.Value)) > int64(k.MaxRecordBytes):
		k.drop(dropOversize, fmt.Errorf("%T of host %s has %d bytes, max_record_bytes is %d",
			record, host, len(message.Key)+len(message.Value), k.MaxRecordBytes))
		return message, host, false
	}
	return message, host, true
}

func (k *KafkaAvro) drop(reason string, cause error) {
	k.tally.drop(reason, 1)
	k.trouble.report(reason, "dropped one record (%s, %d so far): %v", reason, k.tally.dropped(reason), cause)
}

// Close delivers what is left within close_timeout. What Kafka has not acknowledged by then stays in the spool folder
// for the next start; only what waits in memory is lost, which is counted.
func (k *KafkaAvro) Close() error {
	if k.sender == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(k.CloseTimeout))
	defer cancel()
	k.sender.stop(ctx)
	k.sender = nil
	k.closeMetrics()
	kept, lost := k.spool.Close()
	k.tally.recover(-kept) // A reload finds them again, in the same process.
	k.tally.drop(dropShutdown, lost)
	k.tally.waits(spool.Backlog{Durable: true})
	switch {
	case lost > 0:
		k.Log.Errorf("stopped with %d records in memory that Kafka had not acknowledged within close_timeout (%s); they are lost",
			lost, time.Duration(k.CloseTimeout))
	case kept > 0:
		k.Log.Infof("stopped with %d records that Kafka had not acknowledged; they stay in %s and are sent first after the next start",
			kept, k.SpoolDirectory)
	default:
		k.Log.Infof("stopped with every record acknowledged (%d in all)", k.tally.acknowledged())
	}
	return nil
}
