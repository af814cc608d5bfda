package spool

import (
	"fmt"
	"sync"
	"time"
)

// Options of a Disk.
type Options struct {
	// Directory is created if need be and belongs to one process at a time.
	Directory string
	// MaxBytes bounds the files of the folder, MaxAge the time a record waits.
	MaxBytes int64
	MaxAge   time.Duration
	// MemoryBytes bounds what waits in memory while the disk cannot be written, by Record.Size.
	MemoryBytes int64
	// SyncAfter is how long a record waits for the broker before it is fsynced; 0 fsyncs every Append.
	SyncAfter time.Duration
	// Upkeep is how often ages, fsync and a disk that failed are looked after.
	Upkeep time.Duration
	Events Events
	// Now is the clock by which records age; time.Now if nil.
	Now func() time.Time
}

// Disk is a Spool in files: it outlives the agent. While the disk cannot be used it is a Memory, and says so; what
// waited in memory is written as soon as the disk can be used again. The order is kept throughout.
type Disk struct {
	options Options

	mu     sync.Mutex
	folder *folder // nil while it cannot be used at all
	fault  error   // why new records go to memory
	memory *Memory
	held   []Record
	heldIn *folder // nil when the held records are the memory's

	closing chan struct{}
	done    chan struct{}
}

// NewDisk opens the spool. It does not fail: a folder that cannot be used is tried again and again.
func NewDisk(options Options) *Disk {
	if options.Now == nil {
		options.Now = time.Now
	}
	d := &Disk{
		options: options, memory: NewMemory(options.MemoryBytes, options.MaxAge, options.Events, options.Now),
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	d.memory.full = ReasonMemory
	folder, err := openFolder(options)
	d.folder = folder
	if err != nil {
		d.fail(err)
	}
	go d.upkeep()
	return d
}

// Append implements Spool.
func (d *Disk) Append(records []Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fault == nil && len(records) > 0 {
		done, err := d.folder.append(records, d.options.Now())
		records = records[done:]
		if err != nil {
			d.fail(err)
		} else if d.options.SyncAfter == 0 {
			d.sync(d.folder)
		}
	}
	if len(records) > 0 {
		d.memory.Append(records)
	}
}

// Hold implements Spool: what is on disk is older than what is in memory.
func (d *Disk) Hold(maxRecords int, maxBytes int64) []Record {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) > 0 {
		return d.held
	}
	if d.folder != nil {
		d.held, d.heldIn = d.folder.hold(maxRecords, maxBytes), d.folder
	}
	if len(d.held) == 0 && (d.folder == nil || d.folder.read == d.folder.next) {
		d.held, d.heldIn = d.memory.Hold(maxRecords, maxBytes), nil
	}
	return d.held
}

// Release implements Spool.
func (d *Disk) Release(pending []Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.heldIn == nil:
		d.memory.Release(pending)
	case d.heldIn == d.folder:
		d.folder.release(d.settledBefore(pending))
	case len(pending) > 0: // Their folder is gone.
		d.options.Events.Dropped(ReasonCorrupt, len(pending))
	}
	d.held, d.heldIn = nil, nil
}

// settledBefore counts the held records before the first pending one. Settled ones behind it are sent once more.
func (d *Disk) settledBefore(pending []Record) int {
	for i := range d.held {
		if len(pending) > 0 && d.held[i].is(pending[0]) {
			return i
		}
	}
	return len(d.held)
}

// Backlog implements Spool.
func (d *Disk) Backlog() Backlog {
	d.mu.Lock()
	defer d.mu.Unlock()
	backlog := d.memory.Backlog()
	backlog.Durable = backlog.Records == 0
	if d.heldIn != nil {
		backlog.Records += len(d.held)
	}
	if f := d.folder; f != nil {
		backlog.Records += int(f.next - f.read)
		backlog.Bytes += f.waiting()
		if _, b, found := f.blockAt(f.head); found {
			backlog.Oldest = max(backlog.Oldest, d.options.Now().Sub(b.born))
		}
	}
	return backlog
}

// Close implements Spool.
func (d *Disk) Close() (kept, lost int) {
	close(d.closing)
	<-d.done
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) > 0 && d.heldIn == d.folder && d.folder != nil {
		d.folder.release(0)
	}
	d.held, d.heldIn = nil, nil
	d.memory.Release(d.memory.Hold(1, 0)) // Whatever is held waits again.
	if d.fault != nil {
		d.resume()
	}
	if d.folder != nil {
		kept = int(d.folder.next - d.folder.head)
		d.sync(d.folder)
		d.folder.close()
		d.folder = nil
	}
	return kept, d.memory.Backlog().Records
}

func (d *Disk) fail(err error) {
	d.fault = err
	d.options.Events.Trouble(TroubleUnusable, fmt.Sprintf("the spool folder %s cannot be used, records wait in memory until it can "+
		"(make it a folder that this user may write, with free space): %v", d.options.Directory, err))
}

// resume tries the disk again and writes there what waits in memory.
func (d *Disk) resume() {
	if d.folder == nil {
		opened, err := openFolder(d.options)
		if err != nil {
			d.fail(err)
			return
		}
		d.folder = opened
	} else {
		d.folder.seal() // A file that failed once is not trusted with more.
	}
	moved := 0
	for {
		records, born := d.memory.oldest(d.folder.blockBytes())
		if len(records) == 0 {
			break
		}
		done, err := d.folder.append(records, born)
		d.memory.moved(done)
		moved += done
		if err != nil {
			d.fail(err)
			return
		}
	}
	d.fault = nil
	d.options.Events.Recovered(TroubleUnusable, fmt.Sprintf("the spool folder %s can be used again; %d records moved there from memory",
		d.options.Directory, moved))
}
