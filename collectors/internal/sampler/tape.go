package sampler

import "github.com/quotascope/quotascope/collectors/internal/usagewindow"

// Tape hears everything that becomes part of a window, in the order in which it took effect. Finish comes from the goroutine
// that hands over, everything else from the one that samples.
type Tape interface {
	usagewindow.Tape
	// Track begins the shard of the given number; 0 is the host.
	Track(shard int, found Found)
	Cut(startUs, lastSlot int64)
	Baseline(reading HostReading)
	// Finish completes the window that was cut with this start.
	Finish(startUs int64, reading HostReading)
}

// Attach lets a tape hear everything from the beginning: it belongs before the back end runs.
func (r *Recorder) Attach(tape Tape) {
	r.tape = tape
	r.host.Attach(tape, 0)
}
