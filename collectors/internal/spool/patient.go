package spool

import (
	"fmt"
	"sync"
	"time"
)

// PatientOptions of a Patient.
type PatientOptions struct {
	// Patience is how long a caller waits for the spool behind.
	Patience time.Duration
	// MemoryBytes bounds what waits for it, by Record.Size.
	MemoryBytes int64
	// Opened hears once what the spool contained when it was opened, which a disk that hangs puts off.
	Opened func(found Backlog)
	Events Events
}

// Patient is a Spool before one whose disk may hang, which is worse than one that fails: nothing on it ends, not even its
// opening. Everything is done behind on one goroutine, in the order in which it was asked for; who asks waits for so long and no
// longer. What was appended and not taken yet is kept in memory up to a bound, and goes to the disk first when that answers.
type Patient struct {
	options PatientOptions
	jobs    chan func(Spool)

	mu      sync.Mutex
	queue   []Record // waits for the disk
	bytes   int64
	since   time.Time // when the first of them came
	writing int       // taken out of the queue by a write that has not ended
	// written closes when the queue was written, as somebody has asked; nil when nobody has since that last began.
	written chan struct{}
	// holding tells that a Hold has not been answered.
	holding bool
	hanging bool
	last    Backlog // of the spool behind, when it last answered
}

// outstanding is more than can be asked at a time: one each of writing, holding, releasing and closing.
const outstanding = 8

// NewPatient opens a spool behind. It returns when that is open, or after the patience.
func NewPatient(options PatientOptions, open func() Spool) *Patient {
	p := &Patient{options: options, jobs: make(chan func(Spool), outstanding)}
	go p.work(open)
	p.ask(func(Spool) {})
	return p
}

// work is the goroutine that may be held up. It ends after the job of Close.
func (p *Patient) work(open func() Spool) {
	behind := open()
	found := behind.Backlog()
	p.note(found)
	p.options.Opened(found)
	for job := range p.jobs {
		job(behind)
		p.answered()
	}
}

func (p *Patient) note(backlog Backlog) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = backlog
}

func (p *Patient) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hanging {
		p.hanging = false
		p.options.Events.Recovered(TroubleHanging, fmt.Sprintf("the spool's disk answers again; %d records waited for it in memory", len(p.queue)))
	}
}

// ask has a job done and waits for its end, but not if the disk hangs.
func (p *Patient) ask(job func(Spool)) (done bool) {
	ended := make(chan struct{})
	p.jobs <- func(behind Spool) {
		defer close(ended)
		job(behind)
	}
	return p.await(ended)
}

func (p *Patient) await(ended <-chan struct{}) (done bool) {
	p.mu.Lock()
	hanging := p.hanging
	p.mu.Unlock()
	if hanging {
		return false
	}
	timer := time.NewTimer(p.options.Patience)
	defer timer.Stop()
	select {
	case <-ended:
		return true
	case <-timer.C:
		p.hang()
		return false
	}
}

func (p *Patient) hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hanging {
		p.hanging = true
		p.options.Events.Trouble(TroubleHanging, fmt.Sprintf("the spool's disk has not answered for %s; records wait in memory until it does",
			p.options.Patience))
	}
}

// Append implements Spool. It returns when the records are behind or, if that hangs, after the patience at the latest.
func (p *Patient) Append(records []Record) {
	p.mu.Lock()
	if len(p.queue) == 0 {
		p.since = time.Now()
	}
	for _, record := range records {
		p.queue = append(p.queue, record)
		p.bytes += record.Size()
	}
	p.mu.Unlock()
	p.write()
	p.bound()
}

// bound drops the oldest that still wait beyond the bound.
func (p *Patient) bound() {
	p.mu.Lock()
	defer p.mu.Unlock()
	excess := 0
	for p.bytes > p.options.MemoryBytes && excess < len(p.queue) {
		p.bytes -= p.queue[excess].Size()
		excess++
	}
	if excess > 0 {
		p.queue = append([]Record(nil), p.queue[excess:]...)
		p.options.Events.Dropped(ReasonHanging, excess)
	}
}

// write has the queue written and the backlog read. One that was asked for and has not begun serves everybody.
func (p *Patient) write() {
	p.mu.Lock()
	written, first := p.written, p.written == nil
	if first {
		written = make(chan struct{})
		p.written = written
	}
	p.mu.Unlock()
	if first {
		p.jobs <- func(behind Spool) {
			defer close(written)
			p.drain(behind)
		}
	}
	p.await(written)
}

// drain moves the queue behind.
func (p *Patient) drain(behind Spool) {
	p.mu.Lock()
	records := p.queue
	p.queue, p.bytes, p.writing, p.written = nil, 0, len(records), nil
	p.mu.Unlock()
	if len(records) > 0 {
		behind.Append(records)
	}
	backlog := behind.Backlog()
	p.mu.Lock()
	p.last, p.writing = backlog, 0
	p.mu.Unlock()
}

// Hold implements Spool. While the disk hangs it returns nothing, and later what it would have returned.
func (p *Patient) Hold(maxRecords int, maxBytes int64) []Record {
	p.mu.Lock()
	waiting := p.holding
	p.holding = true
	p.mu.Unlock()
	if waiting {
		return nil
	}
	var held []Record
	done := p.ask(func(behind Spool) {
		held = behind.Hold(maxRecords, maxBytes)
		p.mu.Lock()
		p.holding = false
		p.mu.Unlock()
	})
	if !done {
		return nil
	}
	return held
}

// Release implements Spool.
func (p *Patient) Release(pending []Record) {
	p.ask(func(behind Spool) {
		behind.Release(pending)
		p.note(behind.Backlog())
	})
}

// Backlog implements Spool. While the disk hangs it is what that last said and what waits for it.
func (p *Patient) Backlog() Backlog {
	p.write()
	p.mu.Lock()
	defer p.mu.Unlock()
	backlog := p.last
	if waiting := len(p.queue) + p.writing; waiting > 0 {
		backlog.Records, backlog.Bytes, backlog.Durable = backlog.Records+waiting, backlog.Bytes+p.bytes, false
		backlog.Oldest = max(backlog.Oldest, time.Since(p.since))
	}
	return backlog
}

// Close implements Spool. What waits for a disk that hangs is lost. A write that has not ended counts as lost too: nobody will
// hear of its end.
func (p *Patient) Close() (kept, lost int) {
	p.write()
	var left, gone int
	ended := p.ask(func(behind Spool) { left, gone = behind.Close() })
	close(p.jobs)
	if ended {
		return left, gone
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := len(p.queue) + p.writing
	p.queue, p.bytes = nil, 0
	return p.last.Records, waiting
}
