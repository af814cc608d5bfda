package spool

import "sync"

// Memory is a Spool in the agent's memory: it outlives an outage of the broker but not the agent.
type Memory struct {
	maxBytes int64

	mu      sync.Mutex
	held    []Record
	waiting []Record
	bytes   int64
}

// NewMemory returns an empty Memory of at most maxBytes, counted by Record.Size.
func NewMemory(maxBytes int64) *Memory { return &Memory{maxBytes: maxBytes} }

// Append implements Spool; it cannot fail.
func (m *Memory) Append(record Record) (dropped int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting = append(m.waiting, record)
	m.bytes += record.Size()
	for m.bytes > m.maxBytes && len(m.waiting) > 0 {
		m.bytes -= m.waiting[0].Size()
		m.waiting[0] = Record{}
		m.waiting = m.waiting[1:]
		dropped++
	}
	return dropped, nil
}

// Hold implements Spool; it cannot fail.
func (m *Memory) Hold(maxRecords int, maxBytes int64) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.held) > 0 {
		return m.held, nil
	}
	count, bytes := 0, int64(0)
	for count < len(m.waiting) && count < maxRecords {
		bytes += m.waiting[count].Size()
		if count > 0 && bytes > maxBytes {
			break
		}
		count++
	}
	m.held = m.waiting[:count:count]
	m.waiting = m.waiting[count:]
	return m.held, nil
}

// Release implements Spool; it cannot fail.
func (m *Memory) Release() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.held {
		m.bytes -= m.held[i].Size()
	}
	// The array behind both slices is freed as soon as an append outgrows it; clearing lets go of the bytes now.
	clear(m.held)
	m.held = nil
	return nil
}

// Backlog implements Spool.
func (m *Memory) Backlog() (records int, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.held) + len(m.waiting), m.bytes
}

// Close implements Spool; the records go with the process.
func (m *Memory) Close() error { return nil }
