package ebpf

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

// nested makes a cgroup inside a group's, in every tree, as systemd in a container does.
func nested(t *testing.T, group *cgroup.Group, path string) *cgroup.Group {
	inner := &cgroup.Group{Path: group.Path + "/" + path}
	for _, dir := range group.Dirs {
		inner.Dirs = append(inner.Dirs, cgroup.Dir{Path: filepath.Join(dir.Path, path)})
		require.NoError(t, os.MkdirAll(filepath.Join(dir.Path, path), 0o755))
	}
	return inner
}

// TestWhatRunsBelowATrackedCgroupBelongsToIt covers cgroups that were there before their ancestor was tracked and ones
// that come later, at different depths.
func TestWhatRunsBelowATrackedCgroupBelongsToIt(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	group, beside := create(t, folder, "load", "a1"), create(t, folder, "load", "a2")
	older := nested(t, group, "init.scope")
	got := measure(t, backend, func() {
		await(t, backend, 2)
		var running []*exec.Cmd
		for _, inner := range []*cgroup.Group{older, nested(t, group, "system.slice/app.service"), nested(t, group, "a/b/c/d")} {
			running = append(running, shell(t, inner, "timeout 2 sh -c 'while :; do /bin/true; done'; true"))
			require.NoError(t, running[len(running)-1].Start())
		}
		sh(t, beside, "timeout 2 sh -c 'while :; do :; done'; true")
		for _, command := range running {
			require.NoError(t, command.Wait())
		}
		quiet(t, group)
	})
	both := append(got.of(group), got.of(beside)...)
	within(t, 5, usageUs(t, group)+usageUs(t, beside), sampledUs(backend, both...), "both")
	if backend.lateNs == 0 { // what is late is not told apart
		within(t, 5, usageUs(t, group), sampledUs(backend, got.of(group)...), "with all below")
	}
	var runnable int
	for _, w := range got.of(group) {
		runnable += len(w.RunnableHistogram)
	}
	require.Positive(t, runnable, "run queues of inner cgroups are found as well")
}

// TestTimeGoesToTheCgroupThatTheTaskIsIn moves a busy process to and fro.
func TestTimeGoesToTheCgroupThatTheTaskIsIn(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	groups := []*cgroup.Group{create(t, folder, "load", "left"), create(t, folder, "load", "right")}
	got := measure(t, backend, func() {
		await(t, backend, 2)
		busy := shell(t, groups[0], "exec timeout 3 sh -c 'while :; do :; done'")
		require.NoError(t, busy.Start())
		pids := func(group *cgroup.Group) string {
			text, err := os.ReadFile(filepath.Join(group.Dirs[0].Path, "cgroup.procs"))
			require.NoError(t, err)
			return string(text)
		}
		time.Sleep(200 * time.Millisecond)
		for i := range 150 {
			from, to := groups[i%2], groups[1-i%2]
			for _, pid := range strings.Fields(pids(from)) {
				for _, dir := range to.Dirs { // a process that has ended meanwhile cannot be moved
					_ = os.WriteFile(filepath.Join(dir.Path, "cgroup.procs"), []byte(pid), 0o644)
				}
			}
			time.Sleep(time.Duration(7+i%13) * time.Millisecond)
		}
		_ = busy.Wait() // ended by the time limit, which is no success
		quiet(t, groups[0])
		quiet(t, groups[1])
	})
	both := append(got.of(groups[0]), got.of(groups[1])...)
	within(t, 5, usageUs(t, groups[0])+usageUs(t, groups[1]), sampledUs(backend, both...), "both")
	for i, group := range groups {
		require.Greater(t, usageUs(t, group), int64(300_000), "both had some of it")
		if backend.lateNs == 0 { // what is late is not told apart
			within(t, 5, usageUs(t, group), sampledUs(backend, got.of(group)...), fmt.Sprint("group ", i))
		}
	}
}
