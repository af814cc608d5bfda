// Command telegraf is a Telegraf agent with only the plugins that Quotascope ships.
//
//	telegraf --config telegraf.conf             run until stopped; SIGHUP reloads
//	telegraf --config telegraf.conf --test      print what the inputs gather
//	telegraf config check --config telegraf.conf
package main

import (
	"flag"
	"fmt"
	"os"

	_ "github.com/influxdata/telegraf/plugins/outputs/file"

	"github.com/quotascope/quotascope/collectors/internal/agentrun"
	_ "github.com/quotascope/quotascope/collectors/plugins/inputs/cgroup_cpu"
	_ "github.com/quotascope/quotascope/collectors/plugins/outputs/kafka_avro"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "telegraf:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("telegraf", flag.ExitOnError)
	options := agentrun.Flags(flags)
	check := len(args) >= 2 && args[0] == "config" && args[1] == "check"
	if check {
		args = args[2:]
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown command %q; only config check is one", flags.Arg(0))
	}
	if check {
		return options.Check()
	}
	return options.Run()
}
