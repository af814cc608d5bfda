package discovery

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/stretchr/testify/require"
)

// places counts the tracked cgroups by service from the events so far.
func places(s *started, events int) map[string]int {
	counts := map[string]int{}
	for range events {
		news := s.next(Found)
		counts[news.Found.Shard.Service]++
		news.Cgroup.Files.Close()
	}
	return counts
}

func TestPlacesAreDealtFairlyAndKept(t *testing.T) {
	v2 := treefixture.NewV2(t)
	for i := range 50 {
		v2.Shard(fmt.Sprintf("/lab/aaa/%02d", i))
	}
	for i := range 3 {
		v2.Shard(fmt.Sprintf("/lab/zzz/%d", i))
	}
	s := start(t, Options{Trees: v2.Trees, Rules: ruleOf(t, "/lab/{service}/{shard}"), MaxCgroups: 10})
	require.Equal(t, map[string]int{"aaa": 7, "zzz": 3}, places(s, 10), "a service with many leaves room for others")
	require.Equal(t, int64(43), s.Overflow())

	v2.Shard("/lab/mmm/1")
	require.Eventually(t, func() bool { return s.Overflow() == 44 }, 5*time.Second, 10*time.Millisecond)
	s.quiet(settle)
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/aaa/00"))
	require.Equal(t, "aaa", s.next(Gone).Cgroup.Path[5:8])
	require.Equal(t, map[string]int{"mmm": 1}, places(s, 1), "the place goes to the service with the fewest")
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/aaa/01"))
	s.next(Gone)
	require.Equal(t, map[string]int{"aaa": 1}, places(s, 1), "nobody else waits")
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/aaa/49"))
	require.Eventually(t, func() bool { return s.Overflow() == 41 }, 5*time.Second, 10*time.Millisecond)
	s.quiet(settle)
}

func TestServicesBeyondTheirCapAreCounted(t *testing.T) {
	v2 := treefixture.NewV2(t)
	for _, path := range []string{"/lab/a/1", "/lab/a/2", "/lab/b/1", "/lab/c/1", "/lab/c/2"} {
		v2.Shard(path)
	}
	s := start(t, Options{Trees: v2.Trees, Rules: ruleOf(t, "/lab/{service}/{shard}"), MaxServices: 2})
	require.Equal(t, map[string]int{"a": 2, "b": 1}, places(s, 3))
	require.Equal(t, int64(2), s.Overflow())
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/b"))
	s.next(Gone)
	require.Equal(t, map[string]int{"c": 2}, places(s, 2))
	require.Eventually(t, func() bool { return s.Overflow() == 0 }, 5*time.Second, 10*time.Millisecond)
}

func TestWaitingForgetsThoseWhoLeave(t *testing.T) {
	w := newWaiting()
	for round := range 1000 {
		n := &node{shard: identity.Shard{Service: fmt.Sprint("s", round%7)}}
		w.enter(n)
		w.leave(n)
	}
	require.Zero(t, w.size)
	require.Empty(t, w.byService)
	require.Nil(t, w.next(0))
}

func builtins(t *testing.T) identity.Rules {
	var set identity.Rules
	for _, name := range identity.BuiltinNames() {
		rules, err := identity.Builtin(name)
		require.NoError(t, err)
		set = append(set, rules...)
	}
	return set
}

// TestAContainerThatIsANodeIsAHolderOfItsPods is kind and minikube: the pods are the shards, and the
// container around them is none any more.
func TestAContainerThatIsANodeIsAHolderOfItsPods(t *testing.T) {
	const (
		container = "/docker/63425c4a8b4291744a79dd9011fddc7a1f8ffda61f65d72196aa01d00cae2e2d"
		inner     = "/docker/3f4e8a5d0c1b2a39485766758493a2b1c0dfeedcba98765432100123456789ab"
		pod       = "/kubelet/kubepods/burstable/pod6a4ce4a0-ba47-11ea-b2a7-0cc47ac5979e"
		inPod     = "/17db96a24ae1e9dd57143e62b1cb0d2d35e693c65c774c7470e87b0572e07c1a"
	)
	v2 := treefixture.NewV2(t)
	v2.Shard(container)
	v2.Shard(container + "/system.slice/dbus.service")
	s := start(t, Options{Trees: v2.Trees, Rules: builtins(t)})
	node := s.next(Found)
	require.Equal(t, container, node.Cgroup.Path)
	v2.Shard(container + inner)
	s.quiet(4 * settle) // a container in a container belongs to it
	v2.Shard(container + pod + inPod)
	require.Same(t, node.Cgroup, s.next(Gone).Cgroup)
	found := s.next(Found)
	require.Equal(t, container+pod+inPod, found.Cgroup.Path)
	require.Equal(t, "kubernetes", found.Found.Shard.Runtime)
	s.quiet(4 * settle)
	require.Zero(t, s.Overflow())
	require.Zero(t, s.Untracked(), "what is inside a matched cgroup is not untracked")
	node.Cgroup.Files.Close()
	found.Cgroup.Files.Close()

	again := start(t, Options{Trees: v2.Trees, Rules: builtins(t)})
	found = again.next(Found)
	require.Equal(t, container+pod+inPod, found.Cgroup.Path, "from the start")
	again.quiet(settle)
	found.Cgroup.Files.Close()
}

func TestUnitsOfUsersAreFound(t *testing.T) {
	v2 := treefixture.NewV2(t)
	v2.Shard("/user.slice/user-1000.slice/user@1000.service/app.slice/caddy.service")
	v2.Shard("/user.slice/user-1000.slice/user@1000.service/init.scope")
	s := start(t, Options{Trees: v2.Trees, Rules: builtins(t)})
	found := s.next(Found)
	require.Equal(t, "caddy", found.Found.Shard.Service)
	s.quiet(settle)
	require.Equal(t, int64(1), s.Untracked())
	found.Cgroup.Files.Close()
}
