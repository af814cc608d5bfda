package agentrun

import (
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/plugins/inputs"
	"github.com/influxdata/telegraf/plugins/outputs"
)

// telegrafModule is the module whose agent and plugins this binary contains.
const telegrafModule = "github.com/influxdata/telegraf"

// Version is the release of the collector, with the Telegraf it was built from.
func Version(release string) string {
	built := "of unknown version"
	if build, known := debug.ReadBuildInfo(); known {
		for _, dep := range build.Deps {
			if dep.Path == telegrafModule {
				built = dep.Version
			}
		}
	}
	return fmt.Sprintf("Quotascope collector %s on Telegraf %s", release, built)
}

// PrintPlugins lists the plugins of this binary, one a line, as a configuration names them.
func PrintPlugins(to io.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(inputs.Inputs)) {
		if _, err := fmt.Fprintf(to, "inputs.%s\n", name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(outputs.Outputs)) {
		if _, err := fmt.Fprintf(to, "outputs.%s\n", name); err != nil {
			return err
		}
	}
	return nil
}

// agentSample begins a sample configuration. Windows are pushed when they end, so nothing but the
// flush interval delays them.
const agentSample = `[agent]
  interval = "10s"
  flush_interval = "1s"
  metric_batch_size = 1000
  metric_buffer_limit = 100000
  omit_hostname = true

`

// PrintSample prints a configuration in which the named plugins are on and all others commented out.
func PrintSample(to io.Writer, on ...string) error {
	var text strings.Builder
	text.WriteString(agentSample)
	section := func(name string, plugin telegraf.PluginDescriber) {
		for _, line := range strings.Split(strings.TrimSpace(plugin.SampleConfig()), "\n") {
			if !slices.Contains(on, name) {
				line = strings.TrimRight("# "+line, " ")
			}
			text.WriteString(line + "\n")
		}
		text.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(inputs.Inputs)) {
		section("inputs."+name, inputs.Inputs[name]())
	}
	for _, name := range slices.Sorted(maps.Keys(outputs.Outputs)) {
		section("outputs."+name, outputs.Outputs[name]())
	}
	_, err := io.WriteString(to, text.String())
	return err
}
