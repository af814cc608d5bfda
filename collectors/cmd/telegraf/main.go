// Command telegraf is a Telegraf agent with the plugins that Quotascope ships and a few of
// Telegraf's own, listed in plugins.go. telegraf --help says how to use it.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/agentrun"
)

// release is set by the build: -ldflags "-X main.release=1.2.3".
var release = "development"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "telegraf:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	options, command, err := agentrun.Parse(args)
	if err != nil {
		return err
	}
	switch words := strings.Join(command, " "); {
	case options.Help || words == "help":
		_, err = io.WriteString(out, agentrun.Usage())
		return err
	case options.Version || words == "version":
		_, err = fmt.Fprintln(out, agentrun.Version(release))
		return err
	case words == "":
		return options.Run()
	case words == "config check":
		if err := options.Check(); err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, "the configuration is sound")
		return err
	case words == "config create":
		return agentrun.PrintSample(out, "inputs.cgroup_cpu", "outputs.kafka_avro")
	case words == "plugins":
		return agentrun.PrintPlugins(out)
	default:
		return fmt.Errorf("unknown command %q; there are: config check, config create, plugins, version, help", words)
	}
}
