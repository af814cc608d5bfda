package discovery

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"golang.org/x/sys/unix"
)

// scan walks the tree, tracks what is new and forgets what is gone.
func (d *Finder) scan(ctx context.Context) {
	d.walked, d.matched, d.seen, d.beyond, d.pending = map[string]bool{}, d.matched[:0], 0, 0, false
	d.walk(ctx, "", 0)
	for path := range d.tracked {
		if !d.walked[path] {
			d.drop(ctx, path)
		}
	}
	dropGone(d.incomplete, d.walked)
	dropGone(d.refused, d.walked)
	dropGone(d.older, d.walked)
	for _, m := range d.matched { // after forgetting, which makes room below the cap
		d.consider(ctx, m.path, m.shard)
	}
	d.untracked.Store(d.seen)
	d.overflow.Store(d.beyond)
	d.first = false
}

// drop forgets a tracked cgroup that is gone and tells the back end.
func (d *Finder) drop(ctx context.Context, path string) {
	d.send(ctx, Event{Kind: Gone, Cgroup: d.tracked[path].cgroup})
	delete(d.tracked, path)
}

// dropGone forgets incarnations whose path is not there any more.
func dropGone[V any](lives map[incarnation]V, walked map[string]bool) {
	for life := range lives {
		if !walked[life.path] {
			delete(lives, life)
		}
	}
}

// walk visits the children of path. It does not enter tracked cgroups: usage is hierarchical, and
// what runs deeper belongs to the shard.
func (d *Finder) walk(ctx context.Context, path string, depth int) {
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

func (d *Finder) watchPath(path string) {
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
func (d *Finder) consider(ctx context.Context, path string, shard identity.Shard) {
	var status unix.Stat_t
	if err := unix.Stat(d.options.Trees.CPU+path, &status); err != nil {
		return // removed between listing and now
	}
	life := incarnation{path: path, inode: status.Ino}
	if entry, tracked := d.tracked[path]; tracked {
		if entry.cgroup.Inode == life.inode {
			return
		}
		d.drop(ctx, path)
	}
	if d.first {
		d.older[life] = true
	}
	if len(d.tracked) >= d.options.MaxCgroups {
		d.beyond++
		d.older[life] = true
		return
	}
	opened, err := OpenFiles(d.options.Trees, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if d.wait(life, usageGrace) {
			return
		}
	case err == nil && d.options.Trees.Pids != "" && opened.pids == noFile:
		if d.wait(life, pidsGrace) {
			opened.Close()
			return
		}
	}
	if err != nil {
		if !d.refused[life] {
			d.refused[life] = true
			d.options.Log.Warnf("cgroup %s is not tracked: %v", path, err)
		}
		return
	}
	d.track(ctx, life, shard, opened)
}

// wait reports whether an incomplete cgroup is still given time, and has it looked at again soon.
func (d *Finder) wait(life incarnation, grace time.Duration) bool {
	since, known := d.incomplete[life]
	if !known {
		since = time.Now()
		d.incomplete[life] = since
	}
	if time.Since(since) >= grace {
		return false
	}
	d.pending = true
	return true
}

func (d *Finder) track(ctx context.Context, life incarnation, shard identity.Shard, opened *Files) {
	limits, err := newLimitReader(d.options.Trees).read(life.path)
	if err != nil {
		opened.Close()
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENODEV) {
			d.options.Log.Warnf("cgroup %s is not tracked: %v", life.path, err)
		}
		return
	}
	d.watchPath(life.path)
	found := &sampler.Found{
		Path: life.path, Inode: life.inode, Shard: shard, Limits: limits,
		Cpuset: readCpuset(d.options.Trees, life.path), Born: !d.older[life], AtUs: time.Now().UnixMicro(),
	}
	cgroup := &Cgroup{Path: life.path, Inode: life.inode, Files: opened}
	if d.send(ctx, Event{Kind: Found, Cgroup: cgroup, Found: found}) {
		d.tracked[life.path] = &known{cgroup: cgroup, limits: limits}
		delete(d.incomplete, life)
		return
	}
	opened.Close()
}
