package discovery

import (
	"container/list"
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"golang.org/x/sys/unix"
)

// node is one incarnation of a directory of the tree.
type node struct {
	parent   *node
	path     string
	name     string
	inode    uint64
	children map[string]*node
	watch    int32

	// matched is set when a rule says which shard the cgroup is.
	matched bool
	shard   identity.Shard
	// inside is set below a matched cgroup, where only pods of a nested Kubernetes matter.
	inside bool
	// born is set when the cgroup was created while the agent was watching.
	born bool
	// removed is set when the node left the tree.
	removed bool

	// since is when the cgroup was first considered and found incomplete.
	since   time.Time
	waiting *list.Element
	arrival int64
	refused bool
	// holder is set when shards of its own were found inside a matched cgroup, which then is none.
	holder bool
	known  *known
}

// deepest bounds the tree; container runtimes nest about ten levels.
const deepest = 32

// nestsPods reports whether a directory inside a matched cgroup may lead to the pods of a Kubernetes
// node that itself runs in a container, as kind, minikube and k3d make it.
func nestsPods(name string) bool {
	return strings.Contains(name, "kubelet") || strings.Contains(name, "kubepods")
}

// untrackedLeaf reports whether a node counts as a cgroup that no rule matches.
func (n *node) untrackedLeaf() bool {
	return n.parent != nil && !n.matched && !n.inside && len(n.children) == 0
}

// subtree calls visit for the node and everything below it.
func (n *node) subtree(visit func(*node)) {
	visit(n)
	for _, child := range n.children {
		child.subtree(visit)
	}
}

// heed handles one note of inotify.
func (f *Finder) heed(ctx context.Context, one note, now time.Time) {
	if one.mask&unix.IN_Q_OVERFLOW != 0 {
		f.warnings.say("the kernel's inotify queue overflowed: the tree is walked again")
		f.rescanBy(now.Add(max(settle, f.lastRescan*rescanOverflowShare)))
		return
	}
	n := f.byWatch[one.watch]
	if n == nil {
		return // of a directory that was forgotten meanwhile
	}
	if one.mask&unix.IN_IGNORED != 0 {
		delete(f.byWatch, one.watch)
		n.watch = noWatch
		return
	}
	if one.mask&unix.IN_ISDIR == 0 {
		f.soil(n, now)
		return
	}
	child := n.children[one.name]
	inode, exists := inodeOf(f.options.Trees.CPU + n.path + "/" + one.name)
	if !f.current(n) {
		return // n itself was removed, and perhaps made again: a note of its parent says so
	}
	if child != nil && (!exists || child.inode != inode) {
		f.remove(ctx, child)
		child = nil
	}
	switch {
	case child != nil: // an old note: a later life of the name is known already
		if one.mask&unix.IN_DELETE != 0 && child.matched {
			f.vanished.Add(1)
		}
	case exists:
		f.appear(ctx, n, subdir{name: one.name, inode: inode}, one.mask&unix.IN_MOVED_TO == 0, now)
	case one.mask&unix.IN_CREATE != 0 && !n.inside:
		if _, matched := f.match(n, n.path+"/"+one.name); matched {
			f.vanished.Add(1)
		}
	}
}

// current reports whether the path of a node still leads to it. What was read by path before is then true
// of the node.
func (f *Finder) current(n *node) bool {
	inode, exists := inodeOf(f.options.Trees.CPU + n.path)
	return exists && (inode == n.inode || n.parent == nil)
}

// match asks the rules. Inside a matched cgroup only pods count: what else runs deeper belongs to it.
func (f *Finder) match(parent *node, path string) (identity.Shard, bool) {
	shard, matched := f.options.Rules.Match(path)
	if matched && (parent.inside || parent.matched) && shard.PodUID == "" {
		return identity.Shard{}, false
	}
	return shard, matched
}

// appear adds a directory that was not known, and what is below it.
func (f *Finder) appear(ctx context.Context, parent *node, entry subdir, born bool, now time.Time) {
	inside := parent.inside || parent.matched
	path := parent.path + "/" + entry.name
	if parent.matched && !nestsPods(entry.name) || strings.Count(path, "/") > deepest {
		return
	}
	if former := f.byInode[entry.inode]; former != nil { // renamed, which v1 allows
		f.remove(ctx, former)
		born = false
	}
	n := &node{
		parent: parent, path: path, name: entry.name, inode: entry.inode, children: map[string]*node{},
		inside: inside, born: born && !f.first && !f.departed[entry.inode],
	}
	if parent.untrackedLeaf() {
		f.leaves--
	}
	n.shard, n.matched = f.match(parent, path)
	parent.children[entry.name], f.byInode[entry.inode] = n, n
	if n.untrackedLeaf() {
		f.leaves++
	}
	if n.matched {
		due := now
		if !f.first {
			due = now.Add(settle)
		}
		f.agenda.put(n, due)
		f.hold(ctx, n)
	}
	f.explore(ctx, n, now)
}

// hold turns matched cgroups around a pod into holders: their usage is that of their pods.
func (f *Finder) hold(ctx context.Context, n *node) {
	for above := n.parent; above != nil; above = above.parent {
		if above.matched && !above.holder {
			above.holder = true
			f.forget(ctx, above)
		}
	}
}

// explore watches a directory and then lists it, so that nothing is missed in between.
func (f *Finder) explore(ctx context.Context, n *node, now time.Time) {
	f.watchOver(n)
	entries, err := listSubdirs(f.options.Trees.CPU+n.path, f.buffer)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && err != unix.ENODEV {
			f.warnings.say("cannot list %s: %v", f.options.Trees.CPU+n.path, err)
		}
		return
	}
	if !f.current(n) {
		return
	}
	for _, entry := range entries {
		f.appear(ctx, n, entry, true, now)
	}
}

// watchOver asks for a watch of a directory. Without one, rescans replace it until there is one.
func (f *Finder) watchOver(n *node) {
	if f.watch == nil || n.watch != noWatch {
		f.blind = f.blind || f.watch == nil
		return
	}
	watch, err := f.watch.add(f.options.Trees.CPU + n.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENODEV) {
			f.sayBlind(err)
		}
		return
	}
	n.watch, f.byWatch[watch] = watch, n
}

func (f *Finder) sayBlind(err error) {
	f.blind = true
	f.rescanBy(time.Now().Add(max(rescanBlind, f.lastRescan*rescanBlindShare)))
	f.warnings.say("some cgroups are only found by walking the tree every %s or, if that takes long, so rarely that"+
		" it costs 1 %% of a CPU: %v", rescanBlind, err)
}

// remove takes a node and everything below it out of the tree.
func (f *Finder) remove(ctx context.Context, n *node) {
	for _, child := range n.children {
		f.remove(ctx, child)
	}
	if n.untrackedLeaf() {
		f.leaves--
	}
	if n.matched && n.born && n.known == nil && n.waiting == nil && !n.refused && !n.holder {
		f.vanished.Add(1)
	}
	f.forget(ctx, n)
	n.removed = true
	if n.watch != noWatch {
		f.watch.remove(n.watch)
		delete(f.byWatch, n.watch)
	}
	if f.byInode[n.inode] == n {
		delete(f.byInode, n.inode)
	}
	delete(f.dirty, n)
	delete(n.parent.children, n.name)
	if n.parent.untrackedLeaf() {
		f.leaves++
	}
}

// forget ends the tracking of a cgroup, or its waiting for a place.
func (f *Finder) forget(ctx context.Context, n *node) {
	if n.waiting != nil {
		f.queue.leave(n)
	}
	if n.known == nil {
		return
	}
	f.send(ctx, Event{Kind: Gone, Cgroup: n.known.cgroup})
	delete(f.tracked, n)
	f.queue.release(n.shard.Service)
	n.known = nil
	f.crowded = false
}
