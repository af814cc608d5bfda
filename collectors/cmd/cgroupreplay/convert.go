package main

import (
	"errors"
	"flag"
	"os"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/replay"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// convert turns a poll recording of one cgroup (deltas per reading) into a trace.
func convert(args []string) error {
	flags := flag.NewFlagSet("cgroupreplay convert", flag.ExitOnError)
	kernel := flags.String("kernel", "", "kernel release of the recording")
	version := flags.String("cgroup-version", string(cgroupfs.V1), "v1, v2 or hybrid")
	hz := flags.Int("hz", 0, "timer ticks per second of that kernel")
	cpus := flags.Int("cpus", 0, "CPUs of that host")
	path := flags.String("path", "", "cgroup path to give the shard")
	about := flags.String("about", "", "what was recorded, in words")
	quota := flags.Int64("quota-us", 0, "quota; 0 is unlimited")
	period := flags.Int64("period-us", 100_000, "period")
	burst := flags.Int64("burst-us", 0, "burst allowance")
	threads := flags.Int64("threads", 0, "threads of the cgroup; 0 is not known")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *path == "" {
		return errors.New("--path and one recording are needed")
	}
	file, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer file.Close()
	if *threads == 0 {
		threads = nil
	}
	readings, err := replay.ConvertPoll(file, threads)
	if err != nil {
		return err
	}
	trace := &replay.Trace{
		Kernel: *kernel, Version: cgroupfs.Version(*version), TickHz: int32(*hz), Cpus: *cpus, About: *about,
		Slots: int64(len(readings)) - 1,
		Cgroups: []replay.Cgroup{{Path: *path, Readings: readings, Limits: usagewindow.Limits{
			Limit: cfs.Bandwidth{QuotaUs: *quota, PeriodUs: *period}, Limited: *quota > 0,
			PeriodUs: period, BurstUs: burst,
		}}},
	}
	return trace.Write(os.Stdout)
}
