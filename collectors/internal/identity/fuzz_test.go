package identity

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func FuzzMatch(f *testing.F) {
	set := allRules(f)
	f.Add("/quotascope/lab/a/b")
	f.Add("/kubepods/pod" + uid + "/" + cid)
	f.Add("/system.slice/@.service")
	f.Add(`/machine.slice/machine-qemu\x2d1\x2dweb.scope`)
	f.Add("/system.slice/run-r0123456789abcdef0123456789abcdef.scope")
	f.Fuzz(func(t *testing.T, path string) {
		shard, matched := set.Match(path)
		if !matched {
			require.Equal(t, Shard{}, shard)
			return
		}
		require.NotEmpty(t, shard.Name)
		require.NotEmpty(t, shard.Service)
		require.NotEmpty(t, shard.Runtime)
		if shard.PodUID != "" {
			require.NotContains(t, shard.PodUID, "_")
			require.Len(t, shard.ContainerID, 64)
		}
	})
}

func FuzzNewRule(f *testing.F) {
	f.Add("/quotascope/lab/{service}/{shard}", "/quotascope/lab/a/b")
	f.Add("/jobs.*/{service}.{shard}/run", "/jobs.d/web.7/run")
	f.Add("/{service}{shard}", "/ab")
	f.Add("/{", "/")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		rule, err := NewRule(pattern, "other")
		if err != nil {
			require.ErrorIs(t, err, ErrPattern)
			return
		}
		shard, matched := Rules{rule}.Match(path)
		if !matched {
			return
		}
		require.NotEmpty(t, shard.Service)
		require.NotEmpty(t, shard.Name)
		require.NotContains(t, shard.Service+shard.Name, "/")
		require.Equal(t, strings.Count(pattern, "/"), strings.Count(path, "/"), "captures stay in one segment")
	})
}

func FuzzNames(f *testing.F) {
	f.Add("coredns-5d78c9869d-8xbzr", uid, "node-1", `a\x2db`)
	f.Add("kube-apiserver-node-1", "0123456789abcdef0123456789abcdef", "node-1", `\x`)
	f.Fuzz(func(t *testing.T, pod, uid, node, unit string) {
		workload := Workload(pod, uid, node)
		require.True(t, strings.HasPrefix(pod, workload), "%q of %q", workload, pod)
		require.Equal(t, pod == "", workload == "")
		if utf8.ValidString(unit) {
			require.True(t, utf8.ValidString(unescapeUnit(unit)))
		}
	})
}
