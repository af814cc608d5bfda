package discovery

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// settle lets a runtime finish creating a cgroup in all trees and setting its limits before it is
	// opened, and folds the writes of one change of limits into one event.
	settle = 50 * time.Millisecond
	// retryAfter is when a cgroup that lacks a file or a name is looked at again.
	retryAfter = 100 * time.Millisecond
	// usageGrace is how long a cgroup may lack the file of its usage: its tree may be made later.
	usageGrace = 5 * time.Second
	// pidsGrace is how long a cgroup of v1 may lack pids.current before it is tracked without. On v2 all
	// files of a cgroup appear with it.
	pidsGrace = time.Second
	// namesGrace is how long the runtime may take to write down a container's name.
	namesGrace = 2 * time.Second
	// eventsWaiting is how many events may wait for the back end.
	eventsWaiting = 1024
)

// Rescans are a safety net: inotify tells of changes, each handled at a cost of its own and not of the
// tree. The whole tree is walked, and every limit read again, this often at most; the longer a rescan
// takes, the rarer it gets, so that it never costs more than the stated share of one CPU.
const (
	rescanWatched      = 30 * time.Second
	rescanWatchedShare = 1000 // 0.1 %
	// Without inotify, or with too few watches.
	rescanBlind      = time.Second
	rescanBlindShare = 100 // 1 %
	// However long it takes, the tree is walked this often.
	rescanLatest = 10 * time.Minute
	// After the kernel's queue overflowed.
	rescanOverflowShare = 20 // 5 %, while events arrive faster than 16,384 at a time
	// refreshShare bounds reading limits again when somebody writes those of an ancestor all the time.
	refreshShare = 20 // 5 %
)

// Finder finds cgroups and follows their limits on the goroutine that calls Run.
type Finder struct {
	options Options
	events  chan Event
	watch   *watcher
	// blind is true while some directory that matters is not watched.
	blind bool

	root    *node
	byWatch map[int32]*node
	byInode map[uint64]*node
	// departed are the inodes of what a rescan missed so far, to tell renamed cgroups from new ones.
	departed map[uint64]bool

	agenda  agenda
	queue   waiting
	tracked map[*node]bool
	dirty   map[*node]bool
	// first is true until the first walk is over: what it finds is older than the agent.
	first bool
	// crowded is true while the process may open no further file.
	crowded bool

	nextRescan, nextRefresh time.Time
	lastRescan              time.Duration
	buffer                  []byte
	warnings                warnings

	leaves                              int64
	untracked, overflow, vanished, walk atomic.Int64
}

// New returns a finder that has not looked yet. Run releases what it holds.
func New(options Options) *Finder {
	f := &Finder{
		options: options, events: make(chan Event, eventsWaiting), first: true,
		byWatch: map[int32]*node{}, byInode: map[uint64]*node{}, departed: map[uint64]bool{},
		queue: newWaiting(), tracked: map[*node]bool{}, dirty: map[*node]bool{},
		buffer: make([]byte, 32<<10), warnings: warnings{log: options.Log},
	}
	f.root = &node{children: map[string]*node{}}
	return f
}

// Events delivers what is found, in the order in which it happened to each cgroup. It is never closed.
func (f *Finder) Events() <-chan Event { return f.events }

// Untracked is the number of leaf cgroups that no rule matches.
func (f *Finder) Untracked() int64 { return f.untracked.Load() }

// Overflow is the number of cgroups that a rule matches but a cap leaves out.
func (f *Finder) Overflow() int64 { return f.overflow.Load() }

// TakeVanished returns how many cgroups that a rule matches came and went too fast to be opened since
// the last call. What they used was not seen.
func (f *Finder) TakeVanished() int64 { return f.vanished.Swap(0) }

// Rescans is the number of walks through the whole tree so far.
func (f *Finder) Rescans() int64 { return f.walk.Load() }

// Run walks the tree once, closes ready, and follows changes until ctx ends.
func (f *Finder) Run(ctx context.Context, ready chan<- struct{}) {
	defer func() {
		if f.watch != nil {
			f.watch.close()
		}
	}()
	f.rescan(ctx, time.Now())
	f.first = false
	f.work(ctx, time.Now())
	close(ready)
	for ctx.Err() == nil {
		var notes <-chan []note
		if f.watch != nil {
			notes = f.watch.notes
		}
		alarm := time.NewTimer(time.Until(f.nextDue()))
		select {
		case <-ctx.Done():
		case news := <-notes:
			for _, one := range news {
				f.heed(ctx, one, time.Now())
			}
		case <-alarm.C:
		}
		alarm.Stop()
		f.work(ctx, time.Now())
	}
}

// nextDue returns when there is something to do without news.
func (f *Finder) nextDue() time.Time {
	due := f.nextRescan
	if at, some := f.agenda.next(); some && at.Before(due) {
		due = at
	}
	if len(f.dirty) > 0 && f.nextRefresh.Before(due) {
		due = f.nextRefresh
	}
	return due
}

// work does what is due and publishes the counts.
func (f *Finder) work(ctx context.Context, now time.Time) {
	if !now.Before(f.nextRescan) {
		f.rescan(ctx, now)
	}
	for n := f.agenda.take(now); n != nil; n = f.agenda.take(now) {
		f.consider(ctx, n, now)
	}
	f.admit(ctx, now)
	if len(f.dirty) > 0 && !now.Before(f.nextRefresh) {
		f.refreshDirty(ctx)
	}
	f.untracked.Store(f.leaves)
	f.overflow.Store(int64(f.queue.size))
}

// send waits for the back end; it reports false when ctx ended first.
func (f *Finder) send(ctx context.Context, news Event) bool {
	select {
	case f.events <- news:
		return true
	case <-ctx.Done():
		news.Ancestor.Close()
		return false
	}
}
