package victim

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

func realFolder(t *testing.T) (*cgroup.Folder, Program) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("needs gcc and seconds of real time")
	}
	folder, err := cgroup.Acquire(fmt.Sprintf("victim-%d", os.Getpid()))
	var unavailable *cgroup.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("no cgroups here: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := folder.Clear()
		require.NoError(t, errors.Join(err, folder.Release()))
	})
	program, err := Build(t.TempDir())
	require.NoError(t, err)
	return folder, program
}

func create(t *testing.T, folder *cgroup.Folder, count int) []*cgroup.Group {
	t.Helper()
	var groups []*cgroup.Group
	for k := range count {
		group, err := folder.Create("crowd", fmt.Sprintf("a%d", k), cgroup.Limits{CpuShares: 1024})
		require.NoError(t, err)
		groups = append(groups, group)
	}
	return groups
}

func tasks(t *testing.T, group *cgroup.Group) int64 {
	t.Helper()
	count, err := group.Tasks()
	require.NoError(t, err)
	return count
}

func TestVictimsStandInTheirCgroupsAndLeaveThem(t *testing.T) {
	folder, program := realFolder(t)
	groups := create(t, folder, 3)
	racer, err := program.Pingpong(0, groups[0], groups[1])
	require.NoError(t, err)
	rounds, err := racer.Race(100 * time.Millisecond)
	require.NoError(t, err)
	require.Greater(t, rounds, 1000.0)
	require.Equal(t, []int64{1, 1}, []int64{tasks(t, groups[0]), tasks(t, groups[1])})
	require.NoError(t, racer.Stop())

	crowd, err := program.Crowd(10*time.Millisecond, groups)
	require.NoError(t, err)
	readers, err := program.Preads(10*time.Millisecond, 5, WholeFile(groups[0]), groups)
	require.NoError(t, err)
	before, err := groups[2].Read()
	require.NoError(t, err)
	time.Sleep(200 * time.Millisecond)
	after, err := groups[2].Read()
	require.NoError(t, err)
	require.Positive(t, after.Since(before).UsageUs, "a process of the crowd wakes every 10 ms")
	for _, group := range groups {
		require.Equal(t, int64(1), tasks(t, group))
	}
	require.NoError(t, errors.Join(readers.Stop(), crowd.Stop()))

	gone(t, groups)
	sleepers, err := program.Sleepers(100, 20*time.Millisecond, groups[0])
	require.NoError(t, err)
	require.Equal(t, int64(101), tasks(t, groups[0]))
	require.NoError(t, sleepers.Stop())
	gone(t, groups)
}

// gone waits until the killed have left their cgroups.
func gone(t *testing.T, groups []*cgroup.Group) {
	t.Helper()
	for _, group := range groups {
		for deadline := time.Now().Add(5 * time.Second); tasks(t, group) > 0; time.Sleep(10 * time.Millisecond) {
			require.True(t, time.Now().Before(deadline), "victims outlived the bench")
		}
	}
}
