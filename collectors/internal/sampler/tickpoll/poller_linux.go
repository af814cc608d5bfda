package tickpoll

import (
	"context"
	"runtime"
	"sync"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/host"
)

// handoverWindows is how many windows may wait to be handed over.
const handoverWindows = 64

// Options says what to poll.
type Options struct {
	Trees cgroupfs.Trees
	// ProcRoot is where /proc is mounted.
	ProcRoot string
	Rules    identity.Rules
	// MaxCgroups bounds the tracked cgroups; those beyond are counted.
	MaxCgroups int
	// MaxServices bounds the services among them, 0 not at all. Names may be nil.
	MaxServices int
	Names       *naming.Names
	Log         sampler.Logger
}

// Poller is the tick_poll back end.
type Poller struct {
	options Options
	host    *host.Reader
}

// New returns a poller of the given trees.
func New(options Options) (*Poller, error) {
	reader, err := host.NewReader(options.ProcRoot, options.Trees.Version)
	if err != nil {
		return nil, err
	}
	return &Poller{options: options, host: reader}, nil
}

// Run polls until ctx ends. The discovering goroutine and the sampling goroutine, which has a thread
// of its own, end before it returns; finished windows are handed over on the calling goroutine.
func (p *Poller) Run(ctx context.Context, recorder *sampler.Recorder) error {
	cuts := make(chan sampler.Batch, handoverWindows)
	finder := discovery.New(discovery.Options{
		Trees: p.options.Trees, Rules: p.options.Rules, Names: p.options.Names, Log: p.options.Log,
		MaxCgroups: p.options.MaxCgroups, MaxServices: p.options.MaxServices,
	})
	l := newLoop(newClock(), recorder, p.options.Log, finder.Events(), cuts)
	if period := tickPeriod(); period > 0 {
		l.ticks = NewTicks(period)
	} else {
		p.options.Log.Warnf("the kernel states no tick length; samples are not aligned to ticks")
	}
	l.openRoot(p.options)
	recorder.Baseline(p.reading(finder, l))

	var running sync.WaitGroup
	ready := make(chan struct{})
	running.Add(2)
	go func() {
		defer running.Done()
		finder.Run(ctx, ready)
	}()
	go func() {
		defer running.Done()
		defer close(cuts)
		defer p.prepare(l)()
		l.run(ctx)
	}()
	<-ready
	p.options.Log.Infof("polling cgroup %s below %s every 10 ms, kernel %s",
		p.options.Trees.Version, p.options.Trees.CPU, p.host.Release())
	for batch := range cuts {
		if refused := l.refused.Swap(0); refused > 0 {
			p.options.Log.Errorf("%d windows were lost because nobody took them; their numbers are missing", refused)
		}
		if failed := l.readErrors.Swap(0); failed > 0 {
			p.options.Log.Warnf("%d readings failed; their slots count as missed", failed)
		}
		recorder.Finish(batch, p.reading(finder, l))
	}
	running.Wait()
	finder.CloseWaiting()
	return nil
}

// prepare runs on the sampling goroutine, chooses how it waits, and returns what is to be done at its
// end. With real-time priority it keeps a thread of its own, which is never unlocked: it ends with its
// goroutine. At normal priority a thread of its own would be no less late, and cost more.
func (p *Poller) prepare(l *loop) (release func()) {
	release = func() {}
	runtime.LockOSThread()
	if err := makeRealtime(); err != nil {
		runtime.UnlockOSThread()
		p.options.Log.Infof("the sampling thread stays at normal priority and will be late on a busy host: %v",
			refusalOfRealtime(err, rightsOf(p.options)))
		if parking, err := newParking(newClock()); err == nil {
			l.clock, release = parking, parking.close
		} else {
			p.options.Log.Warnf("sampling costs more than it should: %v", err)
		}
	} else if err := slackenOthers(); err != nil {
		p.options.Log.Infof("sampling costs up to 2 %% of a CPU more than it could: %v; CAP_SYS_NICE, or systemd's TimerSlackNSec=4ms, would save it", err)
	}
	if l.ticks == nil {
		return release
	}
	l.search()
	if !l.ticks.Found() {
		p.options.Log.Warnf("no timer tick was seen; samples are not aligned to ticks until one is")
	}
	return release
}

// openRoot opens the usage of the whole host, which is in the root cgroup's files.
func (l *loop) openRoot(options Options) {
	files, err := discovery.OpenFiles(options.Trees, "")
	if err != nil {
		options.Log.Warnf("the host's own usage is not sampled: %v", err)
		return
	}
	if _, stat, err := files.ReadUsage(l.buffer[:]); err != nil || files.Unified() && !stat.HasUsage {
		options.Log.Warnf("the root cgroup states no usage: the host's own usage is not sampled")
		files.Close()
		return
	}
	l.root = &handle{Files: files, builder: l.recorder.Host()}
}

// reading gathers what a host window says beyond the samples.
func (p *Poller) reading(finder *discovery.Finder, l *loop) sampler.HostReading {
	reading := p.host.Read()
	reading.UntrackedCgroups, reading.OverflowCgroups = int(finder.Untracked()), int(finder.Overflow())
	reading.ShortLivedCgroups = int(finder.TakeVanished())
	if l.ticks != nil {
		hz := l.ticks.Hz()
		reading.TickHz, reading.UncertaintyUs = &hz, l.ticks.PeriodNs()/2000
	}
	return reading
}
