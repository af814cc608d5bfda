package kafka_avro

import (
	"net"
	"sync"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/twmb/franz-go/pkg/kgo"
)

// trouble counts every trouble and logs each kind at most once per interval: a poison record repeats every ten seconds
// for ever.
type trouble struct {
	log      telegraf.Logger
	interval time.Duration
	tally    *tally

	mu     sync.Mutex
	spoken map[string]time.Time
}

func newTrouble(log telegraf.Logger, interval time.Duration, tally *tally) *trouble {
	return &trouble{log: log, interval: interval, tally: tally, spoken: map[string]time.Time{}}
}

func (t *trouble) report(kind, format string, arguments ...any) {
	t.tally.fail(kind)
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, spoken := t.spoken[kind]; spoken && time.Since(last) < t.interval {
		return
	}
	t.spoken[kind] = time.Now()
	t.log.Errorf(format, arguments...)
}

// ended says that a trouble is over; the next one of its kind is logged at once.
func (t *trouble) ended(kind, message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.spoken, kind)
	t.log.Infof("%s", message)
}

// lastDial remembers how the last attempt to reach a broker ended, so that "Kafka is away" can say why.
type lastDial struct {
	mu  sync.Mutex
	err error
}

var _ kgo.HookBrokerConnect = (*lastDial)(nil)

// OnBrokerConnect implements kgo.HookBrokerConnect.
func (d *lastDial) OnBrokerConnect(_ kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
}

func (d *lastDial) reason() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err.Error()
	}
	return "a broker is connected but does not answer"
}
