package recording

import (
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// settings plays a new shard, or new limits of one.
func (p *player) settings() error {
	if p.rows.cells[0] == kindLimits {
		var limits usagewindow.Limits
		builder, err := p.shard()
		if err == nil {
			err = p.rows.stated(2, &limits)
		}
		if err == nil {
			err = p.sound(limits)
		}
		if err == nil {
			builder.SetLimits(limits)
		}
		return err
	}
	var found sampler.Found
	if len(p.rows.cells) < 2 {
		return p.rows.failRow("a shard has a number")
	}
	number, err := p.rows.number(1)
	if err != nil {
		return err
	}
	if number != int64(len(p.shards)) {
		return p.rows.fail(1, fmt.Errorf("shard %d follows shard %d", number, len(p.shards)-1))
	}
	if err := p.rows.stated(2, &found); err != nil {
		return err
	}
	if err := p.sound(found.Limits); err != nil {
		return err
	}
	found.AtUs += p.shiftUs
	found.Inode += p.round << 32
	p.shards = append(p.shards, p.recorder.Track(found))
	return nil
}

// sound refuses limits that the arithmetic of excursions could not divide by.
func (p *player) sound(limits usagewindow.Limits) error {
	if limits.Limited && (limits.Limit.QuotaUs < 1 || limits.Limit.PeriodUs < 1) {
		return p.rows.failRow("a quota of %d us in %d us is none", limits.Limit.QuotaUs, limits.Limit.PeriodUs)
	}
	return nil
}

// window plays what concerns the whole host: its first reading, the end of a window, and the reading that completes it.
func (p *player) window() error {
	kind := p.rows.cells[0]
	if len(p.rows.cells) < 2 {
		return p.rows.failRow("a row of kind %q has a number", kind)
	}
	startUs, err := p.rows.number(1)
	if err != nil {
		return err
	}
	if kind == kindCut {
		return p.cut()
	}
	var reading sampler.HostReading
	if err := p.rows.stated(2, &reading); err != nil {
		return err
	}
	p.reading = reading
	if kind == kindBaseline {
		p.recorder.Baseline(reading)
		return nil
	}
	return p.finish(startUs+p.shiftUs, reading)
}

// finish completes the oldest cut of that start. Those before it were never handed over, because nobody took them in time.
func (p *player) finish(startUs int64, reading sampler.HostReading) error {
	for i, batch := range p.cuts {
		if batch.Host.WindowStartUs == startUs {
			p.cuts = p.cuts[i+1:]
			p.recorder.Finish(batch, reading)
			return nil
		}
	}
	return p.rows.fail(1, fmt.Errorf("no window that begins at %d waits for the host's reading", startUs))
}

func (p *player) cut() error {
	var row [2]int64
	if err := p.rows.numbers(row[:]); err != nil {
		return err
	}
	startUs, lastSlot := row[0], row[1]
	if startUs < 0 || startUs%usagewindow.WindowUs != 0 {
		return p.rows.fail(1, fmt.Errorf("%d is no start of a window", startUs))
	}
	if lastSlot > usagewindow.LastSlotOf(startUs) {
		return p.rows.fail(2, fmt.Errorf("slot %d is after the window that begins at %d", lastSlot, startUs))
	}
	startUs, lastSlot = startUs+p.shiftUs, lastSlot+p.shiftUs/usagewindow.SampleIntervalUs
	if batch := p.recorder.Cut(startUs, lastSlot); batch.Host != nil { // nil for time that was covered before
		p.cuts = append(p.cuts, batch)
	}
	return nil
}
