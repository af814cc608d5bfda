package identity

import (
	"fmt"
	"regexp"
	"strings"
)

// BuiltinNames lists the built-in rule sets in the order in which they are tried.
func BuiltinNames() []string {
	return []string{"kubepods", "docker", "containerd", "podman", "mesos", "systemd"}
}

const (
	// id64 is the id of a container in Docker, containerd, CRI-O and Podman.
	id64 = `(?P<container_id>[0-9a-f]{64})`
	// podUID is a pod's uid, with underscores where the systemd driver may not use dashes. Static
	// pods have the plain hash of their manifest instead.
	podUID = `(?P<pod_uid>[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})`
	qos    = `(?P<qos_class>burstable|besteffort|guaranteed)`
	uuid   = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
)

// Builtin returns the named rule set.
func Builtin(name string) (Rules, error) {
	switch name {
	case "kubepods":
		return rules("kubernetes", namePod,
			// cgroupfs driver, also below a kubelet --cgroup-root.
			`^(?:/[^/]+)*/kubepods(?:/`+qos+`)?/pod`+podUID+`/`+id64+`$`,
			// systemd driver: scopes of containerd, CRI-O and cri-dockerd.
			`^(?:/[^/]+)*/[a-z-]*kubepods\.slice(?:/[a-z-]*kubepods-`+qos+`\.slice)?/[a-z-]*kubepods(?:-[a-z]+)?-pod`+
				podUID+`\.slice/(?:cri-containerd|crio|docker)-`+id64+`\.scope$`,
			// containerd without the systemd driver under a kubelet that has it.
			`^(?:/[^/]+)*/kubepods(?:-`+qos+`)?-pod`+podUID+`\.slice:cri-containerd:`+id64+`$`,
		), nil
	case "docker":
		return rules("docker", nameContainer,
			`^(?:/[^/]+)*/docker/`+id64+`$`,
			`^(?:/[^/]+)*/docker-`+id64+`\.scope$`,
		), nil
	case "containerd":
		return rules("containerd", nameContainer,
			`^(?:/[^/]+)*/(?:cri-containerd|nerdctl)-`+id64+`\.scope$`,
			`^/(?:default|k8s\.io|moby|buildkit)/`+id64+`$`,
		), nil
	case "podman":
		return rules("podman", nameContainer,
			`^(?:/[^/]+)*/libpod-`+id64+`(?:\.scope)?$`,
		), nil
	case "mesos":
		return rules("mesos", nameTask,
			`^/mesos/(?P<container_id>`+uuid+`)$`,
		), nil
	case "systemd":
		return rules("systemd", nameUnit,
			`^(?:/[^/]+\.slice)+/(?P<shard>[^/@][^/]*)\.service$`,
		), nil
	}
	return nil, fmt.Errorf("%w: no built-in rules %q, only %s", ErrPattern, name, strings.Join(BuiltinNames(), ", "))
}

func rules(runtime string, name func(*Shard), patterns ...string) Rules {
	var set Rules
	for _, pattern := range patterns {
		set = append(set, Rule{runtime: runtime, pattern: regexp.MustCompile(pattern), name: name})
	}
	return set
}

// shortID is as much of a container id as the engines themselves show.
func shortID(id string) string { return id[:12] }

func namePod(shard *Shard) {
	if shard.QosClass == "" {
		shard.QosClass = "guaranteed" // the class that has no folder of its own
	}
	shard.Service, shard.Name = "pod-"+shard.PodUID, shortID(shard.ContainerID)
}

func nameContainer(shard *Shard) {
	shard.Name = shortID(shard.ContainerID)
	shard.Service = shard.Runtime + "-" + shard.Name
}

func nameTask(shard *Shard) {
	shard.Name = shard.ContainerID
	shard.Service = "mesos-" + shard.ContainerID
}

// nameUnit makes instances of a template, worker@3, shards of one service, worker.
func nameUnit(shard *Shard) {
	shard.Service, _, _ = strings.Cut(shard.Name, "@")
	shard.HostScoped = true
}
