package identity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	cid  = "3f4e8a5d0c1b2a39485766758493a2b1c0dfeedcba98765432100123456789ab"
	uid  = "0c6f2d5e-9a1b-4c3d-8e7f-112233445566"
	uid_ = "0c6f2d5e_9a1b_4c3d_8e7f_112233445566"
)

func allRules(t testing.TB) Rules {
	lab, err := NewRule("/quotascope/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	set := Rules{lab}
	for _, name := range BuiltinNames() {
		builtin, err := Builtin(name)
		require.NoError(t, err)
		set = append(set, builtin...)
	}
	return set
}

func TestRealWorldPaths(t *testing.T) {
	pod := func(qos string) *Shard {
		return &Shard{Service: "pod-" + uid, Name: "3f4e8a5d0c1b", Runtime: "kubernetes", ContainerID: cid, PodUID: uid, QosClass: qos}
	}
	container := func(runtime string) *Shard {
		return &Shard{Service: runtime + "-3f4e8a5d0c1b", Name: "3f4e8a5d0c1b", Runtime: runtime, ContainerID: cid}
	}
	for _, tc := range []struct {
		name, path string
		want       *Shard
	}{
		{"lab shard", "/quotascope/lab/checkout/a1", &Shard{Service: "checkout", Name: "a1", Runtime: "lab"}},
		{"lab service is not a shard", "/quotascope/lab/checkout", nil},
		{"inside a lab shard", "/quotascope/lab/checkout/a1/child", nil},
		{"kubepods, cgroupfs, burstable", "/kubepods/burstable/pod" + uid + "/" + cid, pod("burstable")},
		{"kubepods, cgroupfs, guaranteed", "/kubepods/pod" + uid + "/" + cid, pod("guaranteed")},
		{"kubepods in kind", "/kubelet/kubepods/besteffort/pod" + uid + "/" + cid, pod("besteffort")},
		{"kubepods, systemd, containerd", "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + uid_ +
			".slice/cri-containerd-" + cid + ".scope", pod("burstable")},
		{"kubepods, systemd, CRI-O, guaranteed", "/kubepods.slice/kubepods-pod" + uid_ + ".slice/crio-" + cid + ".scope",
			pod("guaranteed")},
		{"kubepods, systemd, kind", "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/" +
			"kubelet-kubepods-besteffort-pod" + uid_ + ".slice/cri-containerd-" + cid + ".scope", pod("besteffort")},
		{"kubepods, mixed drivers", "/system.slice/containerd.service/kubepods-burstable-pod" + uid_ +
			".slice:cri-containerd:" + cid, pod("burstable")},
		{"the pod itself is not a container", "/kubepods/burstable/pod" + uid, nil},
		{"CRI-O's conmon is not a container", "/kubepods.slice/kubepods-pod" + uid_ + ".slice/crio-conmon-" + cid + ".scope", nil},
		{"static pod", "/kubepods/burstable/pod0123456789abcdef0123456789abcdef/" + cid, &Shard{
			Service: "pod-0123456789abcdef0123456789abcdef", Name: "3f4e8a5d0c1b", Runtime: "kubernetes",
			ContainerID: cid, PodUID: "0123456789abcdef0123456789abcdef", QosClass: "burstable"}},
		{"docker, cgroupfs", "/docker/" + cid, container("docker")},
		{"docker, systemd", "/system.slice/docker-" + cid + ".scope", container("docker")},
		{"docker in docker", "/docker/" + cid + "/docker/" + cid, container("docker")},
		{"nerdctl", "/system.slice/nerdctl-" + cid + ".scope", container("containerd")},
		{"containerd namespace", "/k8s.io/" + cid, container("containerd")},
		{"podman", "/machine.slice/libpod-" + cid + ".scope", container("podman")},
		{"podman, rootless", "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + cid + ".scope", container("podman")},
		{"podman, cgroupfs", "/libpod_parent/libpod-" + cid, container("podman")},
		{"podman's conmon", "/machine.slice/libpod-conmon-" + cid + ".scope", nil},
		{"mesos task", "/mesos/" + uid, &Shard{Service: "mesos-" + uid, Name: uid, Runtime: "mesos", ContainerID: uid}},
		{"inside a mesos task", "/mesos/" + uid + "/mesos", nil},
		{"systemd unit", "/system.slice/nginx.service", &Shard{Service: "nginx", Name: "nginx", Runtime: "systemd", HostScoped: true}},
		{"systemd template", "/system.slice/system-worker.slice/worker@3.service",
			&Shard{Service: "worker", Name: "worker@3", Runtime: "systemd", HostScoped: true}},
		{"systemd scope", "/init.scope", nil},
		{"a slice", "/system.slice", nil},
		{"root", "/", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, matched := allRules(t).Match(tc.path)
			require.Equal(t, tc.want != nil, matched)
			if matched {
				require.Equal(t, *tc.want, got)
			}
		})
	}
}

func TestPatternsAreRefusedWithAReason(t *testing.T) {
	for pattern, reason := range map[string]string{
		"lab/{service}/{shard}":         "must begin with /",
		"/lab/{service}":                "needs {service} and {shard}",
		"/lab/{service}/{service}":      "repeated {service",
		"/lab/{service}/{shard":         "open or repeated {shard",
		"/lab/{team}/{service}/{shard}": "unknown capture {team}",
	} {
		_, err := NewRule(pattern, "other")
		require.ErrorIs(t, err, ErrPattern, pattern)
		require.ErrorContains(t, err, reason, pattern)
	}
	_, err := Builtin("rkt")
	require.ErrorIs(t, err, ErrPattern)
}

func TestPatternPartsStayInOneSegment(t *testing.T) {
	rule, err := NewRule("/jobs.*/{service}.{shard}/run", "other")
	require.NoError(t, err)
	shard, matched := Rules{rule}.Match("/jobs.d/web.7/run")
	require.True(t, matched)
	require.Equal(t, Shard{Service: "web", Name: "7", Runtime: "other"}, shard)
	for _, path := range []string{"/jobs.d/x/web.7/run", "/jobsXd/web.7/run", "/jobs.d/web.7/run/deeper", "/jobs.d/.7/run"} {
		_, matched := Rules{rule}.Match(path)
		require.False(t, matched, path)
	}
}

func TestShardIDIsStableAndTellsIncarnationsApart(t *testing.T) {
	require.Equal(t, int64(8049166978215542754), ShardID("host-1", "/quotascope/lab/checkout/a1", 42))
	require.NotEqual(t, ShardID("h", "/p", 1), ShardID("h", "/p", 2))
	require.NotEqual(t, ShardID("h", "/p", 1), ShardID("h/", "p", 1))
}

func FuzzMatch(f *testing.F) {
	set := allRules(f)
	f.Add("/quotascope/lab/a/b")
	f.Add("/kubepods/pod" + uid + "/" + cid)
	f.Add("/system.slice/@.service")
	f.Fuzz(func(t *testing.T, path string) {
		if shard, matched := set.Match(path); matched {
			require.NotEmpty(t, shard.Name)
			require.NotEmpty(t, shard.Runtime)
		}
	})
}
