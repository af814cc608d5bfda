package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/bench"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// actAsCfslab makes this test binary behave as cfslab itself, so that the tests start the very
// program, with its shards and its janitor, and not a part of it.
const actAsCfslab = "CFSLAB_TEST_ACT"

func TestMain(m *testing.M) {
	if os.Getenv(actAsCfslab) != "" {
		main()
	}
	os.Exit(m.Run())
}

func cfslab(args ...string) *exec.Cmd {
	command := exec.Command("/proc/self/exe", args...)
	command.Env = append(os.Environ(), actAsCfslab+"=1")
	return command
}

// realFolder returns the name of a folder of this test's own, or skips with the reason why
// cgroups cannot be had.
func realFolder(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("test-%d-%s", os.Getpid(), strings.ToLower(t.Name()[len("Test"):]))
	folder, err := cgroup.Acquire(name)
	var unavailable *cgroup.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("no cgroups here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Release(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := groupsOf(t, name); len(left) > 0 {
			t.Errorf("cgroups are left behind: %v", left)
			_ = cfslab("clean", "--root", name).Run()
		}
	})
	return name
}

func groupsOf(t *testing.T, name string) []string {
	t.Helper()
	folder, err := cgroup.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, tree := range folder.Layout.Trees {
		for _, pattern := range []string{"", "*", "*/*"} {
			dirs, _ := filepath.Glob(filepath.Join(tree.Mount, folder.Path, pattern, "cgroup.procs"))
			found = append(found, dirs...)
		}
	}
	return found
}

// alive reports whether a process still runs. One that has ended may wait for init to take note
// of it, and is a zombie until then.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, afterName, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(afterName, "Z")
}

func startLab(t *testing.T, root, services string, more ...string) *exec.Cmd {
	t.Helper()
	lab := cfslab(append([]string{"run", "--root", root, "--services", services, "--linger", "0"}, more...)...)
	lab.Stderr = os.Stderr
	if err := lab.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lab.Process.Kill() })
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if err := cfslab("truth", "--root", root).Run(); err == nil {
			return lab
		}
		if time.Now().After(deadline) {
			t.Fatal("the lab did not start within 30 s")
		}
	}
}

func stopLab(t *testing.T, lab *exec.Cmd) {
	t.Helper()
	if err := lab.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := lab.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

func shardPids(t *testing.T, root string) []int {
	t.Helper()
	seen := map[int]bool{}
	var pids []int
	for _, path := range groupsOf(t, root) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			if !seen[pid] {
				seen[pid], pids = true, append(pids, pid)
			}
		}
	}
	return pids
}

func kernelSays(t *testing.T, dirs []cgroup.Dir, quotaUs string) bool {
	t.Helper()
	for _, name := range []string{"cpu.cfs_quota_us", "cpu.max"} {
		text, err := os.ReadFile(filepath.Join(dirs[0].Path, name))
		if err == nil && strings.Fields(string(text))[0] == quotaUs {
			return true
		}
	}
	return false
}

// weightOf reads a cgroup's weight, on the scale of whichever version is there.
func weightOf(t *testing.T, dir string) int {
	t.Helper()
	for _, name := range []string{"cpu.shares", "cpu.weight"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		weight, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return weight
	}
	t.Fatalf("no weight in %s", dir)
	return 0
}

func truthSoFar(t *testing.T, root string) bench.Truth {
	t.Helper()
	out, err := cfslab("truth", "--root", root).Output()
	if err != nil {
		t.Fatal(err)
	}
	var account bench.Truth
	if err := json.Unmarshal(out, &account); err != nil {
		t.Fatal(err)
	}
	return account
}

func readTruth(t *testing.T, file string) bench.Truth {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var account bench.Truth
	if err := json.Unmarshal(text, &account); err != nil {
		t.Fatal(err)
	}
	return account
}
