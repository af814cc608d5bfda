package kerneltruth

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

// burnAs makes this test binary a load: threads,milliseconds,cgroup.procs files.
const burnAs = "KERNELTRUTH_BURN"

func TestMain(m *testing.M) {
	if order := os.Getenv(burnAs); order != "" {
		if err := burnInside(strings.Split(order, ",")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func burnInside(order []string) error {
	threads, err := strconv.Atoi(order[0])
	if err != nil {
		return err
	}
	millis, err := strconv.Atoi(order[1])
	if err != nil {
		return err
	}
	if err := cgroup.Enter(order[2:]); err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	until := time.Now().Add(time.Duration(millis) * time.Millisecond)
	ended := make(chan struct{})
	for thread := range threads {
		go func() {
			for state := uint64(thread); time.Now().Before(until); {
				state = burn.Spend(100_000, state)
			}
			ended <- struct{}{}
		}()
	}
	for range threads {
		<-ended
	}
	return nil
}

// home is the folder of one test's cgroups.
func home(t *testing.T) *cgroup.Folder {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	test, backend, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(t.Name(), "Test")), "/")
	folder, err := cgroup.Acquire(fmt.Sprintf("truth-%d-%.30s-%s", os.Getpid(), test, backend))
	var unavailable *cgroup.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("no cgroups here: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := folder.Clear()
		require.NoError(t, errors.Join(err, folder.Release()))
	})
	return folder
}

// burnIn runs busy threads in a cgroup and returns when they have ended.
func burnIn(t *testing.T, group *cgroup.Group, threads int, duration time.Duration) {
	t.Helper()
	order := fmt.Sprintf("%d,%d", threads, duration.Milliseconds())
	order += "," + strings.Join(group.ProcsFiles(), ",")
	load := exec.Command("/proc/self/exe")
	load.Env = append(os.Environ(), burnAs+"="+order)
	out, err := load.CombinedOutput()
	require.NoError(t, err, string(out))
}

func write(t *testing.T, dir, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
}
