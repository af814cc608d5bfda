// Command kernelrun runs written-down services in real cgroups and writes what the kernel made of
// them, for the simulator and the estimators to be held against: see streaming/validate.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/quotascope/quotascope/collectors/internal/lab/kernelrun"
)

type options struct {
	out, part, root, only string
	seed                  uint64
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
	flag.StringVar(&o.only, "only", "", "run only services whose name begins so")
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
	part, err := partOf(o)
	if err != nil {
		return err
	}
	return part.run(&session{runner: runner, out: file, spareUs: part.plannedUs / 10})
}
