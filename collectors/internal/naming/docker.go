package naming

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// docker reads what the Docker daemon keeps about each container. Only root may.
type docker struct{ root string }

// dockerConfig is the part of config.v2.json that matters here.
type dockerConfig struct {
	Name   string `json:"Name"`
	Config struct {
		Labels map[string]string `json:"Labels"`
	} `json:"Config"`
}

func (d docker) describe(shard *identity.Shard, _ string, _ bool) (described, error) {
	if shard.Runtime != "docker" && shard.Runtime != "kubernetes" {
		return described{}, fs.ErrNotExist
	}
	var config dockerConfig
	path := filepath.Join(d.root, "var/lib/docker/containers", shard.ContainerID, "config.v2.json")
	if err := readJSON(path, &config); err != nil {
		return described{}, err
	}
	return described{
		Names:   identity.Names{Given: strings.TrimPrefix(config.Name, "/"), Labels: config.Config.Labels},
		sandbox: config.Config.Labels["io.kubernetes.docker.type"] == "podsandbox",
	}, nil
}
