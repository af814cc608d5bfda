package hostlock

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// holding is set for the child process that holds a lock until it is killed.
const holding = "QUOTASCOPE_TEST_HOLD_LOCK"

func TestMain(m *testing.M) {
	if root := os.Getenv(holding); root != "" {
		if _, err := Take(root, "/proc"); err != nil {
			os.Exit(3)
		}
		fmt.Println("held")
		select {}
	}
	os.Exit(m.Run())
}

func TestOneAtATime(t *testing.T) {
	root := t.TempDir()
	first, err := Take(root, "/proc")
	require.NoError(t, err)
	_, err = Take(root, "/proc")
	require.ErrorIs(t, err, ErrHeld)
	require.ErrorContains(t, err, fmt.Sprintf("process %d (", os.Getpid()))
	require.ErrorContains(t, err, root)
	other, err := Take(t.TempDir(), "/proc")
	require.NoError(t, err, "another tree is another measurement")
	other.Release()
	first.Release()
	again, err := Take(root, "/proc")
	require.NoError(t, err)
	again.Release()
}

// TestAKilledHolderLeavesNothingBehind also shows that an unprivileged process could not be fooled by a
// stale file: there is none.
func TestAKilledHolderLeavesNothingBehind(t *testing.T) {
	root := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holding+"="+root)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	_, err = out.Read(make([]byte, 16)) // "held"
	require.NoError(t, err)
	_, err = Take(root, "/proc")
	require.ErrorContains(t, err, fmt.Sprintf("process %d (", child.Process.Pid))
	require.NoError(t, child.Process.Kill())
	_ = child.Wait() // it was killed: an error is certain
	require.Eventually(t, func() bool {
		lock, err := Take(root, "/proc")
		if err == nil {
			lock.Release()
		}
		return err == nil
	}, 5*time.Second, 10*time.Millisecond)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestAHolderThatCannotBeSeenIsSaidToBeElsewhere(t *testing.T) {
	root := t.TempDir()
	lock, err := Take(root, "/proc")
	require.NoError(t, err)
	defer lock.Release()
	_, err = Take(root, t.TempDir())
	require.ErrorContains(t, err, "another pid namespace")
	_, err = Take(root+"/none", "/proc")
	require.ErrorContains(t, err, root+"/none")
}
