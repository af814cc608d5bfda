package spool

import (
	"sync"
	"time"
)

// Memory is a Spool in the agent's memory: it outlives an outage of the broker but not the agent.
type Memory struct {
	maxBytes int64
	maxAge   time.Duration
	full     Reason
	events   Events
	clock    func() time.Time

	mu      sync.Mutex
	held    []aged
	out     []Record // held, as the consumer sees it
	waiting []aged
	bytes   int64
}

// aged is a record and the instant at which it was taken.
type aged struct {
	Record
	born time.Time
}

// NewMemory returns an empty Memory of at most maxBytes, counted by Record.Size, and of records up to maxAge by the clock.
func NewMemory(maxBytes int64, maxAge time.Duration, events Events, clock func() time.Time) *Memory {
	return &Memory{maxBytes: maxBytes, maxAge: maxAge, full: ReasonFull, events: events, clock: clock}
}

// Append implements Spool.
func (m *Memory) Append(records []Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock()
	for _, record := range records {
		m.waiting = append(m.waiting, aged{record, now})
		m.bytes += record.Size()
	}
	m.expire()
	excess, freed := 0, int64(0)
	for m.bytes-freed > m.maxBytes && excess < len(m.waiting) {
		freed += m.waiting[excess].Size()
		excess++
	}
	m.drop(m.full, excess)
}

func (m *Memory) expire() {
	old, now := 0, m.clock()
	for old < len(m.waiting) && now.Sub(m.waiting[old].born) > m.maxAge {
		old++
	}
	m.drop(ReasonAge, old)
}

func (m *Memory) drop(reason Reason, count int) {
	if count > 0 {
		m.forget(count)
		m.events.Dropped(reason, count)
	}
}

// forget removes the oldest waiting records.
func (m *Memory) forget(count int) {
	for i := range count {
		m.bytes -= m.waiting[i].Size()
	}
	// The array is freed as soon as an append outgrows it; clearing lets go of the bytes now.
	clear(m.waiting[:count])
	m.waiting = m.waiting[count:]
}

// Hold implements Spool.
func (m *Memory) Hold(maxRecords int, maxBytes int64) []Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.held) > 0 {
		return m.out
	}
	m.expire()
	count, bytes := 0, int64(0)
	for count < len(m.waiting) && count < maxRecords {
		bytes += m.waiting[count].Size()
		if count > 0 && bytes > maxBytes {
			break
		}
		count++
	}
	m.held, m.waiting = m.waiting[:count:count], m.waiting[count:]
	m.out = nil
	for _, record := range m.held {
		m.out = append(m.out, record.Record)
	}
	return m.out
}

// Release implements Spool.
func (m *Memory) Release(pending []Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var kept []aged
	for _, record := range m.held {
		if len(pending) > len(kept) && record.is(pending[len(kept)]) {
			kept = append(kept, record)
			continue
		}
		m.bytes -= record.Size()
	}
	clear(m.held)
	m.held, m.out = nil, nil
	if len(kept) > 0 {
		m.waiting = append(kept, m.waiting...)
	}
}

// is tells whether both are the same record, not merely an equal one.
func (r Record) is(other Record) bool {
	if len(r.Value) == 0 || len(r.Value) != len(other.Value) {
		return len(r.Value) == len(other.Value) && string(r.Key) == string(other.Key)
	}
	return &r.Value[0] == &other.Value[0]
}

// Backlog implements Spool.
func (m *Memory) Backlog() Backlog {
	m.mu.Lock()
	defer m.mu.Unlock()
	backlog := Backlog{Records: len(m.held) + len(m.waiting), Bytes: m.bytes}
	switch {
	case len(m.held) > 0:
		backlog.Oldest = m.clock().Sub(m.held[0].born)
	case len(m.waiting) > 0:
		backlog.Oldest = m.clock().Sub(m.waiting[0].born)
	}
	backlog.Durable = backlog.Records == 0
	return backlog
}

// Close implements Spool: whatever is left goes with the process.
func (m *Memory) Close() (kept, lost int) { return 0, m.Backlog().Records }

// oldest returns up to maxBytes of the oldest waiting records, at least one if there is one, and when the first was taken.
func (m *Memory) oldest(maxBytes int64) (records []Record, born time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	bytes := int64(0)
	for _, record := range m.waiting {
		bytes += record.Size()
		if len(records) > 0 && bytes > maxBytes {
			break
		}
		records = append(records, record.Record)
	}
	if len(records) > 0 {
		born = m.waiting[0].born
	}
	return records, born
}

// moved forgets the oldest waiting records, which are on disk now.
func (m *Memory) moved(count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(count)
}
