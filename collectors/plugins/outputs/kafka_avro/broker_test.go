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

// What TestMain starts for this package: one real broker with three doors.
var (
	broker     string // without encryption; everybody is User:ANONYMOUS there, who may do everything
	brokerMTLS string // demands a client certificate of brokerAuthority
	brokerSASL string // encrypted, demands a password
	state      string // the broker's folder

	brokerAuthority *authority
)

// agentVariable makes this test binary an agent instead (agent_test.go).
const agentVariable = "QUOTASCOPE_TEST_AGENT"

func TestMain(m *testing.M) {
	if task := os.Getenv(agentVariable); task != "" {
		os.Exit(runAgent(task))
	}
	os.Exit(runWithKafka(m))
}

func runWithKafka(m *testing.M) int {
	folder, err := os.MkdirTemp("", "quotascope-kafka-avro-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "a folder for the broker:", err)
		return 1
	}
	state = folder
	defer os.RemoveAll(state)
	defer exec.Command(runner, "down", "--state", state).Run() //nolint:errcheck // Nothing is left to do about it here.
	if err := addDoors(); err != nil {
		fmt.Fprintln(os.Stderr, "the broker's certificates and listeners:", err)
		return 1
	}
	if err := broken("up"); err != nil {
		fmt.Fprintln(os.Stderr, "these tests need a real broker: make `infra/native/run up --only kafka` work here first:", err)
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

// broken starts ("up") or ends ("down") the broker and says what went wrong.
func broken(command string) error {
	arguments := []string{command, "--only", "kafka", "--state", state, "--ports", "auto"}
	if output, err := exec.Command(runner, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// addDoors writes what makes the broker listen with TLS and passwords and ask who may do what.
func addDoors() (err error) {
	if brokerMTLS, err = freeAddress(); err != nil {
		return err
	}
	if brokerSASL, err = freeAddress(); err != nil {
		return err
	}
	folder := filepath.Join(state, "kafka")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	brokerAuthority = newAuthority(fatal{}, folder, "ours")
	certificate, key := brokerAuthority.leaf("broker")
	keystore, lines := filepath.Join(folder, "keystore.pem"), strings.Builder{}
	for _, file := range []string{key, certificate} {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		lines.Write(text)
	}
	if err := os.WriteFile(keystore, []byte(lines.String()), 0o600); err != nil {
		return err
	}
	lines.Reset()
	fmt.Fprintf(&lines, `
listeners=CLIENTS://@CLIENTS@,CONTROLLER://@CONTROLLER@,MTLS://%s,SASL://%s
advertised.listeners=CLIENTS://@CLIENTS@,MTLS://%s,SASL://%s
listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,MTLS:SSL,SASL:SASL_SSL
listener.name.mtls.ssl.client.auth=required
listener.name.sasl.sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512,PLAIN
listener.name.sasl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_plain-agent="open sesame";
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
allow.everyone.if.no.acl.found=true
super.users=User:ANONYMOUS
`, brokerMTLS, brokerSASL, brokerMTLS, brokerSASL)
	for _, door := range []string{"mtls", "sasl"} {
		fmt.Fprintf(&lines, "listener.name.%s.ssl.keystore.type=PEM\nlistener.name.%s.ssl.keystore.location=%s\n", door, door, keystore)
		fmt.Fprintf(&lines, "listener.name.%s.ssl.truststore.type=PEM\nlistener.name.%s.ssl.truststore.location=%s\n", door, door, brokerAuthority.file)
	}
	return os.WriteFile(filepath.Join(folder, "added.properties"), []byte(lines.String()), 0o600)
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// skipIfShort leaves out what restarts brokers or agents and so takes tens of seconds.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("restarts brokers or agents")
	}
}

func newTopic(t *testing.T, partitions int32, configs map[string]*string) string {
	t.Helper()
	topic := strings.NewReplacer("/", "-", "#", "-").Replace(t.Name()) + fmt.Sprint(time.Now().UnixNano())
	createTopic(t, topic, partitions, configs)
	return topic
}

func createTopic(t *testing.T, topic string, partitions int32, configs map[string]*string) {
	t.Helper()
	_, err := administrator(t).CreateTopic(context.Background(), partitions, 1, configs, topic)
	require.NoError(t, err)
}

func administrator(t *testing.T) *kadm.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return kadm.NewClient(client)
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

// consumeAll reads until nothing follows.
func consumeAll(t *testing.T, topic string) (records []*kgo.Record) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker), kgo.ConsumeTopics(topic))
	require.NoError(t, err)
	defer client.Close()
	for {
		patience, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		fetches := client.PollFetches(patience)
		cancel()
		if len(records) > 0 && errors.Is(fetches.Err0(), context.DeadlineExceeded) {
			return records
		}
		records = append(records, fetches.Records()...)
	}
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
