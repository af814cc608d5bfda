package agentrun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/influxdata/telegraf/agent"
	"github.com/influxdata/telegraf/config"
)

// HostSharer is an input that refuses to run twice on a host, unless it is told that nothing it
// gathers is sent.
type HostSharer interface {
	ShareHost()
}

// Refuser is an input that may refuse to start. Telegraf's test and once mode only log that.
type Refuser interface {
	Refusal() error
}

// refusal is what an input refused to start for.
func refusal(c *config.Config) error {
	for _, input := range c.Inputs {
		if refuser, may := input.Input.(Refuser); may && refuser.Refusal() != nil {
			return fmt.Errorf("%s: %w", input.LogName(), refuser.Refusal())
		}
	}
	return nil
}

// load reads all configuration files named by the options.
func (o *Options) load() (*config.Config, error) {
	files, err := o.files()
	if err != nil {
		return nil, err
	}
	c := config.NewConfig()
	c.Agent.Quiet = o.Quiet
	c.InputFilters, c.OutputFilters = o.Inputs, o.Outputs
	if err := c.LoadAll(files...); err != nil {
		return nil, explain(err)
	}
	if c.Agent.SkipProcessorsAfterAggregators == nil {
		skip := true // the default from Telegraf v1.40 on, chosen so that it does not warn
		c.Agent.SkipProcessorsAfterAggregators = &skip
	}
	if len(c.Inputs) == 0 {
		return nil, fmt.Errorf("the configuration has no input: add [[inputs.cgroup_cpu]]%s", filtered(o.Inputs))
	}
	if len(c.Outputs) == 0 && !o.Test {
		return nil, fmt.Errorf("the configuration has no output: add [[outputs.kafka_avro]] or another%s", filtered(o.Outputs))
	}
	if o.Test {
		for _, input := range c.Inputs {
			if sharer, may := input.Input.(HostSharer); may {
				sharer.ShareHost()
			}
		}
	}
	if o.Adjust != nil {
		return c, o.Adjust(c)
	}
	return c, nil
}

func filtered(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(", or correct the filter %s", strings.Join(names, ":"))
}

// files lists what to load, and looks at each: the errors of the reader behind do not say what to do.
func (o *Options) files() ([]string, error) {
	files := slices.Clone(o.Configs)
	for _, folder := range o.Directories {
		if status, err := os.Stat(folder); err != nil {
			return nil, fmt.Errorf("--config-directory: %w", explain(err))
		} else if !status.IsDir() {
			return nil, fmt.Errorf("--config-directory: %s is a file; name it with --config", folder)
		}
		found, err := config.WalkDirectory(folder)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	switch {
	case len(files) == 0 && len(o.Directories) > 0:
		return nil, fmt.Errorf("--config-directory: no *.conf file in %s", strings.Join(o.Directories, ", "))
	case len(files) == 0:
		found, err := config.GetDefaultConfigPath()
		if err != nil {
			return nil, fmt.Errorf("%w; give one with --config, or begin with: telegraf config create > telegraf.conf", err)
		}
		files = found
	}
	for _, file := range files {
		if strings.Contains(file, "://") {
			continue // fetched by the reader
		}
		status, err := os.Stat(file)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--config: %w", explain(err))
		case status.IsDir():
			return nil, fmt.Errorf("--config: %s is a folder; name it with --config-directory", file)
		}
		opened, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("--config: %w", explain(err))
		}
		_ = opened.Close() // was only read
	}
	return files, nil
}

// explain adds the remedy to errors whose own text states only the fact.
func explain(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; check the path", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w for uid %d; let it read the file, for instance: chgrp %d FILE && chmod g+r FILE",
			err, os.Geteuid(), os.Getegid())
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; another process listens there (ss -ltnp names it): stop it or configure another port", err)
	case strings.Contains(text, "undefined but requested"):
		return fmt.Errorf("%w; this binary does not contain it. telegraf plugins lists what it contains,"+
			" and one line in cmd/telegraf/plugins.go adds one of Telegraf's", err)
	case strings.Contains(text, "configuration specified the fields") || strings.Contains(text, "not used"):
		return fmt.Errorf("%w; no plugin has such an option, telegraf config create prints all", err)
	}
	return err
}

// Check loads the configuration and initializes its plugins, which starts nothing.
func (o *Options) Check() error {
	c, err := o.load()
	if err != nil {
		return err
	}
	return agent.NewAgent(c).InitPlugins()
}
