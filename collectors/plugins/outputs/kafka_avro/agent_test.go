package kafka_avro

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// task is what an agent process of these tests does: write windows of one epoch until it is killed, or deliver what an
// earlier one left and end.
type task struct {
	Broker, Topic, Spool string
	Epoch                int64
	Deliver              bool
}

const windowsPerWrite = 10

// runAgent is the agent process. It says on its standard output up to which seq Write has returned.
func runAgent(text string) int {
	var asked task
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		panic(err)
	}
	plugin, log := newWithDefaults(), &logRecorder{}
	plugin.Log, plugin.Brokers, plugin.Jitter = log, []string{asked.Broker}, 0
	plugin.TopicCPUUsageWindows, plugin.SpoolDirectory = asked.Topic, asked.Spool
	plugin.CloseTimeout = config.Duration(30 * time.Second)
	if err := plugin.Init(); err != nil {
		panic(err)
	}
	if err := plugin.Connect(); err != nil {
		panic(err)
	}
	if asked.Deliver {
		if err := plugin.Close(); err != nil {
			panic(err)
		}
		if len(log.containing("stopped with every record acknowledged")) != 1 {
			return 1
		}
		return 0
	}
	for seq := int64(0); ; seq += windowsPerWrite {
		var metrics []telegraf.Metric
		for number := seq; number < seq+windowsPerWrite; number++ {
			written := window("host-a", number)
			written.AgentEpoch = asked.Epoch
			metric, err := usagewindow.ToMetric(written)
			if err != nil {
				panic(err)
			}
			metrics = append(metrics, metric)
		}
		if err := plugin.Write(metrics); err != nil {
			panic(err)
		}
		fmt.Println(seq + windowsPerWrite)
	}
}

func agentProcess(t *testing.T, asked task) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(asked)
	require.NoError(t, err)
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), agentVariable+"="+string(text))
	process.Stderr = os.Stderr
	return process
}

// killedAgent runs an agent for a while, kills it, and returns how many windows it had been told are safe.
func killedAgent(t *testing.T, asked task, lifetime time.Duration) (safe int64) {
	t.Helper()
	process := agentProcess(t, asked)
	output, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	lines := bufio.NewScanner(output)
	require.True(t, lines.Scan(), "the agent writes")
	time.AfterFunc(lifetime, func() { process.Process.Kill() }) //nolint:errcheck // Wait reports it.
	for said := true; said; said = lines.Scan() {
		if strings.HasSuffix(lines.Text(), "0") { // The last line may be cut.
			_, err := fmt.Sscan(lines.Text(), &safe)
			require.NoError(t, err)
		}
	}
	require.ErrorContains(t, process.Wait(), "killed")
	return safe
}

// accepted is what the intake takes of a log: per host and epoch only what is above its mark. It counts the repetitions.
func accepted(t *testing.T, messages []*kgo.Record) (seqs map[int64][]int64, epochs []int64, repeated int) {
	t.Helper()
	seqs = map[int64][]int64{}
	for _, message := range messages {
		got := decodeWindow(t, message)
		known := seqs[got.AgentEpoch]
		if len(known) > 0 && got.Seq <= known[len(known)-1] {
			repeated++
			continue
		}
		if len(known) == 0 {
			epochs = append(epochs, got.AgentEpoch)
		}
		seqs[got.AgentEpoch] = append(known, got.Seq)
	}
	return seqs, epochs, repeated
}

// An agent is killed again and again, with Kafka there and with Kafka away. Whatever Write had returned for arrives, in
// order, older epochs first; what the intake accepts has no hole, and what is repeated it recognizes.
func TestKilledAgentLosesNothingThatItHadSpooled(t *testing.T) {
	skipIfShort(t)
	nobody, err := freeAddress()
	require.NoError(t, err)
	asked := task{Broker: broker, Topic: newTopic(t, 1, nil), Spool: t.TempDir()}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(1, seed))
	safe := map[int64]int64{}
	for epoch := int64(1); epoch <= 8; epoch++ {
		round := asked
		round.Epoch = epoch
		if epoch%2 == 0 {
			round.Broker = nobody
		}
		safe[epoch] = killedAgent(t, round, time.Duration(100+random.IntN(400))*time.Millisecond)
	}
	last := asked
	last.Deliver = true
	require.NoError(t, agentProcess(t, last).Run(), "everything is delivered")

	seqs, epochs, repeated := accepted(t, consumeAll(t, asked.Topic))
	require.IsIncreasing(t, epochs)
	require.Len(t, epochs, 8)
	total := 0
	for epoch, numbers := range seqs {
		for i, seq := range numbers {
			require.Equal(t, int64(i), seq, "epoch %d has no hole", epoch)
		}
		require.GreaterOrEqual(t, int64(len(numbers)), safe[epoch], "epoch %d", epoch)
		require.LessOrEqual(t, int64(len(numbers)), safe[epoch]+2*windowsPerWrite, "epoch %d", epoch)
		total += len(numbers)
	}
	t.Logf("%d windows accepted, %d repetitions removed", total, repeated)
}

// The broker itself is away: when the agent starts, and again in the middle, for longer than the client's own patience
// would be with time-outs of production scale (scaled: 10 s stand for minutes).
func TestRealBrokerIsAwayAtStartAndLater(t *testing.T) {
	skipIfShort(t)
	topic := newTopic(t, 1, nil)
	require.NoError(t, broken("down"))
	back := func() { require.NoError(t, broken("up")) }
	t.Cleanup(back) // Also if the test fails between.
	plugin, log := started(t, func(k *KafkaAvro) { k.TopicCPUUsageWindows = topic })
	seq := int64(0)
	writeFor := func(duration time.Duration) {
		for end := time.Now().Add(duration); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			write(t, plugin, window("host-a", seq))
			seq++
		}
	}
	writeFor(3 * time.Second)
	require.NotEmpty(t, log.containing("no answer from Kafka"))
	require.Zero(t, plugin.tally.acknowledged())
	back()
	writeFor(3 * time.Second)
	require.NoError(t, broken("down"))
	writeFor(4 * time.Second)
	require.Positive(t, plugin.spool.Backlog().Oldest)
	back()
	requireReconciled(t, plugin)
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == seq }, 30*time.Second, 20*time.Millisecond)
	requireRising(t, consume(t, int(seq), topic))
	require.Empty(t, plugin.tally.drops())
}
