package kafka_avro

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/influxdata/telegraf/config"
	"github.com/stretchr/testify/require"
)

func TestInitNamesTheOption(t *testing.T) {
	folder := t.TempDir()
	password, empty := filepath.Join(folder, "password"), filepath.Join(folder, "empty")
	require.NoError(t, os.WriteFile(password, []byte("secret\n"), 0o600))
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	encrypted := true
	for option, change := range map[string]func(*KafkaAvro){
		"brokers: at least one":           func(k *KafkaAvro) { k.Brokers = nil },
		"brokers: \"broker.example\" is":  func(k *KafkaAvro) { k.Brokers = []string{"broker.example"} },
		"client_id:":                      func(k *KafkaAvro) { k.ClientID = "" },
		"topic_cpu_usage_windows:":        func(k *KafkaAvro) { k.TopicCPUUsageWindows = "" },
		"topic_host_windows:":             func(k *KafkaAvro) { k.TopicHostWindows = "" },
		"topic_shard_identities:":         func(k *KafkaAvro) { k.TopicShardIdentities = "" },
		"jitter: -1s":                     func(k *KafkaAvro) { k.Jitter = config.Duration(-1e9) },
		"jitter: 11s is more":             func(k *KafkaAvro) { k.Jitter = config.Duration(11e9) },
		"close_timeout:":                  func(k *KafkaAvro) { k.CloseTimeout = 0 },
		"report_interval:":                func(k *KafkaAvro) { k.ReportInterval = 0 },
		"max_record_bytes: 100 ":          func(k *KafkaAvro) { k.MaxRecordBytes = 100 },
		"max_record_bytes: 1048576 ":      func(k *KafkaAvro) { k.MaxRecordBytes = 1 << 20 },
		"spool_bytes:":                    func(k *KafkaAvro) { k.SpoolBytes = 1 },
		"spool_memory_bytes:":             func(k *KafkaAvro) { k.SpoolMemoryBytes = 1 },
		"spool_directory: \"spool\" is":   func(k *KafkaAvro) { k.SpoolDirectory = "spool" },
		"metrics_address: \"9465\" is":    func(k *KafkaAvro) { k.MetricsAddress = "9465" },
		"spool_max_age:":                  func(k *KafkaAvro) { k.SpoolMaxAge = 0 },
		"spool_sync_after:":               func(k *KafkaAvro) { k.SpoolSyncAfter = -1 },
		"tls_ca, tls_cert or tls_key:":    func(k *KafkaAvro) { k.TLSCA = filepath.Join(folder, "absent.pem") },
		"sasl_mechanism: is needed":       func(k *KafkaAvro) { k.SASLUsername = "agent" },
		"sasl_username:":                  func(k *KafkaAvro) { k.SASLMechanism = "SCRAM-SHA-256" },
		"sasl_password_file: open":        func(k *KafkaAvro) { k.SASLMechanism, k.SASLUsername = "SCRAM-SHA-256", "agent" },
		"sasl_password_file: " + empty:    func(k *KafkaAvro) { k.SASLMechanism, k.SASLUsername, k.SASLPasswordFile = "PLAIN", "agent", empty },
		`sasl_mechanism: "GUESS" is not`:  func(k *KafkaAvro) { k.SASLMechanism, k.SASLUsername, k.SASLPasswordFile = "GUESS", "agent", password },
		"sasl_mechanism: PLAIN sends the": func(k *KafkaAvro) { k.SASLMechanism, k.SASLUsername, k.SASLPasswordFile = "PLAIN", "agent", password },
	} {
		plugin := newWithDefaults()
		plugin.Log, plugin.Brokers = &logRecorder{}, []string{"127.0.0.1:9092"}
		require.NoError(t, plugin.Init())
		change(plugin)
		require.ErrorContains(t, plugin.Init(), option)
	}
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		plugin := newWithDefaults()
		plugin.Log, plugin.Brokers, plugin.Enable = &logRecorder{}, []string{"127.0.0.1:9092"}, &encrypted
		plugin.SASLMechanism, plugin.SASLUsername, plugin.SASLPasswordFile = mechanism, "agent", password
		require.NoError(t, plugin.Init(), mechanism)
	}
}

// sample.conf is the only statement of the options: it must parse into the defaults, and the README must show it.
func TestSampleConfigIsTheDefaultsAndIsShown(t *testing.T) {
	uncommented := strings.ReplaceAll(sampleConfig, "  # ", "  ")
	loaded := config.NewConfig()
	require.NoError(t, loaded.LoadConfigData([]byte(uncommented), config.EmptySourcePath))
	require.Len(t, loaded.Outputs, 1)
	plugin, isOurs := loaded.Outputs[0].Output.(*KafkaAvro)
	require.True(t, isOurs)
	wanted := newWithDefaults()
	require.Equal(t, []string{"127.0.0.1:19092"}, plugin.Brokers)
	require.Equal(t, wanted.ClientID, plugin.ClientID)
	require.Equal(t, wanted.TopicCPUUsageWindows, plugin.TopicCPUUsageWindows)
	require.Equal(t, wanted.TopicHostWindows, plugin.TopicHostWindows)
	require.Equal(t, wanted.TopicShardIdentities, plugin.TopicShardIdentities)
	require.Equal(t, wanted.Jitter, plugin.Jitter)
	require.Equal(t, wanted.MaxRecordBytes, plugin.MaxRecordBytes)
	require.Equal(t, wanted.SpoolBytes, plugin.SpoolBytes)
	require.Equal(t, wanted.SpoolDirectory, plugin.SpoolDirectory)
	require.Equal(t, wanted.SpoolMaxAge, plugin.SpoolMaxAge)
	require.Equal(t, wanted.SpoolMemoryBytes, plugin.SpoolMemoryBytes)
	require.Equal(t, wanted.SpoolSyncAfter, plugin.SpoolSyncAfter)
	require.Equal(t, wanted.MetricsAddress, plugin.MetricsAddress)
	require.Equal(t, wanted.CloseTimeout, plugin.CloseTimeout)
	require.Equal(t, wanted.ReportInterval, plugin.ReportInterval)
	require.Equal(t, wanted.SASLMechanism, plugin.SASLMechanism)

	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "```toml @sample.conf\n"+sampleConfig+"```\n")
}
