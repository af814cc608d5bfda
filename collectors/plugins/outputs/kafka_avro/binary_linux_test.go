package kafka_avro

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/hamba/avro/v2"
	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

const binaryConfiguration = `
[agent]
  flush_interval = "1s"
  omit_hostname = true
[[inputs.cgroup_cpu]]
  host_id = "host-a"
  trace = %q
  trace_loop = true
  builtin_rules = []
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/{service}/{shard}"
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/quotascope/{service}/{shard}"
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/quotascope/lab/{service}/{shard}"
[[outputs.kafka_avro]]
  brokers = [%q]
  jitter = "0s"
  spool_directory = %q
  topic_cpu_usage_windows = %q
  topic_host_windows = %q
  topic_shard_identities = %q
`

// The agent that we ship, with records of a trace: killed while Kafka is away, started again with Kafka there, reloaded,
// stopped. Nothing is missing, and the reader of the topic sees it.
func TestShippedAgentSurvivesKillReloadAndAbsence(t *testing.T) {
	skipIfShort(t)
	folder := t.TempDir()
	program, spoolFolder := filepath.Join(folder, "telegraf"), filepath.Join(folder, "spool")
	output, err := exec.Command("go", "build", "-o", program, "../../../cmd/telegraf").CombinedOutput()
	require.NoError(t, err, string(output))
	traces, err := filepath.Abs("../../../testdata/traces")
	require.NoError(t, err)
	windows, hosts, identities := newTopic(t, 1, nil), newTopic(t, 1, nil), newTopic(t, 1, nil)
	configuration := filepath.Join(folder, "telegraf.conf")
	var said bytes.Buffer
	start := func(address string) *exec.Cmd {
		text := fmt.Sprintf(binaryConfiguration, traces, address, spoolFolder, windows, hosts, identities)
		require.NoError(t, os.WriteFile(configuration, []byte(text), 0o600))
		process := exec.Command(program, "--config", configuration)
		process.Stderr = &said
		require.NoError(t, process.Start())
		t.Cleanup(func() { process.Process.Kill() }) //nolint:errcheck // It has ended already unless the test failed.
		return process
	}
	grown := func(by int) { // Waits until that many more batches of records went into the spool.
		for ; by > 0; by-- {
			before := spooled(t, spoolFolder)
			require.Eventually(t, func() bool { return spooled(t, spoolFolder) > before }, time.Minute, 50*time.Millisecond)
		}
	}
	nobody, err := freeAddress()
	require.NoError(t, err)
	killed := start(nobody)
	grown(2)
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())

	again := start(broker)
	grown(1)
	require.NoError(t, again.Process.Signal(syscall.SIGHUP))
	grown(1)
	require.NoError(t, again.Process.Signal(syscall.SIGTERM))
	require.NoError(t, again.Wait(), "an orderly end")
	require.Contains(t, said.String(), "of an earlier run in "+spoolFolder)
	require.Contains(t, said.String(), "stopped with every record acknowledged")

	seqs, epochs, repeated := accepted(t, consumeAll(t, windows))
	require.IsIncreasing(t, epochs)
	require.GreaterOrEqual(t, len(epochs), 2, "of the killed and of the second process")
	require.Zero(t, repeated, "what was never sent is not repeated")
	for epoch, numbers := range seqs {
		for i, seq := range numbers {
			require.Equal(t, int64(i), seq, "epoch %d has no hole", epoch)
		}
	}
	waited := false
	for _, message := range consumeAll(t, hosts) {
		var host usagewindow.HostWindow
		require.NoError(t, avro.Unmarshal(avro.MustParse(schemas.HostWindow), message.Value[10:], &host))
		require.Empty(t, host.Drops)
		waited = waited || host.SpoolBytes > 0
	}
	require.True(t, waited, "a host's record states what waited when it was made")
}

// spooled is how many records the folder has ever taken: next in the newer slot of its position.
func spooled(t *testing.T, folder string) (records uint64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "position"))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	for slot := text; len(slot) >= 32; slot = slot[32:] {
		records = max(records, binary.LittleEndian.Uint64(slot[24:]))
	}
	return records
}
