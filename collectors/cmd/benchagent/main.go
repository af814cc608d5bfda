// Command benchagent is the agent of the benches: our input beside Telegraf's own inputs.cgroup, and
// outputs that cost next to nothing. It is never shipped.
package main

import (
	"fmt"
	"os"

	_ "github.com/influxdata/telegraf/plugins/inputs/cgroup"
	_ "github.com/influxdata/telegraf/plugins/outputs/discard"
	_ "github.com/influxdata/telegraf/plugins/outputs/file"

	"github.com/quotascope/quotascope/collectors/internal/agentrun"
	_ "github.com/quotascope/quotascope/collectors/plugins/inputs/cgroup_cpu"
)

func main() {
	options, command, err := agentrun.Parse(os.Args[1:])
	if err == nil && len(command) > 0 {
		err = fmt.Errorf("%q: the bench agent only runs", command)
	}
	if err == nil {
		err = options.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchagent:", err)
		os.Exit(1)
	}
}
