// Command kernelrun runs written-down services in real cgroups and writes what the kernel made of
// them, as input for the simulator's comparison: kernelrun --out FILE [--repeats 1] [--seed 1] [--only a,b].
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/lab/kernelrun"
)

func main() {
	out := flag.String("out", "", "file for the recordings, as text (see internal/lab/kernelrun)")
	repeats := flag.Int("repeats", 1, "how often every service runs")
	seed := flag.Uint64("seed", 1, "seed of arrivals and work")
	only := flag.String("only", "", "names of services, separated by commas; empty means all")
	root := flag.String("root", "kernelrun", "folder below quotascope in the cgroup trees")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "kernelrun: --out FILE is needed, and nothing beside options")
		os.Exit(2)
	}
	if err := record(*out, *repeats, *seed, *only, *root); err != nil {
		fmt.Fprintln(os.Stderr, "kernelrun:", err)
		os.Exit(1)
	}
}

func record(out string, repeats int, seed uint64, only, root string) (err error) {
	build, err := os.MkdirTemp("", "kernelrun")
	if err != nil {
		return err
	}
	defer os.RemoveAll(build)
	runner, err := kernelrun.NewRunner(build, root)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := runner.Close(); err == nil {
			err = closeErr
		}
	}()
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	for repeat := range repeats {
		for _, plan := range kernelrun.Services(seed) {
			if only != "" && !slices.Contains(strings.Split(only, ","), plan.Name) {
				continue
			}
			recording, err := runner.Run(plan)
			if err != nil {
				return fmt.Errorf("%s: %w", plan.Name, err)
			}
			fmt.Fprintf(os.Stderr, "%d %-28s throttled %3d of %3d periods, load average %.1f\n", repeat+1, plan.Name,
				recording.ThrottledPeriods, recording.Periods, recording.LoadAverage)
			if _, err := recording.WriteTo(file); err != nil {
				return err
			}
		}
	}
	return nil
}
