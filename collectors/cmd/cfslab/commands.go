package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/bench"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// lingerDefault is two collector windows of 10 s and one second to spare.
const lingerDefault = 21 * time.Second

// flags parses options that may stand before or after at most wantArgs arguments.
func flags(set *flag.FlagSet, args []string, wantArgs int) ([]string, error) {
	set.SetOutput(os.Stderr)
	set.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	var plain []string
	for {
		if err := set.Parse(args); err != nil {
			return nil, wrongUsage{err}
		}
		if set.NArg() == 0 {
			break
		}
		plain, args = append(plain, set.Arg(0)), set.Args()[1:]
	}
	if len(plain) != wantArgs {
		return nil, wrongUsage{fmt.Errorf("%s: want %d arguments, got %q; see cfslab help", set.Name(), wantArgs, plain)}
	}
	return plain, nil
}

func rootFlag(set *flag.FlagSet) *string {
	return set.String("root", "lab", "folder below quotascope in the cgroup trees")
}

func run(args []string) error {
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	options := bench.Options{Log: os.Stderr, Table: os.Stdout}
	root := rootFlag(set)
	services := set.String("services", "", "services to run, separated by commas; empty means all")
	set.Uint64Var(&options.Seed, "seed", 1, "seed of arrivals and work")
	set.DurationVar(&options.Duration, "duration", 0, "how long to offer load; 0 means until stopped")
	set.Float64Var(&options.Scale, "scale", 1, "multiple of every service's load")
	set.StringVar(&options.TruthPath, "truth", "", "file for the truth, as JSON")
	set.DurationVar(&options.Linger, "linger", lingerDefault, "how long the empty cgroups stay")
	if _, err := flags(set, args, 0); err != nil {
		return err
	}
	options.FolderName = *root
	selected, err := workload.Select(*services)
	if err != nil {
		return wrongUsage{err}
	}
	options.Services = selected
	if err := options.Check(); err != nil {
		return wrongUsage{err}
	}
	return bench.Run(options)
}

// set changes a running lab. An option that is not given leaves what it stands for as it is.
func set(args []string) error {
	set := flag.NewFlagSet("set", flag.ContinueOnError)
	root := rootFlag(set)
	quotaUs := set.Int64("quota-us", 0, "CPU time allowed per period")
	periodUs := set.Int64("period-us", 0, "enforcement period")
	threads := set.Int("threads", 0, "threads of the pool")
	load := set.Float64("load", 0, "multiple of the service's load")
	var change bench.Change
	set.BoolVar(&change.Unlimited, "unlimited", false, "lift the quota")
	plain, err := flags(set, args, 1)
	if err != nil {
		return err
	}
	change.Service = plain[0]
	set.Visit(func(given *flag.Flag) {
		switch given.Name {
		case "quota-us":
			change.QuotaUs = quotaUs
		case "period-us":
			change.PeriodUs = periodUs
		case "threads":
			change.Threads = threads
		case "load":
			change.LoadMultiple = load
		}
	})
	if err := change.Check(); err != nil {
		return wrongUsage{err}
	}
	_, err = ask(*root, bench.Request{Set: &change})
	return err
}

func truth(args []string) error {
	set := flag.NewFlagSet("truth", flag.ContinueOnError)
	root := rootFlag(set)
	if _, err := flags(set, args, 0); err != nil {
		return err
	}
	reply, err := ask(*root, bench.Request{Truth: true})
	if err != nil {
		return err
	}
	if reply.Truth == nil {
		return errors.New("the lab answered without the truth")
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(reply.Truth)
}

func ask(root string, request bench.Request) (bench.Reply, error) {
	folder, err := cgroup.Find(root)
	if err != nil {
		return bench.Reply{}, wrongUsage{err}
	}
	return bench.Ask(folder.Path, request)
}

func list(args []string) error {
	if _, err := flags(flag.NewFlagSet("list", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	for _, service := range workload.All() {
		quota := "unlimited"
		if service.Limit != nil {
			quota = fmt.Sprintf("%.2f cores", float64(service.Limit.Millicores())/1000)
		}
		fmt.Printf("%s  (shards %d, quota %s, threads %d, offered %.2f cores in all)\n    %s\n", service.Name,
			len(service.ShardLoads), quota, service.Threads(), service.OfferedCores(),
			strings.ReplaceAll(service.Lesson, "\n", " "))
	}
	return nil
}

func catalog(args []string) error {
	if _, err := flags(flag.NewFlagSet("catalog", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	return workload.WriteCatalog(os.Stdout, workload.All())
}

func clean(args []string) error {
	set := flag.NewFlagSet("clean", flag.ContinueOnError)
	root := rootFlag(set)
	if _, err := flags(set, args, 0); err != nil {
		return err
	}
	return bench.Clean(*root, os.Stderr)
}
