package kafka_avro

import (
	"sync"

	"github.com/influxdata/telegraf/selfstat"
)

// Reasons why a record is dropped; they appear in HostWindow.drops and as the tag "reason" of the self metric.
const (
	dropOversize    = "oversize"    // larger than max_record_bytes
	dropUnencodable = "unencodable" // a field that the schema cannot hold
	dropSpool       = "spool"       // the spool failed to take it
	dropSpoolFull   = "spool_full"  // the oldest went because spool_bytes was reached
	dropRejected    = "rejected"    // the broker refuses this very record
	dropOvertaken   = "overtaken"   // failed while a later record of its host was accepted; sent now it would be a false duplicate
	dropShutdown    = "shutdown"    // not acknowledged within close_timeout
)

const measurement = "kafka_avro"

// tally counts records for inputs.internal and for HostWindow. The counts live as long as the process.
type tally struct {
	tags     map[string]string
	produced selfstat.Stat
	acked    selfstat.Stat
	refused  selfstat.Stat
	spool    selfstat.Stat

	mu       sync.Mutex
	byReason map[string]selfstat.Stat
}

func newTally(topic string) *tally {
	tags := map[string]string{"topic": topic}
	return &tally{
		tags:     tags,
		produced: selfstat.Register(measurement, "records_produced", tags),
		acked:    selfstat.Register(measurement, "records_acknowledged", tags),
		refused:  selfstat.Register(measurement, "metrics_refused", tags),
		spool:    selfstat.Register(measurement, "spool_bytes", tags),
		byReason: map[string]selfstat.Stat{},
	}
}

func (t *tally) produce(records int) { t.produced.Incr(int64(records)) }
func (t *tally) acknowledge()        { t.acked.Incr(1) }
func (t *tally) acknowledged() int64 { return t.acked.Get() }
func (t *tally) refuse()             { t.refused.Incr(1) }
func (t *tally) spooled(bytes int64) { t.spool.Set(bytes) }

func (t *tally) drop(reason string, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	stat, known := t.byReason[reason]
	if !known {
		stat = selfstat.Register(measurement, "records_dropped", map[string]string{"topic": t.tags["topic"], "reason": reason})
		t.byReason[reason] = stat
	}
	stat.Incr(int64(records))
}

func (t *tally) dropped(reason string) int64 { return t.drops()[reason] }

func (t *tally) drops() map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := make(map[string]int64, len(t.byReason))
	for reason, stat := range t.byReason {
		counts[reason] = stat.Get()
	}
	return counts
}
