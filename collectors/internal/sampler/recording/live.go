package recording

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// LiveOptions says what to replay as of now.
type LiveOptions struct {
	File string
	// Loop begins the recording again at its end, with each of its cgroups as another incarnation.
	Loop bool
	Log  sampler.Logger
}

// Live is the back end that replays a recording as of now: whole windows are moved, so that every window keeps its content,
// and each is handed over when it would have ended.
type Live struct {
	options LiveOptions
	// firstSlot is the first slot that the recording reads.
	firstSlot int64
}

// errStopped ends a replay whose context has ended.
var errStopped = errors.New("stopped")

// IsRecording reports whether a file begins as a recording does.
func IsRecording(file string) (bool, error) {
	opened, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer opened.Close()
	line, err := bufio.NewReader(opened).ReadString('\n')
	return err == nil && line == magic+"\n", nil
}

// NewLive plays the whole recording once without waiting, so that one that cannot be used is refused before anything runs.
func NewLive(options LiveOptions) (*Live, error) {
	file, err := os.Open(options.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	l := &Live{options: options}
	rows := newReader(file)
	agent, present, err := rows.header()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.File, err)
	}
	p := newPlayer(rows, agent, func(sampler.Batch) {})
	p.slots = func(slot int64) (int64, error) {
		if l.firstSlot == 0 {
			l.firstSlot = slot
		}
		return slot, nil
	}
	if err := p.playAll(present); err != nil {
		return nil, fmt.Errorf("%s: %w", options.File, err)
	}
	if l.firstSlot == 0 {
		return nil, fmt.Errorf("%s: %w: it holds no sample", options.File, ErrRecording)
	}
	return l, nil
}

// Run plays until ctx ends, or until the recording ends when it is not looped.
func (l *Live) Run(ctx context.Context, recorder *sampler.Recorder) error {
	l.options.Log.Infof("replaying %s as of now", l.options.File)
	for round := uint64(0); ; round++ {
		err := l.play(ctx, recorder, round)
		if errors.Is(err, errStopped) {
			return nil
		}
		if err != nil {
			return err
		}
		if !l.options.Loop {
			<-ctx.Done()
			return nil
		}
	}
}

// play plays the recording once, from the beginning of the next window on.
func (l *Live) play(ctx context.Context, recorder *sampler.Recorder, round uint64) error {
	file, err := os.Open(l.options.File)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := newReader(file)
	_, present, err := rows.header()
	if err != nil {
		return err
	}
	p := &player{rows: rows, recorder: recorder, round: round}
	p.shards = []*usagewindow.Builder{recorder.Host()}
	begin := usagewindow.WindowOf(time.Now().UnixMicro()/usagewindow.SampleIntervalUs) + usagewindow.WindowUs
	p.shiftUs = begin - usagewindow.WindowOf(l.firstSlot)
	last := int64(0)
	p.slots = func(slot int64) (int64, error) {
		slot += p.shiftUs / usagewindow.SampleIntervalUs
		if err := waitUntil(ctx, slot*usagewindow.SampleIntervalUs); err != nil {
			return 0, err
		}
		last = max(last, slot)
		return slot, nil
	}
	err = p.playAll(present)
	if errors.Is(err, errStopped) && last > 0 {
		recorder.Finish(recorder.Cut(usagewindow.WindowOf(last), last), p.reading)
	}
	for _, builder := range p.shards[1:] {
		if !builder.Retired() {
			builder.Retire()
		}
	}
	return err
}

// waitUntil waits for an instant of the wall clock, microseconds since the Unix epoch.
func waitUntil(ctx context.Context, us int64) error {
	for {
		remaining := time.Until(time.UnixMicro(us))
		if remaining <= 0 {
			if ctx.Err() != nil {
				return errStopped
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return errStopped
		case <-time.After(min(remaining, time.Second)):
		}
	}
}
