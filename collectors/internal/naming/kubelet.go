package naming

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// kubelet reads the links that the kubelet makes for log shippers, which everybody may list:
//
//	/var/log/containers/<pod>_<namespace>_<container>-<container id>.log
//	  -> /var/log/pods/<namespace>_<pod>_<pod uid>/<container>/<restarts>.log
//
// A link appears just after its container has started, and none ever for a pod's sandbox.
type kubelet struct {
	folder string
	listed time.Time
	// byContainer and pods are what the last listing said: names by container id, and uids of pods of
	// which at least one container is known.
	byContainer map[string]identity.Names
	pods        map[string]bool
}

const (
	// listAgainAfter bounds how often a folder is listed for containers that are not in it yet.
	listAgainAfter = 250 * time.Millisecond
	// mostLinks bounds what a listing may hold; a node has some hundred.
	mostLinks = 20_000
)

func newKubelet(root string) *kubelet {
	return &kubelet{folder: filepath.Join(root, "var/log/containers")}
}

func (k *kubelet) describe(shard *identity.Shard, _ string, final bool) (described, error) {
	if shard.PodUID == "" {
		return described{}, fs.ErrNotExist
	}
	names, known := k.byContainer[shard.ContainerID]
	if !known && (final || time.Since(k.listed) >= listAgainAfter) {
		if err := k.list(); err != nil {
			return described{}, err
		}
		names, known = k.byContainer[shard.ContainerID]
	}
	switch {
	case known:
		return described{Names: names}, nil
	case final && k.pods[shard.PodUID]:
		return described{sandbox: true}, nil
	}
	return described{}, errNotYet
}

// list reads the folder anew. What is gone from it is forgotten.
func (k *kubelet) list() error {
	k.listed = time.Now()
	folder, err := os.Open(k.folder)
	if err != nil {
		return err
	}
	defer folder.Close()
	links, err := folder.Readdirnames(mostLinks)
	if err != nil && !errors.Is(err, io.EOF) { // an empty folder answers io.EOF
		return err
	}
	k.byContainer, k.pods = make(map[string]identity.Names, len(links)), map[string]bool{}
	for _, link := range links {
		names, id, ok := parseLogLink(link)
		if !ok {
			continue
		}
		k.byContainer[id] = names
		if target, err := os.Readlink(filepath.Join(k.folder, link)); err == nil {
			k.pods[podUIDOf(target)] = true
		}
	}
	return nil
}

// parseLogLink takes a link's name apart. Pods, namespaces and containers have no underscore in theirs.
func parseLogLink(link string) (names identity.Names, id string, ok bool) {
	parts := strings.Split(strings.TrimSuffix(link, ".log"), "_")
	if len(parts) != 3 || !strings.HasSuffix(link, ".log") {
		return identity.Names{}, "", false
	}
	dash := strings.LastIndexByte(parts[2], '-')
	if dash <= 0 || parts[0] == "" || parts[1] == "" || len(parts[2])-dash-1 != 64 {
		return identity.Names{}, "", false
	}
	return identity.Names{Pod: parts[0], Namespace: parts[1], Container: parts[2][:dash]}, parts[2][dash+1:], true
}

// podUIDOf returns the pod's uid of a link's target, or nothing.
func podUIDOf(target string) string {
	pod := filepath.Base(filepath.Dir(filepath.Dir(target)))
	return pod[strings.LastIndexByte(pod, '_')+1:]
}
