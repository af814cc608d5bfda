package discovery

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/stretchr/testify/require"
)

// TestACgroupWaitsForItsName has the kubelet's link come after the container, as it does, and none for the
// sandbox of the pod.
func TestACgroupWaitsForItsName(t *testing.T) {
	const (
		uid     = "6a4ce4a0-ba47-11ea-b2a7-0cc47ac5979e"
		pod     = "/kubepods/burstable/pod" + uid
		app     = "17db96a24ae1e9dd57143e62b1cb0d2d35e693c65c774c7470e87b0572e07c1a"
		sandbox = "3f4e8a5d0c1b2a39485766758493a2b1c0dfeedcba98765432100123456789ab"
		other   = "d166c6190614efc91956b78e96d74c3fbc96ca8e91948c36de3bc5b0e7b27d48"
	)
	host := t.TempDir()
	links := filepath.Join(host, "var/log/containers")
	require.NoError(t, os.MkdirAll(links, 0o755))
	names, err := naming.New(naming.Options{Sources: naming.SourceNames(), HostRoot: host, MaxLabelValues: 1})
	require.NoError(t, err)
	v2 := treefixture.NewV2(t)
	v2.Put("/kubepods/burstable", nil)
	s := start(t, Options{Trees: v2.Trees, Rules: builtins(t), Names: names})

	v2.Shard(pod + "/" + sandbox)
	v2.Shard(pod + "/" + app)
	s.quiet(6 * settle)
	link := filepath.Join(links, "cart-5d78c9869d-8xbzr_shop_app-"+app+".log")
	require.NoError(t, os.Symlink("/var/log/pods/shop_cart-5d78c9869d-8xbzr_"+uid+"/app/0.log", link))
	found := s.next(Found)
	defer found.Cgroup.Files.Close()
	require.Equal(t, []string{"shop/cart/app", "cart-5d78c9869d-8xbzr"}, []string{found.Found.Shard.Service, found.Found.Shard.Name})
	require.True(t, found.Found.Born, "what it used while it waited is its own")
	s.quiet(namesGrace + 4*retryAfter)
	require.Zero(t, s.Overflow())

	v2.Shard("/kubepods/burstable/pod0c6f2d5e-9a1b-4c3d-8e7f-112233445566/" + other)
	started := time.Now()
	unnamed := s.next(Found)
	defer unnamed.Cgroup.Files.Close()
	require.Equal(t, "pod-0c6f2d5e-9a1b-4c3d-8e7f-112233445566", unnamed.Found.Shard.Service, "nobody wrote a name down")
	require.GreaterOrEqual(t, time.Since(started), namesGrace)
}
