package naming

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// oci reads the bundles of running containers, in which containerd (for Kubernetes and nerdctl) and CRI-O
// annotate who a container is. Only root may read most of them.
type oci struct{ root string }

// bundle is the part of an OCI runtime configuration (config.json) that matters here.
type bundle struct {
	Annotations map[string]string `json:"annotations"`
}

// Folders of bundles, by the container's id.
func (o oci) folders(id string) []string {
	var folders []string
	for _, state := range []string{"run/containerd", "run/k3s/containerd"} {
		for _, namespace := range []string{"k8s.io", "default", "moby"} {
			folders = append(folders, filepath.Join(o.root, state, "io.containerd.runtime.v2.task", namespace, id))
		}
	}
	return append(folders, filepath.Join(o.root, "run/containers/storage/overlay-containers", id, "userdata"))
}

func (o oci) describe(shard *identity.Shard, _ string, _ bool) (described, error) {
	if shard.Runtime == "docker" || shard.Runtime == "mesos" {
		return described{}, fs.ErrNotExist
	}
	var refused error
	for _, folder := range o.folders(shard.ContainerID) {
		var made bundle
		err := readJSON(filepath.Join(folder, "config.json"), &made)
		if err == nil {
			return ofAnnotations(made.Annotations), nil
		}
		if refused == nil && !errors.Is(err, fs.ErrNotExist) {
			refused = err
		}
	}
	if refused != nil {
		return described{}, refused
	}
	return described{}, fs.ErrNotExist
}

// ofAnnotations reads the annotations of containerd's CRI plugin, of CRI-O and of nerdctl.
func ofAnnotations(notes map[string]string) described {
	said := described{Names: identity.Names{
		Namespace: notes["io.kubernetes.cri.sandbox-namespace"], Pod: notes["io.kubernetes.cri.sandbox-name"],
		Container: notes["io.kubernetes.cri.container-name"], Given: notes["nerdctl/name"], Labels: map[string]string{},
	}}
	said.sandbox = notes["io.kubernetes.cri.container-type"] == "sandbox" || notes["io.kubernetes.cri-o.ContainerType"] == "sandbox"
	for key, value := range notes {
		said.Labels[key] = value
	}
	var labels map[string]string
	if err := json.Unmarshal([]byte(notes["io.kubernetes.cri-o.Labels"]), &labels); err == nil {
		for key, value := range labels {
			said.Labels[key] = value
		}
	}
	return said
}
