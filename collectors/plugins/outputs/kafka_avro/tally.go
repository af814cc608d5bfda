package kafka_avro

import (
	"sync"

	"github.com/influxdata/telegraf/selfstat"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// Reasons why a record is dropped; they appear, with those of package spool, in HostWindow.drops and as the tag
// "reason" of the self metric.
const (
	dropOversize    = "oversize"    // larger than max_record_bytes
	dropUnencodable = "unencodable" // a field that the schema cannot hold
	dropRejected    = "rejected"    // the broker refuses this very record
	dropOvertaken   = "overtaken"   // failed while a later record of its host was accepted; sent now it would be a false duplicate
	dropShutdown    = "shutdown"    // only in memory, and not acknowledged within close_timeout
)

var dropReasons = []string{
	dropOversize, dropUnencodable, dropRejected, dropOvertaken, dropShutdown,
	string(spool.ReasonFull), string(spool.ReasonAge), string(spool.ReasonCorrupt), string(spool.ReasonMemory),
	string(spool.ReasonHanging),
}

const measurement = "kafka_avro"

// tally counts records for selfstat, the Prometheus endpoint and HostWindow. The counts live as long as the
// process, and at any rest produced + recovered = acknowledged + dropped + waiting.
type tally struct {
	topic     string
	produced  selfstat.Stat
	recovered selfstat.Stat
	sent      selfstat.Stat
	acked     selfstat.Stat
	refused   selfstat.Stat
	corrupt   selfstat.Stat

	spoolRecords selfstat.Stat
	spoolBytes   selfstat.Stat
	spoolOldest  selfstat.Stat
	spoolDurable selfstat.Stat

	byReason map[string]selfstat.Stat

	mu       sync.Mutex
	failures map[string]selfstat.Stat
}

func newTally(topic string) *tally {
	t := &tally{topic: topic, byReason: map[string]selfstat.Stat{}, failures: map[string]selfstat.Stat{}}
	for field, stat := range map[string]*selfstat.Stat{
		"records_produced": &t.produced, "records_recovered": &t.recovered, "records_sent": &t.sent,
		"records_acknowledged": &t.acked, "metrics_refused": &t.refused, "spool_corrupt_blocks": &t.corrupt,
		"spool_records": &t.spoolRecords, "spool_bytes": &t.spoolBytes, "spool_oldest_age_us": &t.spoolOldest,
		"spool_durable": &t.spoolDurable,
	} {
		*stat = selfstat.Register(measurement, field, map[string]string{"topic": topic})
	}
	for _, reason := range dropReasons {
		t.byReason[reason] = t.register("records_dropped", reason)
	}
	return t
}

func (t *tally) register(field, reason string) selfstat.Stat {
	return selfstat.Register(measurement, field, map[string]string{"topic": t.topic, "reason": reason})
}

func (t *tally) acknowledged() int64    { return t.acked.Get() }
func (t *tally) recover(records int)    { t.recovered.Incr(int64(records)) }
func (t *tally) drop(r string, n int)   { t.byReason[r].Incr(int64(n)) }
func (t *tally) dropped(r string) int64 { return t.byReason[r].Get() }

// waits states what waits for its acknowledgement.
func (t *tally) waits(backlog spool.Backlog) {
	t.spoolRecords.Set(int64(backlog.Records))
	t.spoolBytes.Set(backlog.Bytes)
	t.spoolOldest.Set(backlog.Oldest.Microseconds())
	durable := int64(0)
	if backlog.Durable {
		durable = 1
	}
	t.spoolDurable.Set(durable)
}

// fail counts a trouble by its kind.
func (t *tally) fail(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	stat, known := t.failures[kind]
	if !known {
		stat = t.register("errors", kind)
		t.failures[kind] = stat
	}
	stat.Incr(1)
}

// drops are the counts by reason that are not zero.
func (t *tally) drops() map[string]int64 {
	counts := make(map[string]int64, len(t.byReason))
	for reason, stat := range t.byReason {
		if count := stat.Get(); count > 0 {
			counts[reason] = count
		}
	}
	return counts
}
