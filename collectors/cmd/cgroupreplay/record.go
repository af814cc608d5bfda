package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/logger"
	"github.com/influxdata/telegraf/plugins/inputs"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/recording"
	"github.com/quotascope/quotascope/collectors/plugins/inputs/cgroup_cpu"
)

// patterns is a flag that may be given several times.
type patterns []string

func (p *patterns) String() string { return strings.Join(*p, ",") }

func (p *patterns) Set(pattern string) error {
	if _, err := path.Match(pattern, "/"); err != nil {
		return fmt.Errorf("%q: %w", pattern, err)
	}
	*p = append(*p, pattern)
	return nil
}

// chosen reports whether a path, or the path of a cgroup above it, matches one of the patterns.
func (p *patterns) chosen(cgroup string) bool {
	for ; cgroup != "" && cgroup != "/"; cgroup = strings.TrimSuffix(path.Dir(cgroup), "/") {
		for _, pattern := range *p {
			if matched, _ := path.Match(pattern, cgroup); matched {
				return true
			}
		}
	}
	return false
}

// record samples this host as the agent would, and writes down what becomes part of the windows.
func record(args []string) error {
	flags := flag.NewFlagSet("cgroupreplay record", flag.ExitOnError)
	configuration := flags.String("config", "", "configuration `file` whose inputs.cgroup_cpu says what to sample; outputs are not used")
	out := flags.String("out", "", "`file` to write; it must not exist")
	count := flags.Int("windows", 6, "windows of 10 s to record; the first one is partial")
	anonymous := flags.Bool("anonymous", false, "replace names by pseudonyms that cannot be turned back")
	var only patterns
	flags.Var(&only, "cgroup", "`pattern` of cgroup paths to record with all below them, * within one segment; may be repeated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *count < 1 || flags.NArg() > 0 {
		return errors.New("record needs --out, at least one window, and nothing but flags")
	}
	plugin, err := configured(*configuration)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(*out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	options := recording.Options{Windows: *count, Anonymous: *anonymous}
	if len(only) > 0 {
		options.Chosen = only.chosen
	}
	return errors.Join(recordTo(file, plugin, options), file.Close())
}

// configured returns the input of a configuration file, or one with nothing but defaults.
func configured(file string) (*cgroup_cpu.CgroupCPU, error) {
	if file == "" {
		plugin := inputs.Inputs["cgroup_cpu"]().(*cgroup_cpu.CgroupCPU)
		plugin.Log = logger.New("inputs", "cgroup_cpu", "")
		return plugin, nil
	}
	c := config.NewConfig()
	if err := c.LoadAll(file); err != nil {
		return nil, err
	}
	for _, input := range c.Inputs {
		if plugin, ours := input.Input.(*cgroup_cpu.CgroupCPU); ours {
			plugin.Log = logger.New("inputs", "cgroup_cpu", "")
			return plugin, nil
		}
	}
	return nil, fmt.Errorf("%s has no inputs.cgroup_cpu", file)
}

// recordTo runs the input until its windows are recorded or a signal asks for the end.
func recordTo(file io.Writer, plugin *cgroup_cpu.CgroupCPU, options recording.Options) error {
	var tape *recording.Tape
	plugin.Tape = func(agent sampler.Agent) sampler.Tape {
		options.Agent = agent
		tape = recording.NewTape(file, options)
		return tape
	}
	plugin.Exclusive = false // the agent of this host may go on beside it
	if err := plugin.Init(); err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := plugin.Start(nowhere{plugin.Log}); err != nil {
		return err
	}
	select {
	case <-tape.Done():
	case <-signals:
	}
	plugin.Stop()
	return tape.Close()
}

// nowhere is the accumulator of an input whose records nobody needs.
type nowhere struct{ log telegraf.Logger }

func (nowhere) AddFields(string, map[string]any, map[string]string, ...time.Time)    {}
func (nowhere) AddGauge(string, map[string]any, map[string]string, ...time.Time)     {}
func (nowhere) AddCounter(string, map[string]any, map[string]string, ...time.Time)   {}
func (nowhere) AddSummary(string, map[string]any, map[string]string, ...time.Time)   {}
func (nowhere) AddHistogram(string, map[string]any, map[string]string, ...time.Time) {}
func (nowhere) AddMetric(telegraf.Metric)                                            {}
func (nowhere) SetPrecision(time.Duration)                                           {}
func (n nowhere) AddError(err error)                                                 { n.log.Errorf("%v", err) }
func (nowhere) WithTracking(int) telegraf.TrackingAccumulator                        { return nil }
