package naming

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// podman reads the lists of containers of Podman's storage: root's, and that of a user for cgroups in the
// user's slice.
type podman struct {
	root  string
	lists map[string]*storedList
}

// storedList is one containers.json as last read.
type storedList struct {
	looked, changed time.Time
	size            int64
	names           map[string]string
}

// stored is an entry of containers.json (containers/storage).
type stored struct {
	ID    string   `json:"id"`
	Names []string `json:"names"`
}

var userSlice = regexp.MustCompile(`/user-([0-9]+)\.slice/`)

func newPodman(root string) *podman { return &podman{root: root, lists: map[string]*storedList{}} }

func (p *podman) describe(shard *identity.Shard, path string, _ bool) (described, error) {
	if shard.Runtime != "podman" {
		return described{}, fs.ErrNotExist
	}
	folder := "var/lib/containers/storage"
	if user := userSlice.FindStringSubmatch(path); user != nil {
		home, err := p.homeOf(user[1])
		if err != nil {
			return described{}, err
		}
		folder = filepath.Join(home, ".local/share/containers/storage")
	}
	names, err := p.read(filepath.Join(p.root, folder, "overlay-containers/containers.json"))
	if err != nil {
		return described{}, err
	}
	if name := names[shard.ContainerID]; name != "" {
		return described{Names: identity.Names{Given: name}}, nil
	}
	return described{}, errNotYet
}

// read returns the names by id, reading a list again only when it changed.
func (p *podman) read(path string) (map[string]string, error) {
	list := p.lists[path]
	if list != nil && time.Since(list.looked) < listAgainAfter {
		return list.names, nil
	}
	about, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if list != nil && list.changed.Equal(about.ModTime()) && list.size == about.Size() {
		list.looked = time.Now()
		return list.names, nil
	}
	var entries []stored
	if err := readJSON(path, &entries); err != nil {
		return nil, err
	}
	list = &storedList{looked: time.Now(), changed: about.ModTime(), size: about.Size(), names: map[string]string{}}
	for _, entry := range entries {
		if len(entry.Names) > 0 {
			list.names[entry.ID] = entry.Names[0]
		}
	}
	p.lists[path] = list
	return list.names, nil
}

// homeOf looks a user's home up in the host's passwd file.
func (p *podman) homeOf(uid string) (string, error) {
	file, err := os.Open(filepath.Join(p.root, "etc/passwd"))
	if err != nil {
		return "", err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) == 7 && fields[2] == uid {
			return fields[5], nil
		}
	}
	return "", fs.ErrNotExist
}
