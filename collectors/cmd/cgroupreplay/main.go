// Command cgroupreplay records live cgroups, and sends recorded ones through the same code as live ones, for which no kernel
// interface and no right is needed.
//
//	cgroupreplay --trace DIR --loop --config telegraf.conf    re-stamped to now, origin = replayed
//	cgroupreplay record --windows 6 --out host.csv --config telegraf.conf
//	cgroupreplay windows host.csv                             the very records that were made of it
//	cgroupreplay convert --kernel 6.18 --path /lab/service/shard recording.csv > trace.csv
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/influxdata/telegraf/config"
	_ "github.com/influxdata/telegraf/plugins/outputs/file"

	"github.com/quotascope/quotascope/collectors/internal/agentrun"
	"github.com/quotascope/quotascope/collectors/plugins/inputs/cgroup_cpu"
	_ "github.com/quotascope/quotascope/collectors/plugins/outputs/kafka_avro"
)

func main() {
	run := play
	args := os.Args[1:]
	commands := map[string]func([]string) error{"convert": convert, "record": record, "windows": windows}
	if len(args) > 0 && commands[args[0]] != nil {
		run, args = commands[args[0]], args[1:]
	}
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, "cgroupreplay:", err)
		os.Exit(1)
	}
}

func play(args []string) error {
	var trace string
	var loop bool
	options, words, err := agentrun.Parse(args, func(flags *flag.FlagSet) {
		flags.StringVar(&trace, "trace", "", "`folder` of recorded traces, *.csv")
		flags.BoolVar(&loop, "loop", false, "begin each trace again at its end")
	})
	if err != nil {
		return err
	}
	if trace == "" || len(words) > 0 {
		return errors.New("--trace is needed, and nothing but flags is understood")
	}
	options.Adjust = func(c *config.Config) error {
		for _, input := range c.Inputs {
			if plugin, ours := input.Input.(*cgroup_cpu.CgroupCPU); ours {
				plugin.Trace, plugin.TraceLoop = trace, loop
				return nil
			}
		}
		return errors.New("the configuration has no inputs.cgroup_cpu, whose rules name the traces")
	}
	return options.Run()
}
