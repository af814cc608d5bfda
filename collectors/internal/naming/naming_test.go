package naming

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/stretchr/testify/require"
)

const (
	cid     = "3f4e8a5d0c1b2a39485766758493a2b1c0dfeedcba98765432100123456789ab"
	pause   = "63425c4a8b4291744a79dd9011fddc7a1f8ffda61f65d72196aa01d00cae2e2d"
	uid     = "0c6f2d5e-9a1b-4c3d-8e7f-112233445566"
	podPath = "/kubepods/burstable/pod" + uid + "/"
)

// host is a folder that looks like a host's root.
type host struct {
	t    *testing.T
	root string
}

func newHost(t *testing.T) host { return host{t: t, root: t.TempDir()} }

func (h host) put(path, text string) {
	path = filepath.Join(h.root, path)
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(h.t, os.WriteFile(path, []byte(text), 0o644))
}

func (h host) link(path, target string) {
	path = filepath.Join(h.root, path)
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(h.t, os.Symlink(target, path))
}

func (h host) names(options Options) *Names {
	options.HostRoot, options.Node = h.root, "node-1"
	if options.Sources == nil {
		options.Sources = SourceNames()
	}
	n, err := New(options)
	require.NoError(h.t, err)
	return n
}

func podShard(id string) identity.Shard {
	return identity.Shard{Runtime: "kubernetes", Service: "pod-" + uid, Name: id[:12], ContainerID: id, PodUID: uid}
}

func plainShard(runtime string) identity.Shard {
	return identity.Shard{Runtime: runtime, Service: runtime + "-" + cid[:12], Name: cid[:12], ContainerID: cid}
}

func (h host) logLink() {
	h.link("var/log/containers/cart-5d78c9869d-8xbzr_shop_app-"+cid+".log",
		"/var/log/pods/shop_cart-5d78c9869d-8xbzr_"+uid+"/app/0.log")
}

func TestKubeletsLinksNameContainersAndTellSandboxes(t *testing.T) {
	h := newHost(t)
	h.put("var/log/containers/.keep", "")
	n := h.names(Options{})
	shard := podShard(cid)
	require.Equal(t, Later, n.Name(&shard, podPath+cid, false), "the link comes after the container")
	h.logLink()
	require.Equal(t, Later, n.Name(&shard, podPath+cid, false), "the folder is not listed for every question")
	require.Equal(t, Named, n.Name(&shard, podPath+cid, true))
	require.Equal(t, []string{"shop/cart/app", "cart-5d78c9869d-8xbzr"}, []string{shard.Service, shard.Name})

	sandbox := podShard(pause)
	require.Equal(t, Later, n.Name(&sandbox, podPath+pause, false))
	require.Equal(t, Sandbox, n.Name(&sandbox, podPath+pause, true), "the pod has links, this container never gets one")

	require.NoError(t, os.RemoveAll(filepath.Join(h.root, "var/log/containers")))
	other := podShard(strings.Repeat("e", 64))
	require.Equal(t, Unknown, n.Name(&other, podPath, true))
	require.Equal(t, "pod-"+uid, other.Service)
}

func TestLogLinks(t *testing.T) {
	names, id, ok := parseLogLink("kube-proxy-x7k2m_kube-system_kube-proxy-" + cid + ".log")
	require.True(t, ok)
	require.Equal(t, identity.Names{Pod: "kube-proxy-x7k2m", Namespace: "kube-system", Container: "kube-proxy"}, names)
	require.Equal(t, cid, id)
	for _, link := range []string{"", ".log", "a_b_c.log", "a_b_c-12.log", "a_b_" + cid + ".log", "a_b_-" + cid + ".log",
		"_b_c-" + cid + ".log", "a_b_c-" + cid + ".txt", "a_b_c_d-" + cid + ".log"} {
		_, _, ok := parseLogLink(link)
		require.False(t, ok, link)
	}
}

func TestBundles(t *testing.T) {
	for _, tc := range []struct {
		name, file, text string
		shard            identity.Shard
		verdict          Verdict
		service          string
	}{
		{"containerd CRI", "run/containerd/io.containerd.runtime.v2.task/k8s.io/" + cid + "/config.json",
			`{"ociVersion":"1.1.0","annotations":{"io.kubernetes.cri.container-type":"container","io.kubernetes.cri.container-name":"app",
			"io.kubernetes.cri.sandbox-name":"cart-5d78c9869d-8xbzr","io.kubernetes.cri.sandbox-namespace":"shop"}}`,
			podShard(cid), Named, "shop/cart/app"},
		{"k3s", "run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/" + cid + "/config.json",
			`{"annotations":{"io.kubernetes.cri.container-name":"app","io.kubernetes.cri.sandbox-name":"db-0","io.kubernetes.cri.sandbox-namespace":"shop"}}`,
			podShard(cid), Named, "shop/db/app"},
		{"containerd's sandbox", "run/containerd/io.containerd.runtime.v2.task/k8s.io/" + cid + "/config.json",
			`{"annotations":{"io.kubernetes.cri.container-type":"sandbox"}}`, podShard(cid), Sandbox, ""},
		{"CRI-O", "run/containers/storage/overlay-containers/" + cid + "/userdata/config.json",
			`{"annotations":{"io.kubernetes.cri-o.ContainerType":"container","io.kubernetes.pod.name":"db-0",
			"io.kubernetes.pod.namespace":"shop","io.kubernetes.container.name":"postgres","io.kubernetes.cri-o.Labels":"{\"tier\":\"data\"}"}}`,
			podShard(cid), Named, "shop/db/postgres"},
		{"CRI-O's sandbox", "run/containers/storage/overlay-containers/" + cid + "/userdata/config.json",
			`{"annotations":{"io.kubernetes.cri-o.ContainerType":"sandbox"}}`, podShard(cid), Sandbox, ""},
		{"nerdctl", "run/containerd/io.containerd.runtime.v2.task/default/" + cid + "/config.json",
			`{"annotations":{"nerdctl/name":"web"}}`, plainShard("containerd"), Named, "web"},
		{"unreadable", "run/containerd/io.containerd.runtime.v2.task/default/" + cid + "/config.json",
			`{"annotations":`, plainShard("containerd"), Unknown, "containerd-3f4e8a5d0c1b"},
	} {
		h := newHost(t)
		h.put(tc.file, tc.text)
		shard := tc.shard
		require.Equal(t, tc.verdict, h.names(Options{}).Name(&shard, "", false), tc.name)
		if tc.service != "" {
			require.Equal(t, tc.service, shard.Service, tc.name)
		}
	}
}

func TestDockersFiles(t *testing.T) {
	h := newHost(t)
	h.put("var/lib/docker/containers/"+cid+"/config.v2.json", `{"ID":"`+cid+`","Name":"/shop-cart-2","Config":{"Image":"cart:7",
		"Labels":{"com.docker.compose.project":"shop","com.docker.compose.service":"cart","team":"checkout","secret":"x"}}}`)
	n := h.names(Options{Labels: []string{"team", "absent"}, MaxLabelValues: 1})
	shard := plainShard("docker")
	require.Equal(t, Named, n.Name(&shard, "/docker/"+cid, false))
	require.Equal(t, "shop/cart", shard.Service)
	require.Equal(t, map[string]string{"team": "checkout"}, shard.Labels, "nothing but what is allowed")
}

func TestPodmansLists(t *testing.T) {
	h := newHost(t)
	h.put("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n")
	h.put("var/lib/containers/storage/overlay-containers/containers.json", `[{"id":"`+cid+`","names":["web"],"image":"x"}]`)
	h.put("home/ann/.local/share/containers/storage/overlay-containers/containers.json", `[{"id":"`+cid+`","names":["hers"]},{"id":"y"}]`)
	n := h.names(Options{})
	for path, want := range map[string]string{
		"/machine.slice/libpod-" + cid + ".scope":                                                     "web",
		"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + cid + ".scope":           "hers",
		"/user.slice/user-7.slice/user@7.service/user.slice/libpod-" + cid + ".scope (nobody's home)": "podman-3f4e8a5d0c1b",
	} {
		shard := plainShard("podman")
		n.Name(&shard, path, true)
		require.Equal(t, want, shard.Service, path)
	}
	later := identity.Shard{Runtime: "podman", ContainerID: pause}
	require.Equal(t, Later, n.Name(&later, "/machine.slice/libpod-"+pause+".scope", false))
}

func TestLabelsOfManyValuesAreLeftOutAndCounted(t *testing.T) {
	l := newLabels([]string{"team", "commit"}, 2)
	for i := range 5 {
		got := l.allowed(map[string]string{"team": "a", "commit": fmt.Sprint(i), "other": "x"})
		require.Equal(t, "a", got["team"])
		require.Equal(t, i < 2, got["commit"] != "")
		require.NotContains(t, got, "other")
	}
	require.Equal(t, int64(3), l.overflow.Load())
	require.Equal(t, "1", l.allowed(map[string]string{"commit": "1"})["commit"], "a value that is known stays")
	require.Nil(t, l.allowed(map[string]string{"other": "x"}))
}

type said struct{ lines []string }

func (s *said) Warnf(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func TestARefusedFolderIsNamedOnce(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	h := newHost(t)
	h.put("var/lib/docker/containers/"+cid+"/config.v2.json", "{}")
	require.NoError(t, os.Chmod(filepath.Join(h.root, "var/lib/docker/containers"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(h.root, "var/lib/docker/containers"), 0o755) })
	log := &said{}
	n := h.names(Options{Log: log})
	for range 3 {
		shard := plainShard("docker")
		require.Equal(t, Unknown, n.Name(&shard, "", true))
	}
	require.Len(t, log.lines, 1)
	require.Contains(t, log.lines[0], "var/lib/docker/containers")
}

func TestClean(t *testing.T) {
	require.Equal(t, "abc", clean("a\x00b\x1b\xffc\n"))
	require.Equal(t, strings.Repeat("ä", longestName/2), clean(strings.Repeat("ä", longestName)))
}

func TestSourcesAreChecked(t *testing.T) {
	_, err := New(Options{Sources: []string{"etcd"}})
	require.ErrorContains(t, err, `"etcd"`)
}

func FuzzParseLogLink(f *testing.F) {
	f.Add("kube-proxy-x7k2m_kube-system_kube-proxy-" + cid + ".log")
	f.Add("_-_.log")
	f.Fuzz(func(t *testing.T, link string) {
		if names, id, ok := parseLogLink(link); ok {
			require.Len(t, id, 64)
			require.NotEmpty(t, names.Pod)
			require.NotEmpty(t, names.Namespace)
			require.NotEmpty(t, names.Container)
		}
	})
}

func FuzzDecodeCRI(f *testing.F) {
	f.Add([]byte{0x0a, 0x03, 0x0a, 0x01, 'x'})
	f.Fuzz(func(_ *testing.T, message []byte) {
		_, _ = decodeContainers(message)
		_, _ = decodeSandboxes(message)
	})
}
