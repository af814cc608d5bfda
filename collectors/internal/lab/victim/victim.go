// Package victim is what the overhead bench slows down, and what it compares with: programs in C whose
// own cost is known and small. The head of program/victim.c says what each does.
package victim

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/cprogram"
)

//go:embed program/victim.c
var source []byte

// Program is the compiled program.
type Program struct{ path string }

// Build compiles it into a folder.
func Build(folder string) (Program, error) {
	path, err := cprogram.Compile(source, folder, "victim")
	return Program{path}, err
}

// Resident is a started program that is ready, and stays until Stop.
type Resident struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

func (p Program) start(input string, args ...string) (*Resident, error) {
	r := &Resident{command: exec.Command(p.path, args...)}
	r.command.Stderr = os.Stderr
	var err error
	if r.stdin, err = r.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.stdout = bufio.NewReader(stdout)
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(r.stdin, input); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	if line, err := r.stdout.ReadString('\n'); err != nil || line != "ready\n" {
		return nil, errors.Join(fmt.Errorf("victim %v said %q: %w", args, line, err), r.Stop())
	}
	return r, nil
}

// Stop ends the program and everything that it started.
func (r *Resident) Stop() error {
	failed := r.stdin.Close()
	ended := time.AfterFunc(5*time.Second, func() { _ = r.command.Process.Kill() })
	defer ended.Stop()
	return errors.Join(failed, r.command.Wait())
}

// Pid is the process id of the program.
func (r *Resident) Pid() int { return r.command.Process.Pid }

// Racer is a program that does as many rounds as it can.
type Racer struct{ *Resident }

// Race lets it run and returns its rounds per second.
func (r *Racer) Race(duration time.Duration) (float64, error) {
	if _, err := fmt.Fprintln(r.stdin, duration.Milliseconds()); err != nil {
		return 0, err
	}
	line, err := r.stdout.ReadString('\n')
	if err != nil {
		return 0, err
	}
	var rounds, ns int64
	if _, err := fmt.Sscan(line, &rounds, &ns); err != nil {
		return 0, fmt.Errorf("victim answered %q: %w", line, err)
	}
	return float64(rounds) / float64(ns) * 1e9, nil
}

// Pingpong is two processes in two cgroups on one CPU. A round is two switches across cgroups.
func (p Program) Pingpong(cpu int, a, b *cgroup.Group) (*Racer, error) {
	r, err := p.start("", "pingpong", strconv.Itoa(cpu), strings.Join(a.ProcsFiles(), ","), strings.Join(b.ProcsFiles(), ","))
	return &Racer{r}, err
}

// Spin is one thread that only computes.
func (p Program) Spin(cpu int) (*Racer, error) {
	r, err := p.start("", "spin", strconv.Itoa(cpu))
	return &Racer{r}, err
}

// Sleepers is threads of one cgroup that wake once a period, evenly spread.
func (p Program) Sleepers(threads int, period time.Duration, group *cgroup.Group) (*Resident, error) {
	return p.start("", "sleepers", strconv.Itoa(threads), strconv.FormatInt(period.Microseconds(), 10), strings.Join(group.ProcsFiles(), ","))
}

// Crowd is one process in every cgroup, each of which wakes once a period.
func (p Program) Crowd(period time.Duration, groups []*cgroup.Group) (*Resident, error) {
	var list strings.Builder
	for _, group := range groups {
		list.WriteString(strings.Join(group.ProcsFiles(), ",") + "\n")
	}
	return p.start(list.String()+"\n", "crowd", strconv.FormatInt(period.Microseconds(), 10))
}

// Preads is the lower bound of polling: it reads the cumulative usage of every cgroup once an interval, and on v1
// cpu.stat once in statEvery intervals. On v2 both are one file. whole, unless empty, is the file that states the usage of
// all of them, as the root's does for the host.
func (p Program) Preads(every time.Duration, statEvery int, whole string, groups []*cgroup.Group) (*Resident, error) {
	var list strings.Builder
	if whole != "" {
		list.WriteString(whole + "\n")
	}
	for _, group := range groups {
		list.WriteString(strings.Join(usageFiles(group), " ") + "\n")
	}
	return p.start(list.String()+"\n", "preads", strconv.FormatInt(every.Milliseconds(), 10), strconv.Itoa(statEvery))
}

// WholeFile is the file that states the usage of everything in a folder of cgroups, of which one is given.
func WholeFile(group *cgroup.Group) string {
	file := usageFiles(group)[0]
	return filepath.Join(filepath.Dir(file), "..", "..", filepath.Base(file))
}

func usageFiles(group *cgroup.Group) []string {
	stat := filepath.Join(group.Dirs[0].Path, "cpu.stat")
	for _, dir := range group.Dirs {
		if slices.Contains(dir.Controllers, "cpuacct") {
			return []string{filepath.Join(dir.Path, "cpuacct.usage"), stat}
		}
	}
	return []string{stat}
}
