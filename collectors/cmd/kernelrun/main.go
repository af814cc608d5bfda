// Command kernelrun runs written-down services in real cgroups and writes what the kernel made of
// them, for the simulator and the estimators to be held against: see streaming/validate.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/quotascope/quotascope/collectors/internal/lab/kernelrun"
)

type options struct {
	out, part, root string
	repeats         int
	seed            uint64
}

func init() {
	// A server dies with the thread that started it, so everything that starts one stays on the
	// main thread, which lives as long as the process.
	runtime.LockOSThread()
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "", "file for the recordings, as text (see internal/lab/kernelrun)")
	flag.StringVar(&o.part, "part", "simulator", "simulator: services to simulate; changes: services before and after "+
		"changes; collapse: services at rising load")
	flag.IntVar(&o.repeats, "repeats", 1, "how often every service of part simulator runs")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of arrivals and work")
	flag.StringVar(&o.root, "root", "kernelrun", "folder below quotascope in the cgroup trees")
	flag.Parse()
	if o.out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "kernelrun: --out FILE is needed, and nothing beside options")
		os.Exit(2)
	}
	if err := record(o); err != nil {
		fmt.Fprintln(os.Stderr, "kernelrun:", err)
		os.Exit(1)
	}
}

func record(o options) (err error) {
	build, err := os.MkdirTemp("", "kernelrun")
	if err != nil {
		return err
	}
	defer os.RemoveAll(build)
	runner, err := kernelrun.NewRunner(build, o.root)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := runner.Close(); err == nil {
			err = closeErr
		}
	}()
	file, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer file.Close()
	switch o.part {
	case "simulator":
		return simulator(runner, file, o)
	case "changes":
		return changes(runner, file, o)
	case "collapse":
		return collapse(runner, file, o)
	}
	return fmt.Errorf("--part %s: there are simulator, changes and collapse", o.part)
}

func simulator(runner *kernelrun.Runner, out io.Writer, o options) error {
	for range o.repeats {
		for _, plan := range kernelrun.Services(o.seed) {
			if _, err := one(runner, out, plan, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func changes(runner *kernelrun.Runner, out io.Writer, o options) error {
	for _, service := range kernelrun.Changes(o.seed) {
		if _, err := one(runner, out, service.Observed, true); err != nil {
			return err
		}
		for _, plan := range service.Changed {
			if _, err := one(runner, out, plan, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// collapse raises the load of each service until it collapses.
func collapse(runner *kernelrun.Runner, out io.Writer, o options) error {
	for _, steps := range kernelrun.Steps(o.seed) {
		for _, plan := range steps {
			recording, err := one(runner, out, plan, true)
			if err != nil {
				return err
			}
			if recording.Collapsed() {
				break
			}
		}
	}
	return nil
}

func one(runner *kernelrun.Runner, out io.Writer, plan kernelrun.Plan, sampled bool) (kernelrun.Recording, error) {
	recording, err := runner.Run(plan, sampled)
	if err != nil {
		return recording, fmt.Errorf("%s: %w", plan.Name, err)
	}
	fmt.Fprintf(os.Stderr, "%-24s throttled %3d of %3d periods, load average %.1f\n", plan.Name,
		recording.ThrottledPeriods, recording.Periods, recording.LoadAverage)
	_, err = recording.WriteTo(out)
	return recording, err
}
