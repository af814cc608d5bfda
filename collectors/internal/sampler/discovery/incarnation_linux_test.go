package discovery

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestTheSameNameMadeAgainIsAnotherCgroup(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web")
	s := start(t, Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}")})
	seen := map[uint64]bool{}
	for range 3 {
		r.mustMake("/web/a1")
		found := s.next(Found)
		require.Equal(t, r.root+"/web/a1", found.Cgroup.Path)
		require.True(t, found.Found.Born)
		require.False(t, seen[found.Cgroup.Inode], "an inode came twice")
		seen[found.Cgroup.Inode] = true
		r.remove("/web/a1")
		gone := s.next(Gone)
		require.Same(t, found.Cgroup, gone.Cgroup)
		_, _, err := found.Cgroup.Files.ReadUsage(make([]byte, 4096))
		require.ErrorIs(t, err, ErrRemoved, "the held file belongs to the removed incarnation")
		found.Cgroup.Files.Close()
	}
	r.requireNoDeadWatch()
}

// TestARecreationBetweenTwoNotes removes and makes a cgroup while the finder cannot look, so that it
// reads the notes of the first life when the second one is there already.
func TestARecreationBetweenTwoNotes(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web/a1")
	f := New(Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}"), MaxCgroups: 10, Log: testLog{t}})
	s := &started{Finder: f, t: t}
	ctx := t.Context()
	f.rescan(ctx, time.Now())
	f.first = false
	defer func() { f.watch.close() }()
	first := s.next(Found)
	require.False(t, first.Found.Born)

	r.remove("/web/a1")
	r.mustMake("/web/a1")
	r.remove("/web/a1")
	r.mustMake("/web/a1")
	last, exists := inodeOf(r.trees.CPU + r.root + "/web/a1")
	require.True(t, exists)
	notes := 0
	for deadline := time.After(time.Second); notes < 4; {
		select {
		case news := <-f.watch.notes:
			for _, one := range news {
				f.heed(ctx, one, time.Now())
				if one.mask&(unix.IN_CREATE|unix.IN_DELETE) != 0 {
					notes++
				}
			}
		case <-deadline:
			require.FailNow(t, "four notes expected", "%d came", notes)
		}
	}
	f.work(ctx, time.Now().Add(settle))
	require.Same(t, first.Cgroup, s.next(Gone).Cgroup)
	second := s.next(Found)
	require.True(t, second.Found.Born)
	require.Equal(t, last, second.Cgroup.Inode)
	s.quiet(10 * time.Millisecond)
	require.Equal(t, int64(1), f.TakeVanished(), "the life in between was never opened")
	first.Cgroup.Files.Close()
	second.Cgroup.Files.Close()
}

func TestARescanTellsIncarnationsApartWithoutAnyNote(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web/a1")
	f := New(Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}"), MaxCgroups: 10, Log: testLog{t}})
	s := &started{Finder: f, t: t}
	f.rescan(t.Context(), time.Now())
	f.first = false
	defer func() { f.watch.close() }()
	first := s.next(Found)
	r.remove("/web/a1")
	r.mustMake("/web/a1")
	f.rescan(t.Context(), time.Now())
	f.work(t.Context(), time.Now().Add(settle))
	require.Same(t, first.Cgroup, s.next(Gone).Cgroup)
	second := s.next(Found)
	require.NotEqual(t, first.Cgroup.Inode, second.Cgroup.Inode)
	require.True(t, second.Found.Born, "it was made while the agent was there")
	first.Cgroup.Files.Close()
	second.Cgroup.Files.Close()
}

func TestARenamedCgroupIsNotNewborn(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web/a1")
	s := start(t, Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}")})
	first := s.next(Found)
	for _, point := range r.points() {
		if err := os.Rename(point+r.root+"/web/a1", point+r.root+"/web/b2"); err != nil {
			t.Skipf("this kernel's cgroups cannot be renamed: %v", err)
		}
	}
	require.Same(t, first.Cgroup, s.next(Gone).Cgroup)
	second := s.next(Found)
	require.Equal(t, first.Cgroup.Inode, second.Cgroup.Inode)
	require.Equal(t, r.root+"/web/b2", second.Cgroup.Path)
	require.False(t, second.Found.Born, "its counters are older than its name")
	first.Cgroup.Files.Close()
	second.Cgroup.Files.Close()
}
