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
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/plugins/common/tls"
	"github.com/influxdata/telegraf/plugins/outputs"
	"github.com/twmb/franz-go/pkg/kgo"

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
	SpoolBytes           config.Size     `toml:"spool_bytes"`
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
		SpoolBytes:           16 << 20,
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
	k.trouble = newTrouble(k.Log, time.Duration(k.ReportInterval))
	k.spool = spool.NewMemory(int64(k.SpoolBytes))
	k.hosts = map[string]time.Duration{}
	return nil
}

// Connect starts delivery. It does not wait for a broker, so that an agent starts while Kafka is away.
func (k *KafkaAvro) Connect() error {
	last := &lastDial{}
	client, err := kgo.NewClient(append(k.clientOptions, kgo.WithHooks(last))...)
	if err != nil {
		return err
	}
	k.sender = newSender(client, k.spool, k.tally, k.trouble, last)
	go k.sender.run()
	return nil
}

// Write encodes the records and hands them to the spool. It returns an error never: what cannot be sent is counted and
// reported here, because Telegraf would answer an error by writing the whole batch again, out of order.
func (k *KafkaAvro) Write(metrics []telegraf.Metric) error {
	delay, written := time.Duration(0), false
	for _, metric := range metrics {
		record, err := usagewindow.FromMetric(metric)
		if errors.Is(err, usagewindow.ErrNotARecord) {
			k.tally.refuse()
			k.trouble.report("foreign metric", "refused: this output takes only the records of inputs.cgroup_cpu; "+
				"keep others away with namepass or send them to another output: %v", err)
			continue
		}
		if err != nil {
			k.drop(dropUnencodable, err)
			continue
		}
		if host, spooled := k.append(record); spooled {
			delay, written = k.delayOf(host), true
		}
	}
	_, bytes := k.spool.Backlog()
	k.tally.spooled(bytes)
	if written {
		k.sender.wake(delay)
	}
	return nil
}

// append encodes one record into the spool and says whose it is.
func (k *KafkaAvro) append(record any) (host string, spooled bool) {
	message, host, err := k.message(record)
	switch {
	case err != nil:
		k.drop(dropUnencodable, err)
		return host, false
	case int64(len(message.Key)+len(message.Value)) > int64(k.MaxRecordBytes):
		k.drop(dropOversize, fmt.Errorf("%T of host %s has %d bytes, max_record_bytes is %d",
			record, host, len(message.Key)+len(message.Value), k.MaxRecordBytes))
		return host, false
	}
	dropped, err := k.spool.Append(message)
	if err != nil {
		k.drop(dropSpool, err)
		return host, false
	}
	if dropped > 0 {
		k.tally.drop(dropSpoolFull, dropped)
		k.trouble.report(dropSpoolFull, "the spool is full (spool_bytes): the oldest records go, %d so far", k.tally.dropped(dropSpoolFull))
	}
	return host, true
}

func (k *KafkaAvro) drop(reason string, cause error) {
	k.tally.drop(reason, 1)
	k.trouble.report(reason, "dropped one record (%s, %d so far): %v", reason, k.tally.dropped(reason), cause)
}

// Close delivers what is left within close_timeout and says what could not be delivered.
func (k *KafkaAvro) Close() error {
	if k.sender == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(k.CloseTimeout))
	defer cancel()
	left := k.sender.stop(ctx)
	k.sender = nil
	if left > 0 {
		k.tally.drop(dropShutdown, left)
		k.Log.Errorf("stopped with %d records that Kafka had not acknowledged within close_timeout (%s); they are lost",
			left, time.Duration(k.CloseTimeout))
	} else {
		k.Log.Infof("stopped with every record acknowledged (%d in all)", k.tally.acknowledged())
	}
	return k.spool.Close()
}
