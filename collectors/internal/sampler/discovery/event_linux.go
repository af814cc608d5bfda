// Package discovery finds the cgroups of a host that rules name, opens their counters, reads their
// limits and follows both, so that a back end only ever reads files that are open.
package discovery

import (
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// Kind says what happened to a cgroup.
type Kind int

// Kinds of events.
const (
	// Found is the first event of every cgroup.
	Found Kind = iota + 1
	// LimitsChanged may follow any number of times.
	LimitsChanged
	// Gone is the last event: the cgroup was removed, or it turned out to hold shards of its own. A
	// back end that reads held files learns of a removal sooner by ErrRemoved.
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
	// Ancestor is the open cpu.stat of the tightest limited ancestor, for Found and LimitsChanged. It
	// is nil when no ancestor is limited. The receiver passes it to Files.SetAncestor.
	Ancestor *StatFile
}

// Options says what to look for.
type Options struct {
	Trees cgroupfs.Trees
	Rules identity.Rules
	// Names may be nil: then shards are named after their paths.
	Names *naming.Names
	// MaxCgroups bounds the tracked cgroups, and MaxServices, unless 0, the services among them.
	MaxCgroups  int
	MaxServices int
	Log         sampler.Logger
}

// CloseWaiting closes the files of events that nobody received. It is for after Run.
func (f *Finder) CloseWaiting() {
	for {
		select {
		case news := <-f.events:
			news.Ancestor.Close()
			if news.Kind == Found {
				news.Cgroup.Files.Close()
			}
		default:
			return
		}
	}
}
