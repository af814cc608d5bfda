// Package agentrun runs a Telegraf agent as users of Telegraf expect: configuration files and
// folders, test and once mode, a configuration check, reload on SIGHUP, an orderly stop on signals,
// and errors that name the thing and the remedy.
package agentrun

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/influxdata/telegraf/config"
)

// Options says what to run. The names of Telegraf's own flags are kept.
type Options struct {
	Configs     []string
	Directories []string
	// Test prints what the inputs gather instead of sending it; Once sends it once and ends.
	Test, Once bool
	// Wait is how long inputs may gather in test and once mode; nil leaves it to the inputs' kind.
	Wait         *time.Duration
	Debug, Quiet bool
	// Inputs and Outputs, where not empty, are the only plugins to run.
	Inputs, Outputs []string
	PidFile         string
	PprofAddress    string
	Version, Help   bool
	// Adjust changes a loaded configuration before it is used.
	Adjust func(*config.Config) error
}

// errUsage marks a command line that was not understood.
var errUsage = errors.New("see telegraf --help")

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// names is a flag that holds several names between colons, as Telegraf's filters do.
type names []string

func (n *names) String() string { return strings.Join(*n, ":") }

func (n *names) Set(value string) error {
	*n = strings.FieldsFunc(value, func(r rune) bool { return r == ':' })
	return nil
}

// seconds is a flag in whole seconds that knows whether it was given.
type seconds struct{ into **time.Duration }

func (s seconds) String() string { return "" }

func (s seconds) Set(value string) error {
	wait, err := time.ParseDuration(value + "s")
	if err != nil || wait < 0 {
		return errors.New("give whole seconds, such as 12")
	}
	*s.into = &wait
	return nil
}

// Parse reads a command line: options, then at most the words of a command, then more options. An
// error names the word that was not understood. A command with options of its own adds them by more.
func Parse(args []string, more ...func(*flag.FlagSet)) (o *Options, command []string, err error) {
	o = &Options{}
	flags := o.flags()
	for _, add := range more {
		add(flags)
	}
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, nil, fmt.Errorf("%w; %w", err, errUsage)
		}
		if args = flags.Args(); len(args) > 0 {
			command, args = append(command, args[0]), args[1:]
		}
	}
	switch {
	case o.Test && o.Once:
		err = errors.New("--test and --once exclude each other: --test uses no outputs, --once does")
	case o.Debug && o.Quiet:
		err = errors.New("--debug and --quiet exclude each other")
	case o.Wait != nil && !o.Test && !o.Once:
		err = errors.New("--test-wait needs --test or --once")
	}
	return o, command, err
}

func (o *Options) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("telegraf", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the error, once
	flags.Usage = func() {}
	flags.Var((*list)(&o.Configs), "config", "configuration `FILE` to load; may be repeated")
	flags.Var((*list)(&o.Directories), "config-directory", "`FOLDER` of further *.conf files; may be repeated")
	flags.BoolVar(&o.Test, "test", false, "print what the inputs gather and exit; outputs are not used")
	flags.BoolVar(&o.Once, "once", false, "gather once, send, and exit")
	flags.Var(seconds{&o.Wait}, "test-wait", "`SECONDS` for which inputs gather with --test or --once")
	flags.Var((*names)(&o.Inputs), "input-filter", "run only these inputs, `NAMES` with : between")
	flags.Var((*names)(&o.Outputs), "output-filter", "run only these outputs, `NAMES` with : between")
	flags.StringVar(&o.PidFile, "pidfile", "", "`FILE` to write the process id to")
	flags.StringVar(&o.PprofAddress, "pprof-addr", "", "serve Go's profiler at `HOST:PORT`; keep it on 127.0.0.1, it asks for no password")
	flags.BoolVar(&o.Debug, "debug", false, "log more")
	flags.BoolVar(&o.Quiet, "quiet", false, "log errors only")
	flags.BoolVar(&o.Version, "version", false, "print the version and exit")
	flags.BoolVar(&o.Help, "help", false, "print this text and exit")
	flags.BoolVar(&o.Help, "h", false, "")
	return flags
}

// Usage is what --help prints.
func Usage() string {
	var text strings.Builder
	text.WriteString(`Quotascope's Telegraf: samples the CPU usage of cgroups and sends it on.

telegraf --config FILE [OPTIONS]     run until SIGTERM; SIGHUP reloads the configuration
telegraf --config FILE --test        print what the inputs gather
telegraf config check --config FILE  say what is wrong with a configuration, start nothing
telegraf config create               print a configuration with every option
telegraf plugins                     list the plugins in this binary
telegraf version                     print the version

Without --config and --config-directory: $TELEGRAF_CONFIG_PATH, ~/.telegraf/telegraf.conf,
/etc/telegraf/telegraf.conf and /etc/telegraf/telegraf.d/*.conf are looked for.

Options:
`)
	(&Options{}).flags().VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return
		}
		argument, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(&text, "  --%-26s %s\n", strings.TrimSpace(f.Name+" "+argument), usage)
	})
	return text.String()
}
