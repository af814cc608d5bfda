package kafka_avro

import (
	"time"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// upkeepInterval is how often the disk spool looks after ages, fsync and a disk that had failed.
const upkeepInterval = time.Second

// diskPatience is how long Telegraf and the sender wait for a disk. A busy one takes tenths of a second.
const diskPatience = 3 * time.Second

// openSpool returns the spool that the options ask for.
func (k *KafkaAvro) openSpool() spool.Spool {
	told := spoolEvents{k.tally, k.trouble}
	if k.SpoolDirectory == "" {
		return spool.NewMemory(int64(k.SpoolMemoryBytes), time.Duration(k.SpoolMaxAge), told, time.Now)
	}
	options := spool.Options{
		Directory: k.SpoolDirectory, MaxBytes: int64(k.SpoolBytes), MaxAge: time.Duration(k.SpoolMaxAge),
		MemoryBytes: int64(k.SpoolMemoryBytes), SyncAfter: time.Duration(k.SpoolSyncAfter), Upkeep: upkeepInterval,
		Events: told,
	}
	return spool.NewPatient(spool.PatientOptions{
		Patience: diskPatience, MemoryBytes: int64(k.SpoolMemoryBytes), Opened: k.foundEarlier, Events: told,
	}, func() spool.Spool { return spool.NewDisk(options) })
}

// foundEarlier counts what an earlier run left in the spool. A disk that hangs lets it be heard late.
func (k *KafkaAvro) foundEarlier(found spool.Backlog) {
	k.tally.recover(found.Records)
	if found.Records > 0 {
		k.Log.Infof("found %d records (%d bytes) of an earlier run in %s; they are sent first", found.Records, found.Bytes, k.SpoolDirectory)
	}
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
	spool.ReasonHanging: "the disk of spool_directory does not answer and spool_memory_bytes is reached: the oldest that wait for it go",
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
func (e spoolEvents) Recovered(kind, message string) { e.trouble.ended(kind, message) }
