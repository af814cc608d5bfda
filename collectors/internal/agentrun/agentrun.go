// Package agentrun runs a Telegraf agent as users of Telegraf expect: configuration files and
// folders, test and once mode, a configuration check, reload on SIGHUP, an orderly stop on signals.
package agentrun

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/influxdata/telegraf/agent"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/logger"
)

// Options says what to run.
type Options struct {
	Configs     []string
	Directories []string
	// Test prints what the inputs gather instead of sending it; Once sends it once and ends.
	Test, Once bool
	// Wait is how long inputs may gather in test and once mode.
	Wait         time.Duration
	Debug, Quiet bool
	// Adjust changes a loaded configuration before it is used.
	Adjust func(*config.Config) error
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// Flags adds Telegraf's own flags to a set and returns where their values will be.
func Flags(flags *flag.FlagSet) *Options {
	o := &Options{}
	flags.Var((*list)(&o.Configs), "config", "configuration `file` to load; may be repeated")
	flags.Var((*list)(&o.Directories), "config-directory", "`folder` of further *.conf files; may be repeated")
	flags.BoolVar(&o.Test, "test", false, "print what the inputs gather and exit; outputs are not used")
	flags.BoolVar(&o.Once, "once", false, "gather once, send, and exit")
	flags.Func("test-wait", "`seconds` for which inputs gather with --test or --once", func(text string) error {
		seconds, err := strconv.Atoi(text)
		o.Wait = time.Duration(seconds) * time.Second
		return err
	})
	flags.BoolVar(&o.Debug, "debug", false, "log more")
	flags.BoolVar(&o.Quiet, "quiet", false, "log errors only")
	flags.BoolFunc("version", "print the version and exit", func(string) error {
		fmt.Println("Quotascope collector on Telegraf v1.37.2")
		os.Exit(0)
		return nil
	})
	return o
}

// load reads all configuration files named by the options.
func (o *Options) load() (*config.Config, error) {
	files := append([]string{}, o.Configs...)
	for _, folder := range o.Directories {
		found, err := config.WalkDirectory(folder)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		found, err := config.GetDefaultConfigPath()
		if err != nil {
			return nil, fmt.Errorf("no --config given and no default one found: %w", err)
		}
		files = found
	}
	c := config.NewConfig()
	c.Agent.Quiet = o.Quiet
	if err := c.LoadAll(files...); err != nil {
		return nil, err
	}
	if c.Agent.SkipProcessorsAfterAggregators == nil {
		skip := true // the default from Telegraf v1.40 on, chosen so that it does not warn
		c.Agent.SkipProcessorsAfterAggregators = &skip
	}
	if len(c.Inputs) == 0 {
		return nil, errors.New("the configuration has no input")
	}
	if len(c.Outputs) == 0 && !o.Test {
		return nil, errors.New("the configuration has no output")
	}
	if o.Adjust == nil {
		return c, nil
	}
	return c, o.Adjust(c)
}

// Check loads the configuration and initializes its plugins, which starts nothing.
func (o *Options) Check() error {
	c, err := o.load()
	if err != nil {
		return err
	}
	return agent.NewAgent(c).InitPlugins()
}

// Run runs the agent until SIGINT or SIGTERM, and again with a fresh configuration after SIGHUP.
func (o *Options) Run() error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	for {
		reload, err := o.runOnce(signals)
		if !reload || err != nil {
			return err
		}
	}
}

func (o *Options) runOnce(signals <-chan os.Signal) (reload bool, err error) {
	c, err := o.load()
	if err != nil {
		return false, err
	}
	err = logger.SetupLogging(&logger.Config{
		Debug: c.Agent.Debug || o.Debug, Quiet: c.Agent.Quiet || o.Quiet, LogTarget: c.Agent.LogTarget,
		LogFormat: c.Agent.LogFormat, Logfile: c.Agent.Logfile, LogWithTimezone: c.Agent.LogWithTimezone,
		StructuredLogMessageKey: c.Agent.StructuredLogMessageKey,
		RotationInterval:        time.Duration(c.Agent.LogfileRotationInterval),
		RotationMaxSize:         int64(c.Agent.LogfileRotationMaxSize),
		RotationMaxArchives:     c.Agent.LogfileRotationMaxArchives,
	})
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended, asked := make(chan error, 1), false
	go func() { ended <- o.runAgent(ctx, agent.NewAgent(c)) }()
	for {
		select {
		case err := <-ended:
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			return asked, err
		case received := <-signals:
			asked = received == syscall.SIGHUP
			cancel()
		}
	}
}

func (o *Options) runAgent(ctx context.Context, a *agent.Agent) error {
	switch {
	case o.Once:
		return a.Once(ctx, o.Wait)
	case o.Test:
		return a.Test(ctx, o.Wait)
	}
	return a.Run(ctx)
}
