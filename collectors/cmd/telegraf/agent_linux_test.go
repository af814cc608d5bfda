package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// builtOnce is the binary that a user installs, which these tests run.
var builtOnce = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "quotascope-telegraf")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "telegraf")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X main.release=test", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, os.Chmod(folder, 0o755) // other users run it too
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binary, err := builtOnce(); err == nil {
		_ = os.RemoveAll(filepath.Dir(binary)) // a leftover in the temporary folder harms nobody
	}
	os.Exit(code)
}

func builtBinary(t *testing.T) string {
	if testing.Short() {
		t.Skip("builds and runs the binary")
	}
	binary, err := builtOnce()
	require.NoError(t, err)
	return binary
}

// place is a folder with a cgroup tree of its own, so that no test meets another agent of this machine.
type place struct {
	t                       *testing.T
	folder, config, records string
}

func newPlace(t *testing.T) *place {
	folder := t.TempDir()
	p := &place{t: t, folder: folder, config: folder + "/telegraf.conf", records: folder + "/records"}
	p.write("proc/self/mountinfo", "30 24 0:26 / "+folder+"/tree rw - cgroup2 cgroup rw\n")
	p.write("proc/stat", "cpu 1 0 1 1 0 0 0 0 0 0\ncpu0 1 0 1 1 0 0 0 0 0 0\nctxt 1\nbtime 1\n")
	p.write("tree/cgroup.controllers", "cpu pids\n")
	p.write("tree/cpu.stat", "usage_usec 1000\n")
	require.NoError(t, os.Symlink("/proc/locks", folder+"/proc/locks"))
	p.cgroup("a1")
	p.configure("")
	return p
}

func (p *place) write(name, text string) {
	name = filepath.Join(p.folder, name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(p.t, os.WriteFile(name, []byte(text), 0o644))
}

func (p *place) cgroup(name string) {
	p.write("tree/lab/web/"+name+"/cpu.stat", "usage_usec 5\nnr_periods 1\nnr_throttled 0\nthrottled_usec 0\n")
	p.write("tree/lab/web/"+name+"/cpu.max", "50000 100000\n")
	p.write("tree/lab/web/"+name+"/pids.current", "3\n")
}

// letAllIn lets every user enter the folder.
func (p *place) letAllIn() {
	for folder := p.folder; folder != filepath.Clean(os.TempDir()); folder = filepath.Dir(folder) {
		require.NoError(p.t, os.Chmod(folder, 0o755))
	}
}

// configure writes a configuration with more options of the input.
func (p *place) configure(options string) {
	p.write("telegraf.conf", fmt.Sprintf(`
[agent]
  flush_interval = "100ms"
  omit_hostname = true
[[inputs.cgroup_cpu]]
  host_id = "host-1"
  backend = "tick_poll"
  proc_root = "%[1]s/proc"
  cgroup_root = "%[1]s/tree"
  %[2]s
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/lab/{service}/{shard}"
    runtime = "lab"
[[outputs.file]]
  files = ["%[3]s"]
`, p.folder, options, p.records))
}

// agent is a running binary.
type agent struct {
	t       *testing.T
	process *exec.Cmd
	mu      sync.Mutex
	log     bytes.Buffer
	ended   chan error
}

func (a *agent) Write(text []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.Write(text)
}

func (a *agent) said() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.String()
}

func start(t *testing.T, attributes *syscall.SysProcAttr, args ...string) *agent {
	a := &agent{t: t, process: exec.Command(builtBinary(t), args...), ended: make(chan error, 1)}
	a.process.Stdout, a.process.Stderr, a.process.SysProcAttr = a, a, attributes
	require.NoError(t, a.process.Start())
	go func() { a.ended <- a.process.Wait() }()
	t.Cleanup(func() {
		_ = a.process.Process.Kill() // it may have ended long ago
	})
	return a
}

func (a *agent) signal(signal os.Signal) { require.NoError(a.t, a.process.Process.Signal(signal)) }

// waitFor waits until the log contains a text so many times.
func (a *agent) waitFor(text string, times int) {
	a.t.Helper()
	require.Eventually(a.t, func() bool { return strings.Count(a.said(), text) >= times }, 20*time.Second, 20*time.Millisecond,
		"%q is not in the log", text)
}

// end waits for the end and returns the exit code.
func (a *agent) end() int {
	a.t.Helper()
	select {
	case <-a.ended:
	case <-time.After(40 * time.Second):
		require.Fail(a.t, "the agent does not end", a.said())
	}
	return a.process.ProcessState.ExitCode()
}

// record is one line of outputs.file.
type record struct {
	name, tags string
	fields     map[string]string
}

func (r record) number(t *testing.T, field string) int64 {
	value, err := strconv.ParseInt(strings.TrimSuffix(r.fields[field], "i"), 10, 64)
	require.NoError(t, err, "%s of %v", field, r)
	return value
}

var pair = regexp.MustCompile(`([a-z_]+)=("(?:[^"\\]|\\.)*"|[^,]*)`)

func (p *place) read(name string) (records []record) {
	text, err := os.ReadFile(p.records)
	require.NoError(p.t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		heading, rest, _ := strings.Cut(line, " ")
		measurement, tags, _ := strings.Cut(heading, ",")
		if measurement != name {
			continue
		}
		r := record{name: measurement, tags: tags, fields: map[string]string{}}
		for _, found := range pair.FindAllStringSubmatch(rest[:strings.LastIndexByte(rest, ' ')], -1) {
			r.fields[found[1]] = found[2]
		}
		records = append(records, r)
	}
	return records
}
