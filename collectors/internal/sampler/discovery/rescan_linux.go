package discovery

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// rescanBy makes the next rescan happen no later than at.
func (f *Finder) rescanBy(at time.Time) {
	if at.Before(f.nextRescan) {
		f.nextRescan = at
	}
}

// rescan walks the whole tree, brings the picture up to date, reads all limits again, and plans the
// next one.
func (f *Finder) rescan(ctx context.Context, now time.Time) {
	wasBlind := f.blind
	spent := cpuTimeOf(func() { f.walkAll(ctx, now) })
	f.walk.Add(1)
	if !f.first { // the first one also opened all files, which says nothing about the next
		f.lastRescan = spent
	}
	wait := max(rescanWatched, f.lastRescan*rescanWatchedShare)
	if f.blind {
		wait = max(rescanBlind, f.lastRescan*rescanBlindShare)
	} else if wasBlind {
		f.options.Log.Infof("every cgroup is watched again")
	}
	f.nextRescan = now.Add(min(wait, rescanLatest))
}

func (f *Finder) walkAll(ctx context.Context, now time.Time) {
	f.blind, f.crowded = false, false
	if f.watch == nil {
		watch, err := newWatcher()
		if err != nil {
			f.sayBlind(err)
		}
		f.watch = watch
	}
	f.reconcile(ctx, f.root, now)
	clear(f.departed)
	if f.first {
		for n := f.agenda.take(now); n != nil; n = f.agenda.take(now) {
			f.consider(ctx, n, now)
		}
		f.admit(ctx, now)
	}
	f.refreshAll(ctx)
}

// reconcile compares a directory and everything below it with the kernel's. Nodes without a watch get
// one if there is one to be had by now.
func (f *Finder) reconcile(ctx context.Context, n *node, now time.Time) {
	if ctx.Err() != nil {
		return
	}
	f.watchOver(n)
	entries, err := listSubdirs(f.options.Trees.CPU+n.path, f.buffer)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && err != unix.ENODEV {
		f.warnings.say("cannot list %s: %v", f.options.Trees.CPU+n.path, err)
		return
	}
	present := make(map[string]uint64, len(entries))
	for _, entry := range entries {
		present[entry.name] = entry.inode
	}
	for name, child := range n.children {
		if present[name] != child.inode {
			child.subtree(func(gone *node) { f.departed[gone.inode] = true })
			f.remove(ctx, child)
		}
	}
	for _, entry := range entries {
		if child := n.children[entry.name]; child != nil {
			if child.refused { // what was wrong may have been put right
				child.refused = false
				f.agenda.put(child, now)
			}
			f.reconcile(ctx, child, now)
		} else {
			f.appear(ctx, n, entry, true, now)
		}
	}
}
