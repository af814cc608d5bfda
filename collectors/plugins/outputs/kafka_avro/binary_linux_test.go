package kafka_avro

import (
	"bytes"
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
	binary, spoolFolder := filepath.Join(folder, "telegraf"), filepath.Join(folder, "spool")
	output, err := exec.Command("go", "build", "-o", binary, "../../../cmd/telegraf").CombinedOutput()
	require.NoError(t, err, string(output))
	traces, err := filepath.Abs("../../../testdata/traces")
	require.NoError(t, err)
	windows, hosts, identities := newTopic(t, 1, nil), newTopic(t, 1, nil), newTopic(t, 1, nil)
	configuration := filepath.Join(folder, "telegraf.conf")
	var said bytes.Buffer
	start := func(address string) *exec.Cmd {
		text := fmt.Sprintf(binaryConfiguration, traces, address, spoolFolder, windows, hosts, identities)
		require.NoError(t, os.WriteFile(configuration, []byte(text), 0o600))
		process := exec.Command(binary, "--config", configuration)
		process.Stderr = &said
		require.NoError(t, process.Start())
		t.Cleanup(func() { process.Process.Kill() }) //nolint:errcheck // It has ended already unless the test failed.
		return process
	}
	grown := func(by int) { // Waits for that many more blocks in the spool.
		for ; by > 0; by-- {
			before := spooledBytes(t, spoolFolder)
			require.Eventually(t, func() bool { return spooledBytes(t, spoolFolder) > before }, 30*time.Second, 50*time.Millisecond)
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

func spooledBytes(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.qsp"))
	require.NoError(t, err)
	for _, file := range files {
		if status, err := os.Stat(file); err == nil {
			bytes += status.Size()
		}
	}
	return bytes
}
