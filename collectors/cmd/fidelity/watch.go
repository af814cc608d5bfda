package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// watchCommand is one method in a process of its own: it watches one cgroup until its stdin closes,
// and then prints every slice that it took.
func watchCommand(args []string) error {
	flags := flag.NewFlagSet("watch", flag.ContinueOnError)
	method := flags.String("method", methodPoll, "which back end")
	path := flags.String("cgroup", "", "the path of the cgroup, seen from the mount points")
	if err := flags.Parse(args); err != nil {
		return err
	}
	rule, err := identity.NewRule(filepath.Dir(filepath.Dir(*path))+"/{service}/{shard}", "lab")
	if err != nil {
		return err
	}
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	if err != nil {
		return err
	}
	backend, kind, err := newBackend(*method, trees, identity.Rules{rule})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // its end is the signal, whatever ended it
		cancel()
	}()
	heard := &sliceTape{path: *path, offsetNs: time.Now().UnixNano() - stamp.Now(), said: make([]slice, 0, 1<<16)}
	agent := sampler.Agent{HostID: "bench", EpochUs: time.Now().UnixMicro(), Cluster: "bench",
		Origin: usagewindow.OriginMeasured, Method: kind}
	recorder := sampler.NewRecorder(agent, func(sampler.Batch) {})
	recorder.Attach(heard)
	if err := backend.Run(ctx, recorder); err != nil {
		return err
	}
	return heard.write(os.Stdout)
}

// watchLog writes what a back end has to say where the bench shows it.
type watchLog struct{}

func (watchLog) Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, "I! "+format+"\n", args...) }
func (watchLog) Warnf(format string, args ...any) { fmt.Fprintf(os.Stderr, "W! "+format+"\n", args...) }
func (watchLog) Errorf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "E! "+format+"\n", args...)
}

// sliceTape keeps the slices of one cgroup. A polled slice is the growth between the readings of two
// neighbouring slots, as in the record; anything longer is missed.
type sliceTape struct {
	path     string
	watched  int
	offsetNs int64
	said     []slice
	last     reading
}

type reading struct{ slot, atNs, usageNs int64 }

func (t *sliceTape) Sample(shard int, slot, atNs, usageNs, _ int64) {
	if shard != t.watched || shard == 0 {
		return
	}
	previous := t.last
	t.last = reading{slot, atNs, usageNs}
	if slot == previous.slot+1 {
		t.said = append(t.said, slice{previous.atNs, atNs, usageNs - previous.usageNs})
	}
}

func (t *sliceTape) Slice(shard int, slot, elapsedNs, usedNs int64) {
	if shard != t.watched || shard == 0 {
		return
	}
	end := slot*sliceNs - t.offsetNs
	t.said = append(t.said, slice{end - elapsedNs, end, usedNs})
}

func (*sliceTape) Final(int, int64)                                    {}
func (*sliceTape) Stat(int, cgroupfs.CPUStat)                          {}
func (*sliceTape) AncestorStat(int, cgroupfs.CPUStat)                  {}
func (*sliceTape) Limits(int, usagewindow.Limits)                      {}
func (*sliceTape) Threads(int, *int64)                                 {}
func (*sliceTape) Runnable(int, int64, int64)                          {}
func (*sliceTape) ThrottledWall(int, int64)                            {}
func (*sliceTape) PeriodPhase(int, *int32)                             {}
func (*sliceTape) ExcursionThreads(int, []usagewindow.ExcursionThread) {}
func (*sliceTape) Hardware(int, usagewindow.Hardware)                  {}
func (*sliceTape) SlotsPerSample(int, int64)                           {}
func (*sliceTape) Lean(int, bool)                                      {}
func (*sliceTape) Skipped(int, bool)                                   {}
func (*sliceTape) RestartCounters(int)                                 {}
func (*sliceTape) Retire(int)                                          {}
func (*sliceTape) Cut(int64, int64)                                    {}
func (*sliceTape) Baseline(sampler.HostReading)                        {}
func (*sliceTape) Finish(int64, sampler.HostReading)                   {}

// Track notes which shard is the watched cgroup; the host's number is 0.
func (t *sliceTape) Track(shard int, found sampler.Found) {
	if found.Path == t.path {
		t.watched = shard
		fmt.Print(watching)
	}
}

func (t *sliceTape) write(to io.Writer) error {
	out := bufio.NewWriter(to)
	for _, s := range t.said {
		if _, err := fmt.Fprintf(out, "%d,%d,%d\n", s.StartNs, s.EndNs, s.UsedNs); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readSlices reads what write wrote.
func readSlices(from io.Reader) ([]slice, error) {
	var said []slice
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var s slice
		if _, err := fmt.Sscanf(lines.Text(), "%d,%d,%d", &s.StartNs, &s.EndNs, &s.UsedNs); err != nil {
			return nil, errors.Join(fmt.Errorf("%q", lines.Text()), err)
		}
		said = append(said, s)
	}
	return said, lines.Err()
}
