// Package spool keeps encoded records in the order in which they were made until the broker has acknowledged them.
// The order matters: seq must increase on the wire per host, because the intake accepts only what is above its mark.
package spool

// Record is one message that waits for its acknowledgement.
type Record struct {
	Topic string
	Key   []byte
	Value []byte
}

// recordOverhead is what a record costs in memory beside its bytes: three slice headers, rounded up. Bytes.
const recordOverhead = 64

// Size is what the record counts against a bound, bytes.
func (r Record) Size() int64 {
	return int64(len(r.Key)+len(r.Value)) + recordOverhead
}

// Spool is a bounded FIFO with one consumer. Producing into it never waits for the broker: beyond the bound the oldest
// records go, and the caller counts them. Implementations are safe for one appender beside one consumer.
type Spool interface {
	// Append adds the record at the tail and returns how many records had to go for it: the oldest ones that are not
	// held, or the record itself where it alone exceeds the bound.
	Append(record Record) (dropped int, err error)
	// Hold returns the oldest records, up to the stated count and bytes but at least one if there is one, and keeps them
	// from being dropped until Release. Holding again before Release returns the same records.
	Hold(maxRecords int, maxBytes int64) ([]Record, error)
	// Release removes the held records: each was acknowledged or deliberately given up.
	Release() error
	// Backlog is what the spool contains, held records included.
	Backlog() (records int, bytes int64)
	// Close ends the use of the spool. What a Spool still contains then outlives it only if the Spool is durable.
	Close() error
}
