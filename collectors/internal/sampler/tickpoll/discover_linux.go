package tickpoll

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

const (
	// settle lets a runtime finish creating a cgroup in all trees before it is opened.
	settle = 50 * time.Millisecond
	// rescanWatched is how often the tree is walked although inotify reported nothing.
	rescanWatched = 10 * time.Second
	// rescanBlind is how often it is walked without inotify, or while something is incomplete.
	rescanBlind = time.Second
	// attempts is how many scans a cgroup may lack a file of another tree before it is taken as it is.
	attempts = 3
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
	tries   map[incarnation]int
	// older are cgroups that were seen before they could be tracked: not newborn when they are.
	older   map[incarnation]bool
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
		tries: map[incarnation]int{}, older: map[incarnation]bool{}, first: true,
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

// scan walks the tree, tracks what is new and forgets what is gone.
func (d *discoverer) scan(ctx context.Context) {
	d.walked, d.matched, d.seen, d.beyond, d.pending = map[string]bool{}, d.matched[:0], 0, 0, false
	d.walk(ctx, "", 0)
	for path := range d.tracked {
		if !d.walked[path] {
			delete(d.tracked, path)
		}
	}
	for life := range d.tries {
		if !d.walked[life.path] {
			delete(d.tries, life)
		}
	}
	for life := range d.older {
		if !d.walked[life.path] {
			delete(d.older, life)
		}
	}
	for _, m := range d.matched { // after forgetting, which makes room below the cap
		d.consider(ctx, m.path, m.shard)
	}
	d.untracked.Store(d.seen)
	d.overflow.Store(d.beyond)
	d.first = false
}

// walk visits the children of path. It does not enter tracked cgroups: usage is hierarchical, and
// what runs deeper belongs to the shard.
func (d *discoverer) walk(ctx context.Context, path string, depth int) {
	if ctx.Err() != nil || depth > deepest {
		return
	}
	d.watchPath(path)
	entries, err := os.ReadDir(d.options.Trees.CPU + path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.options.Log.Warnf("cannot list %s: %v", d.options.Trees.CPU+path, err)
		}
		return
	}
	leaf := true
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		leaf = false
		child := path + "/" + entry.Name()
		if shard, matched := d.options.Rules.Match(child); matched {
			d.walked[child] = true
			d.matched = append(d.matched, match{path: child, shard: shard})
			continue
		}
		d.walk(ctx, child, depth+1)
	}
	if leaf && path != "" {
		d.seen++
	}
}

func (d *discoverer) watchPath(path string) {
	if d.watch == nil {
		return
	}
	if err := d.watch.add(d.options.Trees.CPU + path); err != nil && !errors.Is(err, unix.ENOENT) {
		d.options.Log.Warnf("new cgroups are found by scanning every %s: %v", rescanBlind, err)
		d.watch.close()
		d.watch = nil
	}
}

// consider opens a matched cgroup unless this very incarnation is tracked already.
func (d *discoverer) consider(ctx context.Context, path string, shard identity.Shard) {
	var status unix.Stat_t
	if err := unix.Stat(d.options.Trees.CPU+path, &status); err != nil {
		return // removed between listing and now
	}
	life := incarnation{path: path, inode: status.Ino}
	if entry, tracked := d.tracked[path]; tracked {
		if entry.inode == life.inode {
			return
		}
		delete(d.tracked, path)
	}
	if d.first {
		d.older[life] = true
	}
	if len(d.tracked) >= d.options.MaxCgroups {
		d.beyond++
		d.older[life] = true
		return
	}
	d.tries[life]++
	opened, err := openHandle(d.options.Trees, path)
	incomplete := err == nil && d.options.Trees.Pids != "" && opened.pids == noFile
	if (errors.Is(err, fs.ErrNotExist) || incomplete) && d.tries[life] < attempts {
		d.pending = true
		if err == nil {
			opened.close()
		}
		return
	}
	if err != nil {
		if d.tries[life] == attempts {
			d.options.Log.Warnf("cgroup %s is not tracked: %v", path, err)
		}
		return
	}
	d.track(ctx, life, shard, opened)
}

func (d *discoverer) track(ctx context.Context, life incarnation, shard identity.Shard, opened *handle) {
	limits, err := newLimitReader(d.options.Trees).read(life.path)
	if err != nil {
		opened.close()
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENODEV) {
			d.options.Log.Warnf("cgroup %s is not tracked: %v", life.path, err)
		}
		return
	}
	d.watchPath(life.path)
	opened.key = life
	found := &sampler.Found{
		Path: life.path, Inode: life.inode, Shard: shard, Limits: limits,
		Cpuset: readCpuset(d.options.Trees, life.path), Born: !d.older[life], AtUs: time.Now().UnixMicro(),
	}
	if d.send(ctx, event{handle: opened, found: found}) {
		d.tracked[life.path] = &known{inode: life.inode, handle: opened, limits: limits}
		delete(d.tries, life)
		return
	}
	opened.close()
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
