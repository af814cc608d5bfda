// Command soak runs the real collector for a long time while cgroups come and go and Kafka is away part of the time, and judges
// whether its memory, descriptors, goroutines and watches stay where they were. It needs root, and writes a report.
//
//	soak --telegraf build/soak/telegraf --native infra/native/run --minutes 30 --backends tick_poll --out build/soak
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// options are those of the command line.
type options struct {
	telegraf, native, out string
	minutes               float64
	backends              []string
	standing, perSecond   int
}

func main() {
	var o options
	backends := flag.String("backends", "tick_poll", "back ends to run in turn, with commas")
	flag.StringVar(&o.telegraf, "telegraf", "", "the collector's `program`")
	flag.StringVar(&o.native, "native", "infra/native/run", "`program` that starts and stops Kafka")
	flag.StringVar(&o.out, "out", "build/soak", "`folder` for the report, the log and the state of this run")
	flag.Float64Var(&o.minutes, "minutes", 30, "length of the whole run, shared by the back ends")
	flag.IntVar(&o.standing, "standing", 20, "cgroups that stay")
	flag.IntVar(&o.perSecond, "churn", 200, "cgroups created, and as many removed, each second")
	flag.Parse()
	o.backends = strings.Split(*backends, ",")
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.telegraf == "" || o.minutes <= 0 || o.standing < 1 || o.perSecond < 1 {
		return errors.New("--telegraf is needed; --minutes, --standing and --churn are above 0")
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	report, err := os.Create(filepath.Join(o.out, "report.md"))
	if err != nil {
		return err
	}
	defer report.Close()
	length := time.Duration(o.minutes * float64(time.Minute) / float64(len(o.backends)))
	fmt.Fprintf(report, "# Soak of the collector\n\n%s; %s each, %d standing cgroups, %d created and removed a second.\n",
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), length, o.standing, o.perSecond)
	var failed error
	for _, backend := range o.backends {
		course, err := soakOne(ctx, o, backend, length)
		if err != nil {
			return fmt.Errorf("%s: %w", backend, err)
		}
		verdict := judge(course)
		verdict.write(report, backend, course)
		verdict.write(os.Stdout, backend, course)
		if len(verdict.faults) > 0 {
			failed = errors.Join(failed, fmt.Errorf("%s: %s", backend, strings.Join(verdict.faults, "; ")))
		}
	}
	return failed
}
