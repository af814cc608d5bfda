// Package bench runs the lab: it makes the cgroups, starts the shards in them, lets clients ask
// for work, changes quotas, pools and loads while it runs, and writes down the truth.
package bench

import (
	"fmt"
	"io"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// Options are what a person may say about a run.
type Options struct {
	// FolderName is the folder quotascope/<name> in the cgroup trees.
	FolderName string
	Services   []workload.Service
	Seed       uint64
	// Duration is how long load is offered; 0 means until a signal comes.
	Duration time.Duration
	// Scale multiplies the load of all services.
	Scale float64
	// TruthPath is where the truth is written; empty means nowhere.
	TruthPath string
	// Linger is how long each cgroup stays after its last task ended, so that a collector can
	// read its final counters in a window of their own.
	Linger time.Duration
	// Log takes progress, one line each; Table takes the result.
	Log, Table io.Writer
}

// Check reports the first option that cannot be meant.
func (o Options) Check() error {
	switch {
	case o.Scale <= 0 || o.Scale > 10:
		return fmt.Errorf("--scale %v: want more than 0 and at most 10", o.Scale)
	case o.Duration < 0:
		return fmt.Errorf("--duration %v: want 0 (until stopped) or more", o.Duration)
	case o.Linger < 0:
		return fmt.Errorf("--linger %v: want 0 or more", o.Linger)
	}
	return nil
}

func (o Options) logf(format string, values ...any) {
	fmt.Fprintf(o.Log, "cfslab: "+format+"\n", values...)
}

// The hidden commands by which cfslab starts itself again in another role.
const (
	CommandEnter   = "enter-cgroup"
	CommandShard   = "shard"
	CommandJanitor = "janitor"
)
