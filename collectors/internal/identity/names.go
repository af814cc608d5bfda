package identity

import (
	"regexp"
	"strings"
)

// Names are what a container's runtime or the kubelet wrote down about it. What is not known is empty.
type Names struct {
	// Namespace, Pod and Container are Kubernetes' names.
	Namespace string
	Pod       string
	Container string
	// Given is the name that a person, or the engine itself, gave to a plain container.
	Given string
	// Labels are all labels and annotations of the container.
	Labels map[string]string
}

// Labels by which tools that deploy containers say what they deployed.
const (
	swarmService   = "com.docker.swarm.service.name"
	composeProject = "com.docker.compose.project"
	composeService = "com.docker.compose.service"
	ecsFamily      = "com.amazonaws.ecs.task-definition-family"
	ecsContainer   = "com.amazonaws.ecs.container-name"
	podName        = "io.kubernetes.pod.name"
	podNamespace   = "io.kubernetes.pod.namespace"
	podContainer   = "io.kubernetes.container.name"
)

// Call names a shard by what is known about its container. It reports false, and changes nothing, when
// that is not enough. The rules, first match wins:
//
//	a pod's container        namespace/workload/container   shard = the pod's name
//	Docker Swarm             the service's name             shard = the short container id, here and below
//	Docker Compose           project/service
//	Amazon ECS               family/container
//	a container with a name  that name
//
// node is the Kubernetes node's name, which static pods carry in theirs.
func Call(shard *Shard, names Names, node string) bool {
	label := func(key string) string { return names.Labels[key] }
	pod := first(names.Pod, label(podName))
	namespace, container := first(names.Namespace, label(podNamespace)), first(names.Container, label(podContainer))
	switch {
	case pod != "" && namespace != "" && container != "":
		shard.Service = namespace + "/" + Workload(pod, shard.PodUID, node) + "/" + container
		shard.Name = pod
		return true
	case shard.PodUID != "":
		return false
	case label(swarmService) != "":
		shard.Service = label(swarmService)
	case label(composeProject) != "" && label(composeService) != "":
		shard.Service = label(composeProject) + "/" + label(composeService)
	case label(ecsFamily) != "" && label(ecsContainer) != "":
		shard.Service = label(ecsFamily) + "/" + label(ecsContainer)
	case names.Given != "":
		shard.Service = names.Given
	default:
		return false
	}
	return true
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Kubernetes makes suffixes of these letters, so that they spell nothing
// (k8s.io/apimachinery/pkg/util/rand: no vowels, no 0, 1, 3).
const suffixLetters = `[bcdfghjklmnpqrstvwxz2456789]`

var (
	// A Deployment's pod: the hash of the template (a 32-bit number in the letters above), five letters.
	deploymentPod = regexp.MustCompile(`^(.+)-` + suffixLetters + `{6,10}-` + suffixLetters + `{5}$`)
	// A CronJob's pod: the scheduled minute since the Unix epoch, an index perhaps, five letters.
	cronPod = regexp.MustCompile(`^(.+)-[0-9]{8,10}(?:-[0-9]+)?-` + suffixLetters + `{5}$`)
	// An indexed Job's pod.
	indexedPod = regexp.MustCompile(`^(.+)-[0-9]+-` + suffixLetters + `{5}$`)
	// The pod of a DaemonSet, a Job or a bare ReplicaSet.
	setPod = regexp.MustCompile(`^(.+)-` + suffixLetters + `{5}$`)
	// A StatefulSet's pod.
	statefulPod = regexp.MustCompile(`^(.+)-[0-9]+$`)
	// manifestHash is the uid of a static pod.
	manifestHash = regexp.MustCompile(`^[0-9a-f]{32}$`)
)

// Workload derives the name of what made a pod from the pod's name: what is left without the suffixes
// that Kubernetes adds. A suffix is told by its form only, so a DaemonSet whose own name ends like the
// hash of a template (node-cdfghj) loses that part; its service is then named shorter, on all hosts alike.
func Workload(pod, uid, node string) string {
	if manifestHash.MatchString(uid) && node != "" {
		if own, isStatic := strings.CutSuffix(pod, "-"+node); isStatic && own != "" {
			return own
		}
	}
	for _, form := range []*regexp.Regexp{cronPod, deploymentPod, indexedPod, setPod, statefulPod} {
		if parts := form.FindStringSubmatch(pod); parts != nil {
			return parts[1]
		}
	}
	return pod
}
