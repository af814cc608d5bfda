package tickpoll

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

// event tells the sampling goroutine about a new cgroup (found is set) or new limits of a known one.
type event struct {
	handle *handle
	found  *sampler.Found
	limits *usagewindow.Limits
}

// known is a tracked cgroup as the discovering goroutine sees it.
type known struct {
	inode  uint64
	handle *handle
	limits usagewindow.Limits
}

// discoverer finds cgroups and reads their limits, so that the sampling goroutine only ever reads
// files that are open.
type discoverer struct {
	options Options
	events  chan<- event
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

func newDiscoverer(options Options, events chan<- event) *discoverer {
	d := &discoverer{
		options: options, events: events, tracked: map[string]*known{},
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

// run scans once, closes ready, and follows changes until ctx ends.
func (d *discoverer) run(ctx context.Context, ready chan<- struct{}) {
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

func (d *discoverer) rescanAfter() time.Duration {
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
func (d *discoverer) refresh(ctx context.Context) {
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
		d.send(ctx, event{handle: entry.handle, limits: &limits})
	}
}

func (d *discoverer) send(ctx context.Context, news event) bool {
	select {
	case d.events <- news:
		return true
	case <-ctx.Done():
		return false
	}
}

// Options says what to poll.
type Options struct {
	Trees cgroupfs.Trees
	// ProcRoot is where /proc is mounted.
	ProcRoot string
	Rules    identity.Rules
	// MaxCgroups bounds the tracked cgroups; those beyond are counted.
	MaxCgroups int
	Log        sampler.Logger
}
