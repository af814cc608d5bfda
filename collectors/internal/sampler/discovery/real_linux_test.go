package discovery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// realTree is a folder of this host's own cgroup trees. It is removed after the test, whatever happened.
type realTree struct {
	t     testing.TB
	trees cgroupfs.Trees
	root  string
	// made are the inodes of the cgroups that were made here, as many as fit in what is allocated at first.
	made map[uint64]bool
}

const mostMade = 20_000

func newRealTree(t testing.TB) *realTree {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	trees, err := ResolveTrees("/proc", "/sys/fs/cgroup")
	if err != nil {
		t.Skipf("no cgroups here: %v", err)
	}
	r := &realTree{t: t, trees: trees, made: make(map[uint64]bool, mostMade), root: fmt.Sprintf("/quotascope/discovery-%d", os.Getpid())}
	if err := r.make(""); err != nil {
		t.Skipf("cgroups cannot be created here: %v", err)
	}
	t.Cleanup(func() {
		for _, point := range r.points() {
			removeTree(t, point+r.root)
			_ = unix.Rmdir(point + "/quotascope") // stays when somebody else uses it
		}
	})
	return r
}

// points are the mount points in which a cgroup of ours must be made, the tree of usage before the one
// that is watched.
func (r *realTree) points() []string {
	var points []string
	for _, point := range []string{r.trees.Usage, r.trees.Pids, r.trees.CPU} {
		if point != "" && !slices.Contains(points, point) {
			points = append(points, point)
		}
	}
	return points
}

// make creates the cgroup at path below the folder, with controllers enabled on the way on v2.
func (r *realTree) make(path string) error {
	for _, point := range r.points() {
		at := point
		for _, name := range strings.Split(strings.Trim(r.root+path, "/"), "/") {
			if r.trees.Unified() {
				for _, controller := range []string{"+cpu", "+pids", "+cpuset"} {
					_ = os.WriteFile(at+"/cgroup.subtree_control", []byte(controller), 0o644)
				}
			}
			at += "/" + name
			if err := unix.Mkdir(at, 0o755); err != nil && err != unix.EEXIST {
				return err
			}
		}
		if inode, exists := inodeOf(at); exists && point == r.trees.CPU && len(r.made) < mostMade {
			r.made[inode] = true
		}
	}
	return nil
}

func (r *realTree) mustMake(path string) { require.NoError(r.t, r.make(path)) }

func (r *realTree) remove(path string) {
	for _, point := range r.points() {
		removeTree(r.t, point+r.root+path)
	}
}

// setQuota limits a cgroup on either version.
func (r *realTree) setQuota(path string, quotaUs, periodUs int64) {
	file, text := "/cpu.max", fmt.Sprintf("%d %d", quotaUs, periodUs)
	if !r.trees.Unified() {
		r.write(path+"/cpu.cfs_period_us", fmt.Sprint(periodUs))
		file, text = "/cpu.cfs_quota_us", fmt.Sprint(quotaUs)
	}
	r.write(path+file, text)
}

func (r *realTree) write(path, text string) {
	require.NoError(r.t, os.WriteFile(r.trees.CPU+r.root+path, []byte(text), 0o644))
}

// removeTree removes a cgroup and what is below it. The kernel answers EBUSY for a while after the last
// task has left.
func removeTree(t testing.TB, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.IsDir() {
			removeTree(t, filepath.Join(dir, entry.Name()))
		}
	}
	for range 100 {
		err := unix.Rmdir(dir)
		if err == nil || errors.Is(err, unix.ENOENT) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("cgroup %s could not be removed", dir)
}

// started is a finder that runs, with its events kept.
type started struct {
	*Finder
	t    *testing.T
	stop func()
}

func start(t *testing.T, options Options) *started {
	options.Log = testLog{t}
	if options.MaxCgroups == 0 {
		options.MaxCgroups = 10_000
	}
	s := &started{Finder: New(options), t: t}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() { s.Run(ctx, ready); close(done) }()
	<-ready
	ended := false
	s.stop = func() {
		if !ended {
			ended = true
			cancel()
			<-done
			s.CloseWaiting()
		}
	}
	t.Cleanup(s.stop)
	return s
}

// next waits for an event of some kind, as a back end would, and takes what belongs to a back end.
func (s *started) next(kind Kind) Event {
	s.t.Helper()
	select {
	case news := <-s.Events():
		require.Equal(s.t, kind, news.Kind, "%+v", news.Cgroup)
		if news.Kind != Gone {
			news.Cgroup.Files.SetAncestor(news.Ancestor)
		}
		return news
	case <-time.After(30 * time.Second):
		require.FailNow(s.t, "no event came")
	}
	return Event{}
}

// quiet waits a little and requires that nothing came.
func (s *started) quiet(wait time.Duration) {
	s.t.Helper()
	select {
	case news := <-s.Events():
		require.FailNow(s.t, "an event too many", "%d %+v", news.Kind, news.Cgroup)
	case <-time.After(wait):
	}
}

func ruleOf(t testing.TB, pattern string) identity.Rules {
	rule, err := identity.NewRule(pattern, "lab")
	require.NoError(t, err)
	return identity.Rules{rule}
}

// openDescriptors counts the descriptors of this process.
func openDescriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}

var watchLine = regexp.MustCompile(`inotify wd:[0-9a-f]+ ino:([0-9a-f]+) `)

// watchedInodes are the inodes that this process watches, by what the kernel says of its descriptors.
func watchedInodes(t testing.TB) map[uint64]bool {
	files, err := filepath.Glob("/proc/self/fdinfo/*")
	require.NoError(t, err)
	watched := map[uint64]bool{}
	for _, file := range files {
		text, _ := os.ReadFile(file) // one that was closed meanwhile has none
		for _, line := range watchLine.FindAllSubmatch(text, -1) {
			inode, err := strconv.ParseUint(string(line[1]), 16, 64)
			require.NoError(t, err)
			watched[inode] = true
		}
	}
	return watched
}

// requireNoDeadWatch requires that no watch is left of a cgroup of ours that was removed. Others make and
// remove cgroups on the same host; theirs say nothing.
func (r *realTree) requireNoDeadWatch() {
	r.t.Helper()
	alive := map[uint64]bool{}
	require.NoError(r.t, filepath.WalkDir(r.trees.CPU+r.root, func(path string, entry fs.DirEntry, err error) error {
		if inode, exists := inodeOf(path); err == nil && exists {
			alive[inode] = true
		}
		return err
	}))
	dead := func() (count int) {
		for inode := range watchedInodes(r.t) {
			if r.made[inode] && !alive[inode] {
				count++
			}
		}
		return count
	}
	require.Eventually(r.t, func() bool { return dead() == 0 }, 5*time.Second, 50*time.Millisecond, "watches of removed cgroups")
}
