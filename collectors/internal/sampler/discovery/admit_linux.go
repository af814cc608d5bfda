package discovery

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

// known is a tracked cgroup as the finder sees it.
type known struct {
	cgroup *Cgroup
	limits usagewindow.Limits
}

// consider names a matched cgroup and lets it wait for a place.
func (f *Finder) consider(ctx context.Context, n *node, now time.Time) {
	if n.removed || n.known != nil || n.waiting != nil || n.holder {
		return
	}
	if inode, exists := inodeOf(f.options.Trees.CPU + n.path); !exists || inode != n.inode {
		f.remove(ctx, n) // its successor, if any, has a note or a rescan of its own
		return
	}
	if f.name(n, now) {
		f.queue.enter(n)
	}
}

// name lets a shard be named. It reports false when the cgroup is to be considered later, or is no shard
// as far as is known now, of which every rescan asks again.
func (f *Finder) name(n *node, now time.Time) bool {
	if f.options.Names == nil {
		return true
	}
	verdict := f.options.Names.Name(&n.shard, n.path, false)
	if verdict == naming.Later {
		if f.retry(n, now, namesGrace) {
			return false
		}
		verdict = f.options.Names.Name(&n.shard, n.path, true)
	}
	n.refused = verdict == naming.Sandbox
	return !n.refused
}

// retry has an incomplete cgroup considered again soon, as long as it has not been given all its grace.
func (f *Finder) retry(n *node, now time.Time, grace time.Duration) bool {
	if n.since.IsZero() {
		n.since = now
	}
	if now.Sub(n.since) >= grace {
		return false
	}
	f.agenda.put(n, now.Add(retryAfter))
	return true
}

// admit gives places below the caps to those that wait.
func (f *Finder) admit(ctx context.Context, now time.Time) {
	reader := newLimitReader(f.options.Trees, f.buffer)
	for f.queue.size > 0 && len(f.tracked) < f.options.MaxCgroups && !f.crowded {
		n := f.queue.next(f.options.MaxServices)
		if n == nil {
			f.warnings.say("%d services are tracked, which is max_services; cgroups of others are only counted", f.options.MaxServices)
			return
		}
		f.open(ctx, n, reader, now)
	}
	if f.queue.size > 0 && len(f.tracked) >= f.options.MaxCgroups {
		f.warnings.say("%d cgroups are tracked, which is max_cgroups; %d more are only counted", f.options.MaxCgroups, f.queue.size)
	}
}

// open opens the files of a cgroup that has a place, unless they are not there yet.
func (f *Finder) open(ctx context.Context, n *node, reader *limitReader, now time.Time) {
	files, err := OpenFiles(f.options.Trees, n.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.retry(n, now, usageGrace) {
			return
		}
	case errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE):
		f.crowded = true
		f.queue.enter(n)
		f.warnings.say("cgroups are only counted because no further file can be opened; raise LimitNOFILE of the unit: %v", err)
		return
	case err == nil && f.options.Trees.Pids != "" && files.pids == noFile && !files.Unified():
		if f.retry(n, now, pidsGrace) {
			files.Close()
			return
		}
	}
	if err != nil {
		f.refuse(n, err)
		return
	}
	f.track(ctx, n, files, reader)
}

func (f *Finder) refuse(n *node, err error) {
	if _, exists := inodeOf(f.options.Trees.CPU + n.path); !exists || errors.Is(err, unix.ENODEV) {
		return // removed: a note will say so
	}
	n.refused = true
	f.warnings.say("cgroup %s is not tracked: %v", n.path, err)
}

func (f *Finder) track(ctx context.Context, n *node, files *Files, reader *limitReader) {
	reading, err := reader.read(n.path)
	if err != nil {
		files.Close()
		f.refuse(n, err)
		return
	}
	cgroup := &Cgroup{Path: n.path, Inode: n.inode, Files: files}
	found := &sampler.Found{
		Path: n.path, Inode: n.inode, Shard: n.shard, Limits: reading.limits, Cpuset: reading.cpuset,
		Born: n.born, AtUs: time.Now().UnixMicro(),
	}
	news := Event{Kind: Found, Cgroup: cgroup, Found: found, Ancestor: openStat(f.options.Trees, reading.tightest)}
	if !f.send(ctx, news) {
		files.Close()
		return
	}
	n.known = &known{cgroup: cgroup, limits: reading.limits}
	f.tracked[n] = true
	if len(n.children) == 0 {
		delete(f.dirty, n) // what a runtime writes into a cgroup it has just made was read right now
	}
	f.queue.occupy(n.shard.Service)
}
