package cgroup_cpu

import (
	"fmt"
	"path/filepath"

	"github.com/quotascope/quotascope/collectors/internal/sampler/recording"
	"github.com/quotascope/quotascope/collectors/internal/sampler/replay"
)

// useTrace makes the back end that replays the files of the folder: one recording, or any number of traces.
func (c *CgroupCPU) useTrace() error {
	names, err := filepath.Glob(filepath.Join(c.Trace, "*.csv"))
	if err != nil {
		return err
	}
	for _, name := range names {
		is, err := recording.IsRecording(name)
		if err != nil {
			return err
		}
		if is && len(names) > 1 {
			return fmt.Errorf("%s is a recording of a whole host, and must be the only .csv file of its folder", name)
		}
		if is {
			c.backend, err = recording.NewLive(recording.LiveOptions{File: name, Loop: c.TraceLoop, Log: c.Log})
			return err
		}
	}
	traces, err := replay.Load(c.Trace)
	if err != nil {
		return err
	}
	c.backend = replay.New(replay.Options{Traces: traces, Loop: c.TraceLoop, Rules: c.rules, Log: c.Log})
	return nil
}
