// Package spool keeps encoded records in the order in which they were made until the broker has acknowledged them.
// The order matters: seq must increase on the wire per host, because the intake accepts only what is above its mark.
package spool

import "time"

// Record is one message that waits for its acknowledgement.
type Record struct {
	Topic string
	Key   []byte
	Value []byte
}

// recordOverhead is what a record costs in memory beside its bytes: three slice headers, rounded up. Bytes.
const recordOverhead = 64

// Size is what the record counts against a bound in memory, bytes.
func (r Record) Size() int64 {
	return int64(len(r.Key)+len(r.Value)) + recordOverhead
}

// Spool is a bounded FIFO with one consumer. Producing into it never waits for the broker and never fails: what a bound
// or a fault takes away is told to Events, record by record. Implementations are safe for one appender beside one consumer.
type Spool interface {
	// Append adds the records at the tail, in their order. Beyond a bound the oldest records go that are not held.
	Append(records []Record)
	// Hold returns the oldest records, up to the stated count and bytes but at least one if there is one, and keeps them
	// from being dropped until Release. Holding again before Release returns the same records.
	Hold(maxRecords int, maxBytes int64) []Record
	// Release removes the held records, each of which was acknowledged or deliberately given up, except the pending
	// ones: these, a part of the held in their order, are the oldest again.
	Release(pending []Record)
	// Backlog is what the spool contains, held records included.
	Backlog() Backlog
	// Close ends the use of the spool. It returns how many records outlive it on disk and how many went with the memory.
	Close() (kept, lost int)
}

// Backlog describes what waits in a spool.
type Backlog struct {
	Records int
	// Bytes is what the waiting records occupy: on disk compressed, in memory with their overhead.
	Bytes int64
	// Oldest is how long the oldest record has waited; 0 when nothing waits.
	Oldest time.Duration
	// Durable is true when all of it would outlive the process.
	Durable bool
}

// Reason says why a spool dropped records that it had taken.
type Reason string

// Reasons of a spool.
const (
	// ReasonFull: the oldest went because the byte bound was reached.
	ReasonFull Reason = "spool_full"
	// ReasonAge: they waited longer than the age bound.
	ReasonAge Reason = "spool_age"
	// ReasonCorrupt: what was written cannot be read back.
	ReasonCorrupt Reason = "spool_corrupt"
	// ReasonMemory: the disk cannot be written and the memory that stands in for it was full.
	ReasonMemory Reason = "spool_memory"
	// ReasonHanging: the disk does not answer and the memory before it was full.
	ReasonHanging Reason = "spool_hanging"
)

// Kinds of trouble; with Reason they are the tags by which an operator sees what happens to a spool.
const (
	TroubleUnusable = "spool_unusable" // the folder cannot be used or written, records wait in memory
	TroublePosition = "spool_position" // the position cannot be written, a restart would repeat records
	TroubleSync     = "spool_sync"     // fsync failed, a loss of power would take more than stated
	TroubleCorrupt  = "spool_corrupt"  // a block or segment cannot be read back
	TroubleTorn     = "spool_torn"     // the last block was not written to its end by a process that was killed
	TroubleHanging  = "spool_hanging"  // the disk does not answer, records wait in memory
	TroubleRemove   = "spool_remove"   // a segment cannot be removed or set aside
)

// Events hears what happens to a spool. It is called while the spool is locked and must not call it back.
type Events interface {
	// Dropped counts records that the spool had taken and lost.
	Dropped(reason Reason, records int)
	// Trouble is a fault that the spool survived.
	Trouble(kind, message string)
	// Corrupt counts blocks that cannot be read back; how many records were in them is told by Dropped.
	Corrupt(blocks int)
	// Recovered says that a fault of this kind has ended.
	Recovered(kind, message string)
}
