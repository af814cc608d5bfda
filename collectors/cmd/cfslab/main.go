// Command cfslab runs real services in real cgroups with real CPU quotas, and knows the truth
// about them. See `cfslab help`.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/quotascope/quotascope/collectors/internal/lab/bench"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
)

const usage = `cfslab runs named services in cgroups of its own, under real CPU quotas, and writes down the truth about them.

  cfslab run [--services a,b] [--duration 60s] [--scale 1] [--seed 1] [--truth FILE] [--linger 21s] [--root lab]
  cfslab set SERVICE [--quota-us N] [--period-us N] [--unlimited] [--threads N] [--load X] [--root lab]
  cfslab truth [--root lab]     the truth so far of the lab that runs, as JSON
  cfslab list                   what each service is and which lesson it teaches
  cfslab catalog                the services as service catalog entries, YAML
  cfslab clean [--root lab]     removes what dead runs left behind

run ends after --duration or on SIGINT/SIGTERM, waits --linger so that collectors see the last counters (a second
signal skips that), prints a table and removes its cgroups. SIGUSR1 writes the truth so far to the --truth file.
Its cgroups are quotascope/<root>/<service>/<shard> in each tree; it touches nothing outside of quotascope/<root>.`

// Exit codes: 1 is a failure during a run, 2 is a wrong command or a machine that cannot do it.
const (
	exitFailure = 1
	exitCannot  = 2
)

// wrongUsage marks errors that the caller can mend by another command line.
type wrongUsage struct{ error }

func init() {
	// Shards die with the thread that started them, so everything that starts one stays on the
	// main thread, which lives as long as the process.
	runtime.LockOSThread()
}

func main() {
	os.Exit(exitCode(dispatch(os.Args[1:])))
}

func dispatch(args []string) error {
	if len(args) == 0 {
		return wrongUsage{errors.New("no command; see cfslab help")}
	}
	switch command, rest := args[0], args[1:]; command {
	case "run":
		return run(rest)
	case "set":
		return set(rest)
	case "truth":
		return truth(rest)
	case "list":
		return list(rest)
	case "catalog":
		return catalog(rest)
	case "clean":
		return clean(rest)
	case "help", "-h", "--help":
		_, err := fmt.Println(usage)
		return err
	case bench.CommandEnter:
		return enter(rest)
	case bench.CommandShard:
		runtime.UnlockOSThread()
		return shard.Run(os.Stdin, os.Stdout)
	case bench.CommandJanitor:
		if len(rest) != 1 {
			return wrongUsage{errors.New("the janitor is started by cfslab run only")}
		}
		return bench.Janitor(rest[0], os.Stdin)
	default:
		return wrongUsage{fmt.Errorf("no command %q; see cfslab help", command)}
	}
}

// enter moves this process into a cgroup, where clone has not put it there already, and becomes
// a shard. The process image is replaced afterwards, so that all of the shard's own work, from
// its first instruction, is charged to the cgroup.
func enter(procsFiles []string) error {
	if err := cgroup.Enter(procsFiles); err != nil {
		return err
	}
	return syscall.Exec("/proc/self/exe", []string{"cfslab", bench.CommandShard}, os.Environ())
}

func exitCode(err error) int {
	var unavailable *cgroup.Unavailable
	var busy *cgroup.Busy
	var wrong wrongUsage
	switch {
	case err == nil:
		return 0
	case errors.As(err, &unavailable), errors.As(err, &busy), errors.As(err, &wrong):
		fmt.Fprintln(os.Stderr, "cfslab:", err)
		return exitCannot
	}
	fmt.Fprintln(os.Stderr, "cfslab:", err)
	return exitFailure
}
