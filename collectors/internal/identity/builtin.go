package identity

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// BuiltinNames lists the built-in rule sets in the order in which they are tried.
func BuiltinNames() []string {
	return []string{"kubepods", "docker", "containerd", "podman", "mesos", "lxc", "systemd"}
}

const (
	// id64 is the id of a container in Docker, containerd, CRI-O and Podman.
	id64 = `(?P<container_id>[0-9a-f]{64})`
	// podUID is a pod's uid, with underscores where the systemd driver may not use dashes. Static
	// pods have the plain hash of their manifest instead.
	podUID = `(?P<pod_uid>[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})`
	qos    = `(?P<qos_class>burstable|besteffort|guaranteed)`
	uuid   = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
	// above is any number of folders: a kubelet's --cgroup-root, a container that is a node, a user's slice.
	above = `^(?:/[^/]+)*`
	// slices are folders of systemd, or of a user's own systemd.
	slices = `^(?:/[^/]+\.slice)+(?:/user@[0-9]+\.service(?:/[^/]+\.slice)*)?`
)

// Builtin returns the named rule set.
func Builtin(name string) (Rules, error) {
	switch name {
	case "kubepods":
		return rules("kubernetes", namePod,
			// cgroupfs driver; CRI-O puts its name before the id.
			above+`/kubepods(?:/`+qos+`)?/pod`+podUID+`/(?:crio-)?`+id64+`$`,
			// systemd driver: scopes of containerd, CRI-O and cri-dockerd. Some runtimes forget the suffix.
			above+`/[a-z-]*kubepods\.slice(?:/[a-z-]*kubepods-`+qos+`\.slice)?/[a-z-]*kubepods(?:-[a-z]+)?-pod`+
				podUID+`\.slice/(?:cri-containerd|crio|docker)-`+id64+`(?:\.scope)?$`,
			// a runtime without the systemd driver under a kubelet that has it.
			above+`/[a-z-]*kubepods(?:-`+qos+`)?-pod`+podUID+`\.slice:(?:cri-containerd|crio):`+id64+`$`,
			above+`/kubepods(?:/kubepods-`+qos+`)?/kubepods(?:-[a-z]+)?-pod`+podUID+`/`+id64+`$`,
		), nil
	case "docker":
		return rules("docker", nameContainer,
			above+`/docker/`+id64+`$`,
			above+`/docker-`+id64+`\.scope$`,
			above+`/[^/]+\.slice:docker:`+id64+`$`,
			// Amazon ECS on EC2, with and without the cluster, and hosted runners of GitHub Actions.
			`^/ecs/(?:[^/]+/)?[0-9a-f-]{32,36}/`+id64+`$`,
			`^/actions_job/`+id64+`$`,
		), nil
	case "containerd":
		return rules("containerd", nameContainer,
			above+`/(?:cri-containerd|nerdctl)-`+id64+`\.scope$`,
			`^/(?:default|k8s\.io|moby|buildkit)/`+id64+`$`,
		), nil
	case "podman":
		return rules("podman", nameContainer,
			above+`/libpod-`+id64+`(?:\.scope)?$`,
		), nil
	case "mesos":
		return rules("mesos", nameTask,
			`^/mesos/(?P<container_id>`+uuid+`)$`,
		), nil
	case "lxc":
		return rules("other", nameMachine,
			`^/lxc(?:\.payload\.|/)(?P<shard>[^/]+)$`,
		), nil
	case "systemd":
		return rules("systemd", nameUnit,
			slices+`/(?P<shard>[^/@][^/]*)\.service$`,
			slices+`/(?P<shard>[^/@][^/]*\.scope)$`,
		), nil
	}
	return nil, fmt.Errorf("%w: no built-in rules %q, only %s", ErrPattern, name, strings.Join(BuiltinNames(), ", "))
}

func rules(runtime string, name func(*Shard) bool, patterns ...string) Rules {
	var set Rules
	for _, pattern := range patterns {
		set = append(set, Rule{runtime: runtime, pattern: regexp.MustCompile(pattern), name: name})
	}
	return set
}

// shortID is as much of a container id as the engines themselves show.
func shortID(id string) string { return id[:12] }

func namePod(shard *Shard) bool {
	if shard.QosClass == "" {
		shard.QosClass = "guaranteed" // the class that has no folder of its own
	}
	shard.Service, shard.Name = "pod-"+shard.PodUID, shortID(shard.ContainerID)
	return true
}

func nameContainer(shard *Shard) bool {
	shard.Name = shortID(shard.ContainerID)
	shard.Service = shard.Runtime + "-" + shard.Name
	return true
}

func nameTask(shard *Shard) bool {
	shard.Name = shard.ContainerID
	shard.Service = "mesos-" + shard.ContainerID
	return true
}

// nameMachine takes the name that a person gave to a system container.
func nameMachine(shard *Shard) bool {
	shard.Service, shard.HostScoped = shard.Name, true
	return true
}

// userManager is the unit of a user's own systemd, and managerScope where that systemd itself runs. The
// children of the former are units, so it is none itself.
const (
	userManager  = "user@"
	managerScope = "init"
)

var (
	// virtualMachine is the scope that libvirt has made for a machine, numbered by start.
	virtualMachine = regexp.MustCompile(`^machine-(?:qemu|lxc)-[0-9]+-(.+)$`)
	// numbered is a scope that is named after a session, a process or a request: session-4, run-u17,
	// run-p812-i813, run-r followed by 32 digits of hexadecimal, app-gnome-firefox-4711; or after the
	// container of a runtime that no rule knows.
	numbered = regexp.MustCompile(`^(.+?)(?:-[rupi]?(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9]+))+$`)
	// conmon is the process that watches over a container of CRI-O or Podman; it is no container.
	conmon = regexp.MustCompile(`^(?:crio|libpod)-conmon-[0-9a-f]{64}$`)
)

// nameUnit makes instances of a template, worker@3, shards of one service, worker; and numbered scopes,
// session-4, shards of session.
func nameUnit(shard *Shard) bool {
	unit, isScope := strings.CutSuffix(shard.Name, ".scope")
	unit = unescapeUnit(unit)
	switch {
	case !isScope && strings.HasPrefix(unit, userManager):
		return false
	case isScope && (unit == managerScope || conmon.MatchString(unit)):
		return false
	}
	shard.Name, shard.HostScoped = unit, true
	shard.Service, _, _ = strings.Cut(unit, "@")
	if !isScope {
		return true
	}
	if machine := virtualMachine.FindStringSubmatch(unit); machine != nil {
		shard.Service = machine[1]
	} else if scope := numbered.FindStringSubmatch(unit); scope != nil {
		shard.Service = scope[1]
	}
	return shard.Service != ""
}

// unescapeUnit undoes systemd's escapes: machine-qemu\x2d1\x2dweb. Source: systemd-escape(1).
func unescapeUnit(name string) string {
	var plain strings.Builder
	for rest := name; rest != ""; {
		before, after, found := strings.Cut(rest, `\x`)
		plain.WriteString(before)
		if !found {
			break
		}
		if len(after) < 2 {
			plain.WriteString(`\x` + after)
			break
		}
		if code, err := strconv.ParseUint(after[:2], 16, 8); err == nil && code >= ' ' && code < 0x7f {
			plain.WriteByte(byte(code))
		} else {
			plain.WriteString(`\x` + after[:2])
		}
		rest = after[2:]
	}
	return plain.String()
}
