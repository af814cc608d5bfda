// Package discovery finds the cgroups of a host that rules name, opens their counters, reads their
// limits and follows both, so that a back end only ever reads files that are open.
package discovery

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	// settle lets a runtime finish creating a cgroup in all trees before it is opened.
	settle = 50 * time.Millisecond
	// rescanWatched is how often the tree is walked although inotify reported nothing.
	rescanWatched = 10 * time.Second
	// rescanBlind is how often it is walked without inotify, or while something is incomplete.
	rescanBlind = time.Second
	// usageGrace is how long a cgroup may lack the file of its usage: its tree may be made later.
	usageGrace = 5 * time.Second
	// pidsGrace is how long a cgroup may lack pids.current before it is tracked without.
	pidsGrace = time.Second
	// deepest bounds the walk; container runtimes nest about ten levels.
	deepest = 32
)

// incarnation is one life of a cgroup path.
type incarnation struct {
	path  string
	inode uint64
}

// Kind says what happened to a cgroup.
type Kind int

// Kinds of events.
const (
	// Found is the first event of every cgroup.
	Found Kind = iota + 1
	// LimitsChanged may follow any number of times.
	LimitsChanged
	// Gone is the last event. A back end that reads held files learns of it sooner by ErrRemoved.
	Gone
)

// Cgroup is one tracked incarnation. All events about it carry the same pointer.
type Cgroup struct {
	Path  string
	Inode uint64
	// Files belong to whoever received the Found event, who closes them.
	Files *Files
}

// Event tells a back end about one cgroup.
type Event struct {
	Kind   Kind
	Cgroup *Cgroup
	// Found is set for Found.
	Found *sampler.Found
	// Limits is set for LimitsChanged.
	Limits *usagewindow.Limits
}

// Options says what to look for.
type Options struct {
	Trees cgroupfs.Trees
	Rules identity.Rules
	// MaxCgroups bounds the tracked cgroups; those beyond are counted.
	MaxCgroups int
	Log        sampler.Logger
}

// eventsWaiting is how many events may wait for the back end.
const eventsWaiting = 1024

// known is a tracked cgroup as the discovering goroutine sees it.
type known struct {
	cgroup *Cgroup
	limits usagewindow.Limits
}

// Finder finds cgroups and follows their limits on the goroutine that calls Run.
type Finder struct {
	options Options
	events  chan Event
	watch   *watcher

	tracked map[string]*known
	// incomplete are cgroups that lack a file of another tree, with when that was first seen.
	incomplete map[incarnation]time.Time
	// older are cgroups that were seen before they could be tracked: not newborn when they are.
	older map[incarnation]bool
	// refused are cgroups that cannot be read, which is said once each.
	refused map[incarnation]bool
	first   bool
	pending bool

	untracked, overflow atomic.Int64
	// Counted by the walk under way.
	walked  map[string]bool
	matched []match
	seen    int64
	beyond  int64
}

// match is a cgroup that a rule matched in the walk under way.
type match struct {
	path  string
	shard identity.Shard
}

// New returns a finder that already watches, but has not looked yet. Run releases what it holds.
func New(options Options) *Finder {
	d := &Finder{
		options: options, events: make(chan Event, eventsWaiting), tracked: map[string]*known{},
		incomplete: map[incarnation]time.Time{}, older: map[incarnation]bool{}, refused: map[incarnation]bool{}, first: true,
	}
	watch, err := newWatcher()
	if err != nil {
		options.Log.Warnf("new cgroups are found by scanning every %s: %v", rescanBlind, err)
		return d
	}
	d.watch = watch
	return d
}

// Events delivers what is found, in the order in which it happened to each cgroup. It is never closed.
func (d *Finder) Events() <-chan Event { return d.events }

// Untracked is the number of leaf cgroups that no rule matched in the last walk.
func (d *Finder) Untracked() int64 { return d.untracked.Load() }

// Overflow is the number of cgroups that a rule matched but MaxCgroups left out.
func (d *Finder) Overflow() int64 { return d.overflow.Load() }

// CloseWaiting closes the files of cgroups whose Found event nobody received. It is for after Run.
func (d *Finder) CloseWaiting() {
	for {
		select {
		case news := <-d.events:
			if news.Kind == Found {
				news.Cgroup.Files.Close()
			}
		default:
			return
		}
	}
}

// Run scans once, closes ready, and follows changes until ctx ends.
func (d *Finder) Run(ctx context.Context, ready chan<- struct{}) {
	d.scan(ctx)
	close(ready)
	var changes <-chan change
	if d.watch != nil {
		defer d.watch.close()
		changes = d.watch.changes
	}
	for {
		wait := time.NewTimer(d.rescanAfter())
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case seen := <-changes:
			wait.Stop()
			if !sleep(ctx, settle) {
				return
			}
			if seen.limits {
				d.refresh(ctx)
			}
			if seen.tree {
				d.scan(ctx)
			}
		case <-wait.C:
			d.refresh(ctx)
			d.scan(ctx)
		}
	}
}

func (d *Finder) rescanAfter() time.Duration {
	switch {
	case d.pending:
		return settle * 2
	case d.watch == nil:
		return rescanBlind
	}
	return rescanWatched
}

func sleep(ctx context.Context, duration time.Duration) bool {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// refresh reads the limits of all tracked cgroups again and sends those that changed.
func (d *Finder) refresh(ctx context.Context) {
	reader := newLimitReader(d.options.Trees)
	for path, entry := range d.tracked {
		limits, err := reader.read(path)
		if err != nil {
			continue // being removed: the next scan drops it
		}
		if reflect.DeepEqual(limits, entry.limits) {
			continue
		}
		entry.limits = limits
		d.send(ctx, Event{Kind: LimitsChanged, Cgroup: entry.cgroup, Limits: &limits})
	}
}

func (d *Finder) send(ctx context.Context, news Event) bool {
	select {
	case d.events <- news:
		return true
	case <-ctx.Done():
		return false
	}
}
