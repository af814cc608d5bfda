package usagewindow

import "github.com/quotascope/quotascope/collectors/internal/cgroupfs"

// Tape is told every input of a builder, in order and before it takes effect, so that a recording that goes through the same
// code again makes the same windows. It is called on the goroutine that owns the builder; shard is the number that Attach
// gave. What is handed to it belongs to the caller and is not to be changed.
type Tape interface {
	Sample(shard int, slot, atNs, usageNs, latenessUs int64)
	Slice(shard int, slot, elapsedNs, usedNs int64)
	Final(shard int, usageNs int64)
	Stat(shard int, stat cgroupfs.CPUStat)
	AncestorStat(shard int, stat cgroupfs.CPUStat)
	Limits(shard int, limits Limits)
	Threads(shard int, threads *int64)
	Runnable(shard int, threads, samples int64)
	ThrottledWall(shard int, ns int64)
	PeriodPhase(shard int, phaseUs *int32)
	ExcursionThreads(shard int, threads []ExcursionThread)
	Hardware(shard int, counts Hardware)
	SlotsPerSample(shard int, slots int64)
	Lean(shard int, lean bool)
	Skipped(shard int, skipped bool)
	RestartCounters(shard int)
	Retire(shard int)
}

// Attach lets a tape hear what the builder is told from now on, under the given number.
func (b *Builder) Attach(tape Tape, number int) { b.tape, b.number = tape, number }

// silence is the tape of a builder that nobody records.
type silence struct{}

func (silence) Sample(int, int64, int64, int64, int64)  {}
func (silence) Slice(int, int64, int64, int64)          {}
func (silence) Final(int, int64)                        {}
func (silence) Stat(int, cgroupfs.CPUStat)              {}
func (silence) AncestorStat(int, cgroupfs.CPUStat)      {}
func (silence) Limits(int, Limits)                      {}
func (silence) Threads(int, *int64)                     {}
func (silence) Runnable(int, int64, int64)              {}
func (silence) ThrottledWall(int, int64)                {}
func (silence) PeriodPhase(int, *int32)                 {}
func (silence) ExcursionThreads(int, []ExcursionThread) {}
func (silence) Hardware(int, Hardware)                  {}
func (silence) SlotsPerSample(int, int64)               {}
func (silence) Lean(int, bool)                          {}
func (silence) Skipped(int, bool)                       {}
func (silence) RestartCounters(int)                     {}
func (silence) Retire(int)                              {}
