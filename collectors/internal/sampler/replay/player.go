package replay

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// paceEvery is how often slots that have become due are played. Windows end by the wall clock like
// live ones; within a window nothing depends on when a slot is played.
const paceEvery = 100 * time.Millisecond

// Options says what to replay.
type Options struct {
	Traces []*Trace
	// Loop begins each trace again at its end. Counters go on rising, as one long-lived cgroup's do.
	Loop  bool
	Rules identity.Rules
	Log   sampler.Logger
}

// Player is the replay back end: it re-stamps recorded slots to now.
type Player struct {
	options  Options
	shards   []*shard
	unnamed  int
	begin    int64
	lastSlot int64
}

// shard is one recorded cgroup with the builder that takes its readings.
type shard struct {
	builder *usagewindow.Builder
	cgroup  *Cgroup
	// slots is how long the whole trace is, which cgroups of one trace share.
	slots int64
}

// New returns a player of the given traces.
func New(options Options) *Player { return &Player{options: options} }

// Run plays until ctx ends, or until the longest trace ends when it is not looped.
func (p *Player) Run(ctx context.Context, recorder *sampler.Recorder) error {
	p.begin = time.Now().UnixMicro()/usagewindow.SampleIntervalUs + 1
	p.lastSlot = 0
	for _, trace := range p.options.Traces {
		p.lastSlot = max(p.lastSlot, trace.Slots)
		p.track(recorder, trace)
	}
	recorder.Baseline(p.reading())
	p.options.Log.Infof("replaying %d recorded cgroups as of now; %d more match no path rule", len(p.shards), p.unnamed)
	pace := time.NewTicker(paceEvery)
	defer pace.Stop()
	slot := p.begin
	window := usagewindow.WindowOf(slot)
	for !p.over(slot) {
		select {
		case <-ctx.Done():
			recorder.Finish(recorder.Cut(window, slot-1), p.reading())
			return nil
		case <-pace.C:
		}
		for due := time.Now().UnixMicro() / usagewindow.SampleIntervalUs; slot <= due && !p.over(slot); slot++ {
			for _, s := range p.shards {
				s.play(slot, slot-p.begin, p.options.Loop)
			}
			if slot == usagewindow.LastSlotOf(window) {
				recorder.Finish(recorder.Cut(window, slot), p.reading())
				window += usagewindow.WindowUs
			}
		}
	}
	recorder.Finish(recorder.Cut(window, slot-1), p.reading())
	<-ctx.Done()
	return nil
}

func (p *Player) over(slot int64) bool { return !p.options.Loop && slot-p.begin > p.lastSlot }

func (p *Player) track(recorder *sampler.Recorder, trace *Trace) {
	for i := range trace.Cgroups {
		cgroup := &trace.Cgroups[i]
		if cgroup.Path == "/" {
			p.shards = append(p.shards, &shard{builder: recorder.Host(), cgroup: cgroup, slots: trace.Slots})
			continue
		}
		named, matched := p.options.Rules.Match(cgroup.Path)
		if !matched {
			p.unnamed++
			continue
		}
		found := sampler.Found{Path: cgroup.Path, Inode: 1, Shard: named, Limits: cgroup.Limits, AtUs: time.Now().UnixMicro()}
		p.shards = append(p.shards, &shard{builder: recorder.Track(found), cgroup: cgroup, slots: trace.Slots})
	}
}

// play gives the reading for a slot, offset slots after the beginning. Each round of a looped trace
// stands on the totals of the rounds before it.
func (s *shard) play(slot, offset int64, loop bool) {
	round := int64(0)
	if loop && offset > 0 {
		round, offset = (offset-1)/s.slots, (offset-1)%s.slots+1
	}
	readings := s.cgroup.Readings
	if offset >= int64(len(readings)) || readings[offset] == nil {
		return
	}
	now, start, end := readings[offset], readings[0], readings[len(readings)-1]
	atNs := now.AtNs - start.AtNs + round*s.slots*usagewindow.SampleIntervalUs*1000
	s.builder.Sample(slot, atNs, now.UsageNs-start.UsageNs+round*(end.UsageNs-start.UsageNs), now.LateUs)
	s.builder.Stat(risen(now.Stat, start.Stat, end.Stat, round))
	s.builder.SetThreads(now.Threads)
}

// risen is the growth of the counters since the start, over whole rounds and the present one.
func risen(now, start, end cgroupfs.CPUStat, round int64) cgroupfs.CPUStat {
	grow := func(now, start, end int64) int64 { return now - start + round*(end-start) }
	now.Periods = grow(now.Periods, start.Periods, end.Periods)
	now.ThrottledPeriods = grow(now.ThrottledPeriods, start.ThrottledPeriods, end.ThrottledPeriods)
	now.ThrottledNs = grow(now.ThrottledNs, start.ThrottledNs, end.ThrottledNs)
	now.Bursts = grow(now.Bursts, start.Bursts, end.Bursts)
	now.BurstUsedNs = grow(now.BurstUsedNs, start.BurstUsedNs, end.BurstUsedNs)
	return now
}

// reading states the recorded host; only the agent's own cost is of this machine.
func (p *Player) reading() sampler.HostReading {
	first := p.options.Traces[0]
	reading := sampler.HostReading{
		KernelRelease: first.Kernel, Version: first.Version, Cpus: first.Cpus, UntrackedCgroups: p.unnamed,
	}
	if first.TickHz > 0 {
		reading.TickHz, reading.UncertaintyUs = &first.TickHz, 500_000/int64(first.TickHz)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err == nil {
		reading.AgentCPUUs = (usage.Utime.Nano() + usage.Stime.Nano()) / 1000
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if pages, err := cgroupfs.ResidentPages(text); err == nil {
			reading.AgentRSSBytes = pages * int64(os.Getpagesize())
		}
	} else {
		var memory runtime.MemStats // no /proc: what the Go runtime holds is the nearest there is
		runtime.ReadMemStats(&memory)
		reading.AgentRSSBytes = int64(memory.Sys)
	}
	return reading
}
