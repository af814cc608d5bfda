package kafka_avro

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

const runner = "../../../../infra/native/run"

// broker is the address of the real Kafka broker that TestMain starts for this package.
var broker string

func TestMain(m *testing.M) { os.Exit(runWithKafka(m)) }

func runWithKafka(m *testing.M) int {
	state, err := os.MkdirTemp("", "quotascope-kafka-avro-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "a folder for the broker:", err)
		return 1
	}
	defer os.RemoveAll(state)
	defer exec.Command(runner, "down", "--state", state).Run() //nolint:errcheck // Nothing is left to do about it here.
	output, err := exec.Command(runner, "up", "--only", "kafka", "--state", state, "--ports", "auto").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "these tests need a real broker: make `infra/native/run up --only kafka` work here first: %v\n%s", err, output)
		return 1
	}
	var endpoints struct{ Kafka string }
	text, err := os.ReadFile(filepath.Join(state, "endpoints.json"))
	if err == nil {
		err = json.Unmarshal(text, &endpoints)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "endpoints.json of the broker:", err)
		return 1
	}
	broker = endpoints.Kafka
	return m.Run()
}

func newTopic(t *testing.T, partitions int32, configs map[string]*string) string {
	t.Helper()
	topic := strings.NewReplacer("/", "-", "#", "-").Replace(t.Name()) + fmt.Sprint(time.Now().UnixNano())
	createTopic(t, topic, partitions, configs)
	return topic
}

func createTopic(t *testing.T, topic string, partitions int32, configs map[string]*string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker))
	require.NoError(t, err)
	defer client.Close()
	_, err = kadm.NewClient(client).CreateTopic(context.Background(), partitions, 1, configs, topic)
	require.NoError(t, err)
}

// consume reads until it has seen count records of the topics, and a little longer to see what must not be there.
func consume(t *testing.T, count int, topics ...string) []*kgo.Record {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker), kgo.ConsumeTopics(topics...))
	require.NoError(t, err)
	defer client.Close()
	var records []*kgo.Record
	deadline, surplus := time.Now().Add(30*time.Second), false
	for !surplus {
		require.True(t, time.Now().Before(deadline), "only %d of %d records arrived", len(records), count)
		patience, cancel := context.WithTimeout(context.Background(), time.Second)
		fetches := client.PollFetches(patience)
		cancel()
		surplus = len(records) >= count && errors.Is(fetches.Err0(), context.DeadlineExceeded)
		records = append(records, fetches.Records()...)
	}
	require.Equal(t, count, len(records), "records that arrived") // Not Len, which would print them all.
	return records
}

// network lets a test take the broker away: dials fail and open connections break while it is cut.
type network struct {
	mu   sync.Mutex
	cut  bool
	open []net.Conn
}

var errCut = errors.New("the test has cut the network")

func (n *network) dial(ctx context.Context, kind, address string) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cut {
		return nil, errCut
	}
	connection, err := (&net.Dialer{}).DialContext(ctx, kind, address)
	if err == nil {
		n.open = append(n.open, connection)
	}
	return connection, err
}

func (n *network) setCut(cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut = cut
	if cut {
		for _, connection := range n.open {
			connection.Close()
		}
		n.open = nil
	}
}

// logRecorder keeps what the plugin says to its operator.
type logRecorder struct {
	telegraf.Logger
	mu    sync.Mutex
	lines []string
}

func (l *logRecorder) Errorf(format string, arguments ...any) { l.add("E! "+format, arguments) }
func (l *logRecorder) Infof(format string, arguments ...any)  { l.add("I! "+format, arguments) }

func (l *logRecorder) add(format string, arguments []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, arguments...))
}

func (l *logRecorder) containing(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}
