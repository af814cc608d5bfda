package agentrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/agent"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/logger"
)

// serviceWait is how long test and once mode last without --test-wait where an input samples by
// itself: such an input has gathered nothing yet when it is asked.
const serviceWait = 3 * time.Second

// Run runs the agent until SIGINT or SIGTERM, and again with a fresh configuration after SIGHUP.
func (o *Options) Run() error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if o.PidFile != "" {
		if err := os.WriteFile(o.PidFile, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
			return fmt.Errorf("--pidfile: %w", explain(err))
		}
		defer os.Remove(o.PidFile)
	}
	if o.PprofAddress != "" {
		if err := servePprof(o.PprofAddress); err != nil {
			return err
		}
	}
	saveMemory()
	for {
		reload, err := o.runLoaded(signals)
		if !reload || err != nil {
			return err
		}
	}
}

// runLoaded runs one loaded configuration to its end, which a reload is too.
func (o *Options) runLoaded(signals <-chan os.Signal) (reload bool, err error) {
	c, err := o.load()
	if err != nil {
		return false, err
	}
	if err := o.setUpLogging(c.Agent); err != nil {
		return false, fmt.Errorf("logfile: %w", explain(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- o.runAgent(ctx, c) }()
	for {
		select {
		case err := <-ended:
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			if err != nil {
				err = explain(err)
			}
			return reload, err
		case received := <-signals:
			if received != syscall.SIGHUP {
				reload = false
				cancel()
				continue
			}
			if err := o.Check(); err != nil {
				log.Printf("E! [telegraf] SIGHUP: the new configuration is refused, the old one stays in force: %v", err)
				continue
			}
			log.Printf("I! [telegraf] SIGHUP: reloading the configuration")
			reload = true
			cancel()
		}
	}
}

func (o *Options) setUpLogging(settings *config.AgentConfig) error {
	return logger.SetupLogging(&logger.Config{
		Debug: settings.Debug || o.Debug, Quiet: settings.Quiet || o.Quiet, LogTarget: settings.LogTarget,
		LogFormat: settings.LogFormat, Logfile: settings.Logfile, LogWithTimezone: settings.LogWithTimezone,
		StructuredLogMessageKey: settings.StructuredLogMessageKey,
		RotationInterval:        time.Duration(settings.LogfileRotationInterval),
		RotationMaxSize:         int64(settings.LogfileRotationMaxSize),
		RotationMaxArchives:     settings.LogfileRotationMaxArchives,
	})
}

func (o *Options) runAgent(ctx context.Context, c *config.Config) error {
	a := agent.NewAgent(c)
	switch {
	case o.Once:
		return cmp.Or(a.Once(ctx, o.wait(c)), refusal(c))
	case o.Test:
		return cmp.Or(a.Test(ctx, o.wait(c)), refusal(c))
	}
	return a.Run(ctx)
}

func (o *Options) wait(c *config.Config) time.Duration {
	if o.Wait != nil {
		return *o.Wait
	}
	for _, input := range c.Inputs {
		if _, samples := input.Input.(telegraf.ServiceInput); samples {
			log.Printf("I! [telegraf] gathering for %s; --test-wait SECONDS changes it", serviceWait)
			return serviceWait
		}
	}
	return 0
}
