// Package recording writes down everything that becomes part of a window, in order, and lets it go through the same code
// again: the same windows come out, bit for bit.
package recording

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// ErrBehind ends a recording whose file could not be written as fast as the sampler reads. The sampler never waits for it.
var ErrBehind = errors.New("the recording could not be written fast enough and ends early")

const (
	// flushBytes is how much is gathered before it goes to the writing goroutine, and waitingBuffers how many such
	// pieces may wait for it: some 16 MiB, a slow disk's second or two.
	flushBytes     = 1 << 18
	waitingBuffers = 64
)

// Options says what to record.
type Options struct {
	Agent sampler.Agent
	// Windows is after how many of them the recording ends; 0 records until Close.
	Windows int
	// Chosen decides by its path whether a cgroup is recorded; nil records every tracked one. The host always is.
	Chosen func(path string) bool
	// Anonymous replaces every name by a pseudonym that cannot be turned back, equal names by equal ones.
	Anonymous bool
}

// Tape is a sampler.Tape that writes a recording. What it does on the sampling goroutine is to append to memory.
type Tape struct {
	options Options
	names   *pseudonyms

	mu      sync.Mutex
	buffer  []byte
	spare   chan []byte
	full    chan []byte
	ended   bool
	numbers []int64
	shards  int64
	cuts    int
	last    int64
	err     error

	done    chan struct{}
	written chan error
	closing sync.Once
}

// notChosen is the number of a shard that is not recorded.
const notChosen = -1

// NewTape begins a recording that goes to out.
func NewTape(out io.Writer, options Options) *Tape {
	t := &Tape{
		options: options, numbers: []int64{0}, spare: make(chan []byte, waitingBuffers), full: make(chan []byte, waitingBuffers),
		done: make(chan struct{}), written: make(chan error, 1),
	}
	if options.Anonymous {
		t.names = newPseudonyms()
		options.Agent = t.names.agent(options.Agent)
	}
	t.buffer = appendHeader(make([]byte, 0, flushBytes+4096), options)
	go t.write(out)
	return t
}

// Done is closed when the asked number of windows is recorded, or when recording failed.
func (t *Tape) Done() <-chan struct{} { return t.done }

// Close ends the recording, waits until it is written, and says what went wrong.
func (t *Tape) Close() error {
	t.closing.Do(func() {
		t.mu.Lock()
		t.end(nil)
		t.full <- t.buffer
		t.mu.Unlock()
		close(t.full)
		t.err = errors.Join(t.err, <-t.written)
	})
	return t.err
}

func (t *Tape) write(out io.Writer) {
	var failed error
	for piece := range t.full {
		if failed == nil {
			_, failed = out.Write(piece)
		}
		select {
		case t.spare <- piece[:0]:
		default:
		}
	}
	if failed != nil {
		failed = fmt.Errorf("recording: %w", failed)
	}
	t.written <- failed
}

// end stops taking rows; what was gathered is still written.
func (t *Tape) end(err error) {
	if !t.ended {
		t.ended, t.err = true, err
		close(t.done)
	}
}

// note appends one row of a shard, unless the shard is not recorded or the recording is over.
func (t *Tape) note(shard int, row func(dst []byte, number int64) []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || t.over() || t.numbers[shard] == notChosen {
		return
	}
	t.buffer = row(t.buffer, t.numbers[shard])
	t.pass()
}

// over reports whether the last window was cut; only its Finish still belongs to the recording.
func (t *Tape) over() bool { return t.options.Windows > 0 && t.cuts >= t.options.Windows }

// pass hands a full buffer to the writing goroutine without waiting.
func (t *Tape) pass() {
	if len(t.buffer) < flushBytes {
		return
	}
	select {
	case t.full <- t.buffer:
	default:
		t.end(ErrBehind)
		return
	}
	select {
	case t.buffer = <-t.spare:
	default:
		t.buffer = make([]byte, 0, flushBytes+4096)
	}
}

// Track notes a new shard.
func (t *Tape) Track(shard int, found sampler.Found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.numbers) <= shard {
		t.numbers = append(t.numbers, notChosen)
	}
	if t.ended || t.over() || t.options.Chosen != nil && !t.options.Chosen(found.Path) {
		return
	}
	t.shards++
	t.numbers[shard] = t.shards
	if t.names != nil {
		found = t.names.found(found)
	}
	t.buffer = appendStated(t.buffer, kindShard, t.shards, found)
	t.pass()
}

// Cut notes the end of a window.
func (t *Tape) Cut(startUs, lastSlot int64) {
	t.note(0, func(dst []byte, _ int64) []byte {
		t.cuts, t.last = t.cuts+1, startUs
		return appendNumbers(dst, kindCut, startUs, lastSlot)
	})
}

// Baseline notes the host's first reading.
func (t *Tape) Baseline(reading sampler.HostReading) {
	t.note(0, func(dst []byte, _ int64) []byte { return appendStated(dst, kindBaseline, 0, reading) })
}

// Finish notes the host's reading at the end of a window.
func (t *Tape) Finish(startUs int64, reading sampler.HostReading) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over() && startUs > t.last {
		t.end(nil) // nobody took the last window, so nothing completes it
	}
	if t.ended {
		return
	}
	t.buffer = appendStated(t.buffer, kindFinish, startUs, reading)
	t.pass()
	if t.over() && startUs == t.last {
		t.end(nil)
	}
}

// The inputs of a builder, one row each.

func (t *Tape) Sample(shard int, slot, atNs, usageNs, latenessUs int64) {
	t.note(shard, func(dst []byte, n int64) []byte {
		return appendNumbers(dst, kindSample, n, slot, atNs, usageNs, latenessUs)
	})
}

func (t *Tape) Slice(shard int, slot, elapsedNs, usedNs int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindSlice, n, slot, elapsedNs, usedNs) })
}

func (t *Tape) Final(shard int, usageNs int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindUsage, n, usageNs) })
}

func (t *Tape) Stat(shard int, stat cgroupfs.CPUStat) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendStat(dst, kindStat, n, stat) })
}

func (t *Tape) AncestorStat(shard int, stat cgroupfs.CPUStat) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendStat(dst, kindAncestorStat, n, stat) })
}

func (t *Tape) Limits(shard int, limits usagewindow.Limits) {
	if t.names != nil {
		limits = t.names.limits(limits)
	}
	t.note(shard, func(dst []byte, n int64) []byte { return appendStated(dst, kindLimits, n, limits) })
}

func (t *Tape) Threads(shard int, threads *int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendOptional(dst, kindThreads, n, threads) })
}

func (t *Tape) Runnable(shard int, threads, samples int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindRunnable, n, threads, samples) })
}

func (t *Tape) ThrottledWall(shard int, ns int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindThrottledWall, n, ns) })
}

func (t *Tape) PeriodPhase(shard int, phaseUs *int32) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendOptional(dst, kindPeriodPhase, n, phaseUs) })
}

func (t *Tape) ExcursionThreads(shard int, threads []usagewindow.ExcursionThread) {
	if t.names != nil {
		threads = t.names.threads(threads)
	}
	t.note(shard, func(dst []byte, n int64) []byte { return appendThreads(dst, n, threads) })
}

func (t *Tape) Hardware(shard int, counts usagewindow.Hardware) {
	t.note(shard, func(dst []byte, n int64) []byte {
		return appendNumbers(dst, kindHardware, n, counts.CyclesBelowQuota, counts.CyclesAboveQuota,
			counts.InstructionsBelowQuota, counts.InstructionsAboveQuota)
	})
}

func (t *Tape) SlotsPerSample(shard int, slots int64) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindSlotsPerSample, n, slots) })
}

func (t *Tape) Lean(shard int, lean bool) { t.noteSaving(shard, kindLean, lean) }

func (t *Tape) Skipped(shard int, skipped bool) { t.noteSaving(shard, kindSkipped, skipped) }

func (t *Tape) noteSaving(shard int, kind string, on bool) {
	t.note(shard, func(dst []byte, number int64) []byte {
		if on {
			return appendNumbers(dst, kind, number, 1)
		}
		return appendNumbers(dst, kind, number, 0)
	})
}

func (t *Tape) RestartCounters(shard int) {
	t.note(shard, func(dst []byte, number int64) []byte { return appendNumbers(dst, kindRestart, number) })
}

func (t *Tape) Retire(shard int) {
	t.note(shard, func(dst []byte, n int64) []byte { return appendNumbers(dst, kindRetire, n) })
}
