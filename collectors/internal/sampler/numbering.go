package sampler

import (
	"sync"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// Numbering counts the records of one host in one process. It outlives the back ends that a reload of
// the configuration replaces, so that no number is given twice and a record that was lost on the way
// is a hole. Its zero value is not usable.
type Numbering struct {
	epochUs int64

	mu      sync.Mutex
	seq     int64
	hostSeq int64
	// lastSlot is the last slot that a record covers; 0 before the first.
	lastSlot int64
}

// NewNumbering begins a numbering named by an instant, microseconds since the Unix epoch.
func NewNumbering(epochUs int64) *Numbering { return &Numbering{epochUs: epochUs} }

// EpochUs names the numbering.
func (n *Numbering) EpochUs() int64 { return n.epochUs }

// LastSlot is the last slot that a record covers; 0 before the first.
func (n *Numbering) LastSlot() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lastSlot
}

func (n *Numbering) nextSeq() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seq++
	return n.seq - 1
}

func (n *Numbering) nextHostSeq(lastSlot int64) int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hostSeq++
	n.lastSlot = max(n.lastSlot, lastSlot)
	return n.hostSeq - 1
}

// missedAcrossReload is how many slots of the host's first record after a reload nobody read: those
// after the last record of the back end before, as far as they belong to this window. The reading
// that begins the host's samples ends a slot without being one.
func missedAcrossReload(covered, startUs, lastSlot int64, samples int32) int32 {
	from := max(covered, startUs/usagewindow.SampleIntervalUs)
	return int32(max(lastSlot-from-int64(samples), 0))
}
