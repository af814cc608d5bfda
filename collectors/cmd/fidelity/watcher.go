package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// watcher is a method at work beside the load, in a process of its own.
type watcher interface {
	// ready returns when it watches the cgroup.
	ready() error
	// stop ends it and returns what it said about the cgroup.
	stop() ([]slice, error)
}

// nobody has no right at all; so polling cannot have a real-time thread.
const nobody = 65532

// ours is a watcher that runs `fidelity watch`.
type ours struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	log     bytes.Buffer
}

// watching is the first line of a watcher that has found its cgroup.
const watching = "watching\n"

func startOurs(method, cgroupPath string) (*ours, error) {
	w := &ours{command: exec.Command("/proc/self/exe", "watch", "--method", method, "--cgroup", cgroupPath)}
	if method == methodNormal {
		w.command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	w.command.Stderr = &w.log
	var err error
	if w.stdin, err = w.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := w.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.stdout = bufio.NewReader(stdout)
	return w, w.command.Start()
}

func (w *ours) ready() error {
	if line, err := w.stdout.ReadString('\n'); err != nil || line != watching {
		return fmt.Errorf("it said %q: %w\n%s", line, err, w.log.String())
	}
	return nil
}

func (w *ours) stop() ([]slice, error) {
	closed := w.stdin.Close()
	said, err := readSlices(w.stdout)
	if err := errors.Join(closed, err, w.command.Wait()); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, w.log.String())
	}
	return said, nil
}

// stock is Telegraf's own input for cgroups, as its user would run it at 10 ms.
type stock struct {
	command *exec.Cmd
	folder  string
	log     bytes.Buffer
	field   string
}

// stockConfig gives the stock plugin its best: time stamps are not rounded to its interval.
const stockConfig = `[agent]
  interval = "10ms"
  precision = "1us"
  round_interval = true
  flush_interval = "1s"
  metric_batch_size = 1000
  metric_buffer_limit = 100000
  omit_hostname = true
  quiet = true
[[inputs.cgroup]]
  paths = [%q]
  files = [%q]
[[outputs.file]]
  files = [%q]
  data_format = "influx"
`

func startStock(program, dir, usageFile string) (*stock, error) {
	folder, err := os.MkdirTemp("", "quotascope-stock")
	if err != nil {
		return nil, err
	}
	w := &stock{folder: folder, field: usageFile}
	config := fmt.Sprintf(stockConfig, dir, usageFile, w.file())
	if err := os.WriteFile(filepath.Join(folder, "telegraf.conf"), []byte(config), 0o644); err != nil {
		return nil, err
	}
	w.command = exec.Command(program, "--config", filepath.Join(folder, "telegraf.conf"))
	w.command.Stdout, w.command.Stderr = &w.log, &w.log
	return w, w.command.Start()
}

// ready returns when the first lines are written, which takes a flush.
func (w *stock) ready() error {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if status, err := os.Stat(w.file()); err == nil && status.Size() > 0 {
			return nil
		}
	}
	return fmt.Errorf("nothing was written within 20 s\n%s", w.log.String())
}

func (w *stock) file() string { return filepath.Join(w.folder, "metrics") }

func (w *stock) stop() ([]slice, error) {
	defer os.RemoveAll(w.folder)
	time.Sleep(1500 * time.Millisecond) // its flush interval
	if err := w.command.Process.Signal(syscall.SIGTERM); err != nil {
		return nil, err
	}
	if err := w.command.Wait(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, w.log.String())
	}
	text, err := os.ReadFile(w.file())
	if err != nil {
		return nil, err
	}
	return stockSlices(string(text), w.field, monotonicOffsetNs())
}

// stockSlices makes slices of a user's derivative over lines such as
//
//	cgroup,path=/sys/fs/cgroup/cpuacct/a cpuacct.usage=123456i 1795304864850001000
func stockSlices(text, field string, offsetNs int64) ([]slice, error) {
	var said []slice
	var lastNs, lastUsage int64
	scale := int64(1)
	if field == "cpu.stat" { // v2 counts microseconds
		field, scale = "cpu.stat.usage_usec", 1000
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("inputs.cgroup wrote %q", line)
		}
		usage, found := fieldOf(words[1], field)
		if !found {
			return nil, fmt.Errorf("inputs.cgroup wrote no %s: %q", field, line)
		}
		atNs, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return nil, err
		}
		if lastNs != 0 && atNs > lastNs {
			said = append(said, slice{lastNs - offsetNs, atNs - offsetNs, (usage - lastUsage) * scale})
		}
		lastNs, lastUsage = atNs, usage
	}
	return said, nil
}

func fieldOf(fields, name string) (int64, bool) {
	for _, pair := range strings.Split(fields, ",") {
		if text, found := strings.CutPrefix(pair, name+"="); found {
			value, err := strconv.ParseInt(strings.TrimSuffix(text, "i"), 10, 64)
			return value, err == nil
		}
	}
	return 0, false
}
