// Package stamp is the truth that samplers are judged by: threads in a real cgroup that know, from
// the vDSO's clock alone, when they were on a CPU.
//
// The threads are a C program, compiled when it is needed, whose text is beside this file; its head
// says how it tells a switch from an interrupt and why it asks the kernel for nothing.
//
// What the stamps cannot see is the kernel's work between a thread's last stamp and the switch. It is
// measured once by two threads that take turns on one CPU (Calibrate) and added to every interval.
// Still unseen is what a thread is charged for after a sleep on a CPU that was idle: some 10 us a sleep
// on a virtual machine. So the truth of a load that sleeps is low by that much; see docs/journal.
package stamp

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cprogram"
)

//go:embed spinner/spinner.c
var source []byte

// gapWithoutSwitchUs is the gap that counts as stolen by the hypervisor although the thread was not
// switched out. Interrupts on busy virtual machines take up to some 200 us and are charged to the thread.
const gapWithoutSwitchUs = 500

// intervalsPerSecond bounds the intervals of one thread; a tick of 1000 Hz can cut no more.
const intervalsPerSecond = 3000

// Load is what the threads do until the end: spend CPU time, sleep, again. Both lengths are random
// between two bounds. IdleMax 0 never sleeps.
type Load struct {
	Threads int
	// Cpus pins thread i to CPU i modulo Cpus; 0 pins nobody.
	Cpus             int
	BusyMin, BusyMax time.Duration
	IdleMin, IdleMax time.Duration
	Seed             uint64
}

// Forever is a burst that outlasts every run.
const Forever = time.Hour

// Build compiles the spinner into a folder and returns its path.
func Build(folder string) (string, error) { return cprogram.Compile(source, folder, "spinner") }

// Spinner is a started program whose threads sleep until Run, and sleep again after it.
type Spinner struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	file    string
}

// Start starts the threads inside the cgroup of the given cgroup.procs files, which may be none. It
// returns when all of them sleep. Longest is the longest Run to come.
func Start(program string, load Load, longest time.Duration, procsFiles []string) (*Spinner, error) {
	file, err := os.CreateTemp("", "quotascope-stamps-*.csv")
	if err != nil {
		return nil, err
	}
	file.Close()
	micros := func(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }
	capacity := int64(longest.Seconds()*intervalsPerSecond) + intervalsPerSecond
	args := []string{strconv.Itoa(load.Threads), strconv.Itoa(load.Cpus), micros(load.BusyMin), micros(load.BusyMax),
		micros(load.IdleMin), micros(load.IdleMax), strconv.Itoa(gapWithoutSwitchUs), strconv.FormatInt(capacity, 10),
		strconv.FormatUint(load.Seed, 10), file.Name()}
	s := &Spinner{command: exec.Command(program, append(args, procsFiles...)...), file: file.Name()}
	s.command.Stderr = os.Stderr
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.stdout = bufio.NewReader(stdout)
	if err := s.command.Start(); err != nil {
		return nil, errors.Join(err, os.Remove(s.file))
	}
	if err := s.expect("ready"); err != nil {
		return nil, errors.Join(err, s.Kill())
	}
	return s, nil
}

// Begin lets the threads run between two instants of CLOCK_MONOTONIC; it does not wait.
func (s *Spinner) Begin(startNs, endNs int64) error {
	_, err := fmt.Fprintf(s.stdin, "go %d %d\n", startNs, endNs)
	return err
}

// Wait returns when all threads sleep for good: whoever reads the cgroup's counters now reads the
// whole of what they used.
func (s *Spinner) Wait() error { return s.expect("done") }

// Truth ends the program and returns what it stamped.
func (s *Spinner) Truth() (Truth, error) {
	defer os.Remove(s.file)
	if _, err := io.WriteString(s.stdin, "write\n"); err != nil {
		return Truth{}, errors.Join(err, s.Kill())
	}
	if err := s.command.Wait(); err != nil {
		return Truth{}, fmt.Errorf("spinner: %w", err)
	}
	file, err := os.Open(s.file)
	if err != nil {
		return Truth{}, err
	}
	defer file.Close()
	return parse(file)
}

// Kill ends the program at once. It is safe at any time after Start.
func (s *Spinner) Kill() error {
	failed := s.command.Process.Kill()
	if errors.Is(failed, os.ErrProcessDone) {
		failed = nil
	}
	_ = s.command.Wait() // says that it was killed, which is no news
	if err := os.Remove(s.file); err != nil && !errors.Is(err, os.ErrNotExist) {
		failed = errors.Join(failed, err)
	}
	return failed
}

func (s *Spinner) expect(word string) error {
	line, err := s.stdout.ReadString('\n')
	if err != nil || line != word+"\n" {
		return fmt.Errorf("spinner said %q, not %q: %w", line, word, err)
	}
	return nil
}
