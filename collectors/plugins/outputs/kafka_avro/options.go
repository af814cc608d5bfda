package kafka_avro

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/quotascope/quotascope/collectors/internal/promexport"
)

// Bounds of one produce request. A chunk is what is sent and waited for at once; it fits one batch of one partition, so
// that the broker accepts or refuses it as a whole and a refusal can be narrowed down without changing the order.
const (
	batchBytes   = 1_000_000
	chunkBytes   = 500_000
	chunkRecords = 2_000

	minRecordLimit = 1 << 10
	maxRecordLimit = 900 << 10
)

func (k *KafkaAvro) checkOptions() error {
	if len(k.Brokers) == 0 {
		return errors.New("brokers: at least one host:port is needed")
	}
	for _, address := range k.Brokers {
		if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
			return fmt.Errorf("brokers: %q is not host:port", address)
		}
	}
	for _, topic := range []struct{ option, name string }{
		{"topic_cpu_usage_windows", k.TopicCPUUsageWindows},
		{"topic_host_windows", k.TopicHostWindows},
		{"topic_shard_identities", k.TopicShardIdentities},
	} {
		if topic.name == "" {
			return fmt.Errorf("%s: a topic is needed", topic.option)
		}
	}
	if k.ClientID == "" {
		return errors.New("client_id: a name is needed")
	}
	for _, duration := range []struct {
		option       string
		value, least time.Duration
	}{
		{"jitter", time.Duration(k.Jitter), 0},
		{"close_timeout", time.Duration(k.CloseTimeout), time.Millisecond},
		{"report_interval", time.Duration(k.ReportInterval), time.Millisecond},
		{"spool_max_age", time.Duration(k.SpoolMaxAge), time.Second},
		{"spool_sync_after", time.Duration(k.SpoolSyncAfter), 0},
	} {
		if duration.value < duration.least {
			return fmt.Errorf("%s: %s is less than %s", duration.option, duration.value, duration.least)
		}
	}
	// Part 0 of a minute closes 30 s after its end; a larger jitter would push whole hosts into later parts.
	if limit := 10 * time.Second; time.Duration(k.Jitter) > limit {
		return fmt.Errorf("jitter: %s is more than a window (%s)", time.Duration(k.Jitter), limit)
	}
	if k.MaxRecordBytes < minRecordLimit || k.MaxRecordBytes > maxRecordLimit {
		return fmt.Errorf("max_record_bytes: %d is not within %d..%d", k.MaxRecordBytes, minRecordLimit, maxRecordLimit)
	}
	if k.MetricsAddress != "" {
		if err := promexport.CheckAddress(k.MetricsAddress); err != nil {
			return fmt.Errorf("metrics_address: %w", err)
		}
	}
	return k.checkSpool()
}

// checkSpool demands room for the largest record wherever it may have to wait.
func (k *KafkaAvro) checkSpool() error {
	if k.SpoolDirectory != "" && !filepath.IsAbs(k.SpoolDirectory) {
		return fmt.Errorf("spool_directory: %q is not an absolute path", k.SpoolDirectory)
	}
	if k.SpoolDirectory != "" && k.SpoolBytes < 2*k.MaxRecordBytes {
		return fmt.Errorf("spool_bytes: %d is less than twice max_record_bytes (%d)", k.SpoolBytes, k.MaxRecordBytes)
	}
	if k.SpoolMemoryBytes < 2*k.MaxRecordBytes {
		return fmt.Errorf("spool_memory_bytes: %d is less than twice max_record_bytes (%d)", k.SpoolMemoryBytes, k.MaxRecordBytes)
	}
	return nil
}

// kafkaOptions turns the plugin's options into the client's. Idempotence, acks=all and unlimited retries are the
// client's defaults; acks and compression are stated because the order and the size of the log rest on them.
func (k *KafkaAvro) kafkaOptions() ([]kgo.Opt, error) {
	options := []kgo.Opt{
		kgo.SeedBrokers(k.Brokers...),
		kgo.ClientID(k.ClientID),
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.ProducerBatchCompression(kgo.ZstdCompression()),
		kgo.ProducerBatchMaxBytes(batchBytes),
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
		kgo.ManualFlushing(),
		kgo.MaxBufferedRecords(2 * chunkRecords),
		kgo.MetadataMinAge(time.Second),
		kgo.DisableClientMetrics(),
	}
	encryption, err := k.TLSConfig()
	if err != nil {
		return nil, fmt.Errorf("tls_ca, tls_cert or tls_key: %w", err)
	}
	if encryption != nil {
		options = append(options, kgo.DialTLSConfig(encryption))
	}
	if k.SASLMechanism == "" {
		if k.SASLUsername != "" || k.SASLPasswordFile != "" {
			return nil, errors.New("sasl_mechanism: is needed with sasl_username or sasl_password_file")
		}
		return options, nil
	}
	mechanism, err := k.login(encryption != nil)
	return append(options, kgo.SASL(mechanism)), err
}

func (k *KafkaAvro) login(encrypted bool) (sasl.Mechanism, error) {
	if k.SASLUsername == "" {
		return nil, fmt.Errorf("sasl_username: is needed with sasl_mechanism %s", k.SASLMechanism)
	}
	if _, err := k.password(); err != nil {
		return nil, err
	}
	scramLogin := func(context.Context) (scram.Auth, error) {
		password, err := k.password()
		return scram.Auth{User: k.SASLUsername, Pass: password}, err
	}
	switch k.SASLMechanism {
	case "SCRAM-SHA-256":
		return scram.Sha256(scramLogin), nil
	case "SCRAM-SHA-512":
		return scram.Sha512(scramLogin), nil
	case "PLAIN":
		if !encrypted {
			return nil, errors.New("sasl_mechanism: PLAIN sends the password readable, set tls_enable = true")
		}
		return plain.Plain(func(context.Context) (plain.Auth, error) {
			password, err := k.password()
			return plain.Auth{User: k.SASLUsername, Pass: password}, err
		}), nil
	}
	return nil, fmt.Errorf("sasl_mechanism: %q is not PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", k.SASLMechanism)
}

func (k *KafkaAvro) password() (string, error) {
	text, err := os.ReadFile(k.SASLPasswordFile)
	if err != nil {
		return "", fmt.Errorf("sasl_password_file: %w", err)
	}
	password := strings.TrimRight(string(text), "\r\n")
	if password == "" {
		return "", fmt.Errorf("sasl_password_file: %s is empty", k.SASLPasswordFile)
	}
	return password, nil
}
