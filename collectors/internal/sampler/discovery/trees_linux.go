package discovery

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
)

// ResolveTrees finds the cgroup trees of this host in the mount table below procRoot. Only mounts at
// or below cgroupRoot count: a container sees its own hierarchy beside the host's.
func ResolveTrees(procRoot, cgroupRoot string) (cgroupfs.Trees, error) {
	file, err := os.Open(filepath.Join(procRoot, "self", "mountinfo"))
	if err != nil {
		return cgroupfs.Trees{}, err
	}
	defer file.Close()
	mounts, err := cgroupfs.ParseMountinfo(file)
	if err != nil {
		return cgroupfs.Trees{}, err
	}
	mounts = slices.DeleteFunc(mounts, func(m cgroupfs.Mount) bool {
		return m.Point != cgroupRoot && !strings.HasPrefix(m.Point, strings.TrimSuffix(cgroupRoot, "/")+"/")
	})
	controllers := ""
	for _, mount := range mounts {
		if mount.Unified {
			text, err := os.ReadFile(filepath.Join(mount.Point, "cgroup.controllers"))
			if err != nil {
				return cgroupfs.Trees{}, err
			}
			controllers = string(text)
			break
		}
	}
	return cgroupfs.Resolve(mounts, controllers)
}
