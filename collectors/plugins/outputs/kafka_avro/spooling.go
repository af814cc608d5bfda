package kafka_avro

import (
	"time"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// upkeepInterval is how often the disk spool looks after ages, fsync and a disk that had failed.
const upkeepInterval = time.Second

// openSpool returns the spool that the options ask for.
func (k *KafkaAvro) openSpool() spool.Spool {
	told := spoolEvents{k.tally, k.trouble}
	if k.SpoolDirectory == "" {
		return spool.NewMemory(int64(k.SpoolMemoryBytes), time.Duration(k.SpoolMaxAge), told)
	}
	return spool.NewDisk(spool.Options{
		Directory: k.SpoolDirectory, MaxBytes: int64(k.SpoolBytes), MaxAge: time.Duration(k.SpoolMaxAge),
		MemoryBytes: int64(k.SpoolMemoryBytes), SyncAfter: time.Duration(k.SpoolSyncAfter), Upkeep: upkeepInterval,
		Events: told,
	})
}

// spoolEvents counts and reports what happens to the spool.
type spoolEvents struct {
	tally   *tally
	trouble *trouble
}

var _ spool.Events = spoolEvents{}

// remedies is what an operator can do about records that the spool had to drop.
var remedies = map[spool.Reason]string{
	spool.ReasonFull:    "spool_bytes is reached: the oldest records go",
	spool.ReasonAge:     "they waited longer than spool_max_age",
	spool.ReasonCorrupt: "what was written cannot be read back: look at the disk of spool_directory",
	spool.ReasonMemory:  "spool_directory cannot be written and spool_memory_bytes is reached: the oldest in memory go",
}

// Dropped implements spool.Events.
func (e spoolEvents) Dropped(reason spool.Reason, records int) {
	e.tally.drop(string(reason), records)
	e.trouble.report(string(reason), "dropped %d record(s) (%s, %d so far): %s", records, reason,
		e.tally.dropped(string(reason)), remedies[reason])
}

// Trouble implements spool.Events.
func (e spoolEvents) Trouble(kind, message string) { e.trouble.report(kind, "%s", message) }

// Corrupt implements spool.Events.
func (e spoolEvents) Corrupt(blocks int) { e.tally.corrupt.Incr(int64(blocks)) }

// Recovered implements spool.Events.
func (e spoolEvents) Recovered(message string) { e.trouble.ended(spool.TroubleUnusable, message) }
