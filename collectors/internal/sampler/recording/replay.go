package recording

import (
	"fmt"
	"io"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// Replay lets a recording go through the code of windows again and hands every batch to emit, in order. As the recording
// states the agent, instants and numbers, the records equal those that the agent made. adjust may change the agent first.
func Replay(in io.Reader, adjust func(*sampler.Agent), emit func(sampler.Batch)) error {
	rows := newReader(in)
	agent, present, err := rows.header()
	if err != nil {
		return err
	}
	if adjust != nil {
		adjust(&agent)
	}
	return newPlayer(rows, agent, emit).playAll(present)
}

// player hands each row to whom it was told to when it was recorded.
type player struct {
	rows     *reader
	recorder *sampler.Recorder
	shards   []*usagewindow.Builder
	// cuts are the windows that were cut and wait for the host's reading, the oldest first.
	cuts []sampler.Batch
	// slots, when it is set, turns a recorded slot into the one to play, and may wait for it. shiftUs moves windows with
	// them, and round tells the incarnations of a loop apart.
	slots   func(slot int64) (int64, error)
	shiftUs int64
	round   uint64
	// reading is the host's latest.
	reading sampler.HostReading
}

func newPlayer(rows *reader, agent sampler.Agent, emit func(sampler.Batch)) *player {
	p := &player{rows: rows, recorder: sampler.NewRecorder(agent, emit)}
	p.shards = []*usagewindow.Builder{p.recorder.Host()}
	return p
}

// playAll plays the row that was read, if one was, and all that follow.
func (p *player) playAll(present bool) error {
	for present {
		err := p.play()
		if err == nil {
			present, err = p.rows.next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *player) play() error {
	switch p.rows.cells[0] {
	case kindSample, kindSlice, kindUsage, kindRunnable, kindThrottledWall, kindHardware, kindSlotsPerSample,
		kindLean, kindSkipped, kindRestart, kindRetire:
		return p.numbers()
	case kindStat, kindAncestorStat:
		return p.stat()
	case kindThreads, kindPeriodPhase:
		return p.optional()
	case kindExcursionThreads:
		return p.threads()
	case kindShard, kindLimits:
		return p.settings()
	case kindCut, kindBaseline, kindFinish:
		return p.window()
	}
	return p.rows.failRow("%q is no kind of row", p.rows.cells[0])
}

// shard finds the builder that the second cell names.
func (p *player) shard() (*usagewindow.Builder, error) {
	if len(p.rows.cells) < 2 {
		return nil, p.rows.failRow("a row of kind %q names a shard", p.rows.cells[0])
	}
	number, err := p.rows.number(1)
	if err != nil {
		return nil, err
	}
	if number < 0 || number >= int64(len(p.shards)) {
		return nil, p.rows.fail(1, fmt.Errorf("shard %d was not stated", number))
	}
	return p.shards[number], nil
}

// widths is how many numbers follow the kind, the shard's included.
var widths = map[string]int{
	kindSample: 5, kindSlice: 4, kindUsage: 2, kindRunnable: 3, kindThrottledWall: 2, kindHardware: 5,
	kindSlotsPerSample: 2, kindLean: 2, kindSkipped: 2, kindRestart: 1, kindRetire: 1,
}

func (p *player) numbers() error {
	kind := p.rows.cells[0]
	var row [5]int64
	if err := p.rows.numbers(row[:widths[kind]]); err != nil {
		return err
	}
	builder, err := p.shard()
	if err != nil {
		return err
	}
	n := row[1:]
	switch kind {
	case kindSample, kindSlice:
		if n[0] < 1 {
			return p.rows.fail(2, fmt.Errorf("slot %d is before the first", n[0]))
		}
		if p.slots != nil {
			if n[0], err = p.slots(n[0]); err != nil {
				return err
			}
		}
		if kind == kindSample {
			builder.Sample(n[0], n[1], n[2], n[3])
		} else {
			builder.Slice(n[0], n[1], n[2])
		}
	case kindUsage:
		builder.Final(n[0])
	case kindRunnable:
		if n[0] < 0 || n[1] < 0 {
			return p.rows.fail(2, fmt.Errorf("%d threads in %d samples cannot be", n[0], n[1]))
		}
		builder.AddRunnable(n[0], n[1])
	case kindThrottledWall:
		builder.AddThrottledWall(n[0])
	case kindHardware:
		builder.AddHardware(usagewindow.Hardware{
			CyclesBelowQuota: n[0], CyclesAboveQuota: n[1], InstructionsBelowQuota: n[2], InstructionsAboveQuota: n[3],
		})
	case kindSlotsPerSample:
		if n[0] < 1 || usagewindow.SlotsPerWindow%n[0] != 0 {
			return p.rows.fail(2, fmt.Errorf("%d slots do not divide a window", n[0]))
		}
		builder.SetSlotsPerSample(n[0])
	case kindLean, kindSkipped:
		return p.saving(builder, kind, n[0])
	case kindRestart:
		builder.RestartCounters()
	case kindRetire:
		builder.Retire()
	}
	return nil
}

// saving plays what the agent did without to stay inside its budget.
func (p *player) saving(builder *usagewindow.Builder, kind string, on int64) error {
	if on != 0 && on != 1 {
		return p.rows.fail(2, fmt.Errorf("%d is neither 0 nor 1", on))
	}
	if kind == kindLean {
		builder.SetLean(on == 1)
	} else {
		builder.SetSkipped(on == 1)
	}
	return nil
}

func (p *player) stat() error {
	cells := p.rows.cells
	if len(cells) != 7 {
		return p.rows.failRow("a row of kind %q has 7 columns, not %d", cells[0], len(cells))
	}
	builder, err := p.shard()
	if err != nil {
		return err
	}
	stat := cgroupfs.CPUStat{HasBandwidth: cells[2] != "", HasBursts: cells[5] != ""}
	for i, field := range []*int64{&stat.Periods, &stat.ThrottledPeriods, &stat.ThrottledNs, &stat.Bursts, &stat.BurstUsedNs} {
		stated := stat.HasBandwidth
		if i >= 3 {
			stated = stat.HasBursts
		}
		if !stated && cells[2+i] == "" {
			continue
		}
		if *field, err = p.rows.number(2 + i); err != nil {
			return err
		}
		if !stated {
			return p.rows.fail(2+i, fmt.Errorf("%q stands beside counters that are absent", cells[2+i]))
		}
	}
	if cells[0] == kindStat {
		builder.Stat(stat)
	} else {
		builder.AncestorStat(stat)
	}
	return nil
}

func (p *player) optional() error {
	cells := p.rows.cells
	if len(cells) != 3 {
		return p.rows.failRow("a row of kind %q has 3 columns, not %d", cells[0], len(cells))
	}
	builder, err := p.shard()
	if err != nil {
		return err
	}
	if cells[2] == "" {
		if cells[0] == kindThreads {
			builder.SetThreads(nil)
		} else {
			builder.SetPeriodPhase(nil)
		}
		return nil
	}
	value, err := p.rows.number(2)
	if err != nil {
		return err
	}
	if cells[0] == kindThreads {
		builder.SetThreads(&value)
		return nil
	}
	phase := int32(value)
	if int64(phase) != value {
		return p.rows.fail(2, fmt.Errorf("%d us is no phase of a period", value))
	}
	builder.SetPeriodPhase(&phase)
	return nil
}

func (p *player) threads() error {
	builder, err := p.shard()
	if err != nil {
		return err
	}
	cells := p.rows.cells
	if len(cells) == 3 && cells[2] == noList {
		builder.SetExcursionThreads(nil)
		return nil
	}
	if len(cells)%2 != 0 {
		return p.rows.failRow("thread names and their CPU time come in pairs")
	}
	threads := []usagewindow.ExcursionThread{}
	for cell := 2; cell < len(cells); cell += 2 {
		comm, err := textOf(cells[cell])
		if err != nil {
			return p.rows.fail(cell, err)
		}
		usageUs, err := p.rows.number(cell + 1)
		if err != nil {
			return err
		}
		threads = append(threads, usagewindow.ExcursionThread{Comm: comm, UsageUs: usageUs})
	}
	builder.SetExcursionThreads(threads)
	return nil
}
