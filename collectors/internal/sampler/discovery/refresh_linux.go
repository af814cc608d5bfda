package discovery

import (
	"context"
	"reflect"
	"time"
)

// soil notes that limits in a directory were written: those of the cgroup and of all below it are to be
// read again.
func (f *Finder) soil(n *node, now time.Time) {
	if len(f.dirty) == 0 && f.nextRefresh.Before(now.Add(settle)) {
		f.nextRefresh = now.Add(settle)
	}
	f.dirty[n] = true
}

// refreshDirty reads the limits below every directory in which some were written. When that takes long,
// the next time is put off.
func (f *Finder) refreshDirty(ctx context.Context) {
	reader := newLimitReader(f.options.Trees, f.buffer)
	seen := map[*node]bool{}
	spent := cpuTimeOf(func() {
		for n := range f.dirty {
			n.subtree(func(below *node) {
				if below.known != nil && !seen[below] {
					seen[below] = true
					f.refresh(ctx, reader, below)
				}
			})
		}
	})
	clear(f.dirty)
	f.nextRefresh = time.Now().Add(spent * refreshShare)
}

// refreshAll reads the limits of all tracked cgroups again.
func (f *Finder) refreshAll(ctx context.Context) {
	if f.first {
		return
	}
	reader := newLimitReader(f.options.Trees, f.buffer)
	for n := range f.tracked {
		f.refresh(ctx, reader, n)
	}
	clear(f.dirty)
}

func (f *Finder) refresh(ctx context.Context, reader *limitReader, n *node) {
	reading, err := reader.read(n.path)
	if err != nil || reflect.DeepEqual(reading.limits, n.known.limits) {
		return // unreadable: being removed, which a note or the next rescan tells
	}
	n.known.limits = reading.limits
	f.send(ctx, Event{
		Kind: LimitsChanged, Cgroup: n.known.cgroup, Limits: &reading.limits,
		Ancestor: openStat(f.options.Trees, reading.tightest),
	})
}
