package tickpoll

import (
	"context"
	"runtime"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/host"
	"github.com/quotascope/quotascope/collectors/internal/sampler/live"
)

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

// Run polls until ctx ends; sampling has a thread of its own where that is permitted.
func (p *Poller) Run(ctx context.Context, recorder *sampler.Recorder) error {
	live.Run(ctx, recorder, discovery.Options{
		Trees: p.options.Trees, Rules: p.options.Rules, Names: p.options.Names, Log: p.options.Log,
		MaxCgroups: p.options.MaxCgroups, MaxServices: p.options.MaxServices,
	}, func(found <-chan discovery.Event, cuts chan<- sampler.Batch) live.Reader {
		l := newLoop(newClock(), recorder, p.options.Log, found, cuts)
		if period := tickPeriod(); period > 0 {
			l.ticks = NewTicks(period)
		} else {
			p.options.Log.Warnf("the kernel states no tick length; samples are not aligned to ticks")
		}
		l.openRoot(p.options)
		return &polling{Poller: p, loop: l}
	})
	return nil
}

// polling is a poller at work.
type polling struct {
	*Poller
	loop *loop
}

func (p *polling) Sample(ctx context.Context) {
	defer p.prepare(p.loop)()
	p.loop.run(ctx)
}

func (p *polling) Started() {
	p.options.Log.Infof("polling cgroup %s below %s every 10 ms, kernel %s",
		p.options.Trees.Version, p.options.Trees.CPU, p.host.Release())
}

// Complain says what went wrong since the last window.
func (p *polling) Complain() {
	if refused := p.loop.refused.Swap(0); refused > 0 {
		p.options.Log.Errorf("%d windows were lost because nobody took them; their numbers are missing", refused)
	}
	if failed := p.loop.readErrors.Swap(0); failed > 0 {
		p.options.Log.Warnf("%d readings failed; their slots count as missed", failed)
	}
}

// Reading gathers what a host window says beyond the samples.
func (p *polling) Reading() sampler.HostReading {
	reading := p.host.Read()
	if ticks := p.loop.ticks; ticks != nil {
		hz := ticks.Hz()
		reading.TickHz, reading.UncertaintyUs = &hz, ticks.PeriodNs()/2000
	}
	return reading
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
	files, err := discovery.OpenRoot(options.Trees)
	if err != nil {
		options.Log.Warnf("the host's own usage is not sampled: %v", err)
		return
	}
	l.root = &handle{Files: files, builder: l.recorder.Host()}
}
