package identity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorkloadIsThePodWithoutWhatKubernetesAdds(t *testing.T) {
	const static = "0123456789abcdef0123456789abcdef"
	for pod, want := range map[string]string{
		"coredns-5d78c9869d-8xbzr":               "coredns",
		"checkout-api-7f9c6d4bb5-x2k9z":          "checkout-api",
		"web-5d78c9869d":                         "web-5d78c9869d", // no pod of a Deployment ends here
		"kube-proxy-x7k2m":                       "kube-proxy",
		"backup-28493760-9kqzd":                  "backup",
		"import-28493760-3-9kqzd":                "import",
		"train-3-9kqzd":                          "train",
		"postgres-0":                             "postgres",
		"kafka-broker-12":                        "kafka-broker",
		"debug":                                  "debug",
		"my-shell":                               "my-shell", // a vowel: no suffix of Kubernetes
		"etcd-control-plane":                     "etcd-control-plane",
		"node-exporter-prometheus-bcdfghj-zzzzz": "node-exporter-prometheus",
	} {
		require.Equal(t, want, Workload(pod, uid, "node-1"), pod)
	}
	require.Equal(t, "kube-apiserver", Workload("kube-apiserver-node-1", static, "node-1"))
	require.Equal(t, "kube-apiserver-node", Workload("kube-apiserver-node-1", static, "other"), "without the node's name it is guessed")
}

func TestCall(t *testing.T) {
	pod := Shard{Runtime: "kubernetes", Service: "pod-" + uid, Name: "3f4e8a5d0c1b", ContainerID: cid, PodUID: uid}
	plain := Shard{Runtime: "docker", Service: "docker-3f4e8a5d0c1b", Name: "3f4e8a5d0c1b", ContainerID: cid}
	for _, tc := range []struct {
		name           string
		shard          Shard
		names          Names
		service, shown string
	}{
		{"pod", pod, Names{Namespace: "shop", Pod: "cart-5d78c9869d-8xbzr", Container: "app"}, "shop/cart/app", "cart-5d78c9869d-8xbzr"},
		{"pod by labels", pod, Names{Labels: map[string]string{"io.kubernetes.pod.name": "db-0",
			"io.kubernetes.pod.namespace": "shop", "io.kubernetes.container.name": "postgres"}}, "shop/db/postgres", "db-0"},
		{"pod of which only the pod is known", pod, Names{Namespace: "shop", Pod: "cart-5d78c9869d-8xbzr"}, "", ""},
		{"swarm", plain, Names{Given: "web.1.abc", Labels: map[string]string{"com.docker.swarm.service.name": "web"}}, "web", "3f4e8a5d0c1b"},
		{"compose", plain, Names{Given: "shop-cart-2", Labels: map[string]string{"com.docker.compose.project": "shop",
			"com.docker.compose.service": "cart"}}, "shop/cart", "3f4e8a5d0c1b"},
		{"ecs", plain, Names{Labels: map[string]string{"com.amazonaws.ecs.task-definition-family": "shop",
			"com.amazonaws.ecs.container-name": "cart"}}, "shop/cart", "3f4e8a5d0c1b"},
		{"named by a person", plain, Names{Given: "postgres-main"}, "postgres-main", "3f4e8a5d0c1b"},
		{"nothing known", plain, Names{Labels: map[string]string{"maintainer": "x"}}, "", ""},
	} {
		shard := tc.shard
		named := Call(&shard, tc.names, "node-1")
		require.Equal(t, tc.service != "", named, tc.name)
		if named {
			require.Equal(t, []string{tc.service, tc.shown}, []string{shard.Service, shard.Name}, tc.name)
			continue
		}
		require.Equal(t, tc.shard, shard, tc.name)
	}
}

func TestUnescapeUnit(t *testing.T) {
	for name, want := range map[string]string{
		`a\x2db`: "a-b", `a\x2`: `a\x2`, `a\xzz`: `a\xzz`, `\x2f`: "/", `\x0a`: `\x0a`, "plain": "plain",
	} {
		require.Equal(t, want, unescapeUnit(name))
	}
}
