package cgroupfs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ErrNoHierarchy is returned when no mounted hierarchy states CPU usage per cgroup.
var ErrNoHierarchy = errors.New("no cgroup hierarchy with CPU usage is mounted")

// Mount is one cgroup mount of /proc/self/mountinfo.
type Mount struct {
	Point string
	// Unified is true for cgroup2.
	Unified bool
	// Controllers of a v1 mount: cpu, cpuacct, pids.
	Controllers []string
	// ReadOnly tells that the mount cannot be written.
	ReadOnly bool
}

// ParseMountinfo returns the cgroup mounts of /proc/self/mountinfo in order:
//
//	32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
//	41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
//
// The optional fields before " - " vary in number. Source: proc_pid_mountinfo(5).
func ParseMountinfo(r io.Reader) ([]Mount, error) {
	var mounts []Mount
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		before, after, found := strings.Cut(scanner.Text(), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !found || len(left) < 6 || len(right) < 1 {
			return nil, fmt.Errorf("mountinfo: %w: %q", ErrFormat, clip(scanner.Bytes()))
		}
		mount := Mount{
			Point:    unescape(left[4]),
			Unified:  right[0] == "cgroup2",
			ReadOnly: slices.Contains(strings.Split(left[5], ","), "ro"),
		}
		if right[0] == "cgroup" && len(right) >= 3 {
			mount.Controllers = strings.Split(right[2], ",")
		}
		if mount.Unified || mount.Controllers != nil {
			mounts = append(mounts, mount)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("mountinfo: %w", err)
	}
	return mounts, nil
}

// unescape undoes the octal escapes that mountinfo uses for blanks and backslashes.
func unescape(path string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(path)
}

// Version names which hierarchy holds the cpu controller. The values are the schema's symbols.
type Version string

// Versions of a host's hierarchies.
const (
	V1     Version = "v1"
	V2     Version = "v2"
	Hybrid Version = "hybrid"
)

// Trees says where each controller of a cgroup is found: the same cgroup path is joined to every
// mount point. An empty point is a controller that this host does not have.
type Trees struct {
	Version Version
	// CPU is the tree that is walked and whose inode names the incarnation.
	CPU    string
	Usage  string
	Pids   string
	Cpuset string
}

// Unified reports whether CPU, the tree of quotas, is a v2 tree.
func (t Trees) Unified() bool { return t.Version == V2 }

// Resolve picks the trees. v1 wins when it has the cpu controller, because a controller is attached
// to one hierarchy only and a v2 tree beside it then states no quota. unifiedControllers is the text
// of cgroup.controllers at the root of the v2 mount, empty when there is none.
func Resolve(mounts []Mount, unifiedControllers string) (Trees, error) {
	var trees Trees
	unified := ""
	for _, mount := range mounts {
		if mount.Unified {
			unified = firstOf(unified, mount.Point)
			continue
		}
		for _, controller := range mount.Controllers {
			switch controller {
			case "cpu":
				trees.CPU = firstOf(trees.CPU, mount.Point)
			case "cpuacct":
				trees.Usage = firstOf(trees.Usage, mount.Point)
			case "pids":
				trees.Pids = firstOf(trees.Pids, mount.Point)
			case "cpuset":
				trees.Cpuset = firstOf(trees.Cpuset, mount.Point)
			}
		}
	}
	switch {
	case trees.CPU != "" && trees.Usage != "" && unified != "":
		trees.Version = Hybrid
	case trees.CPU != "" && trees.Usage != "":
		trees.Version = V1
	case unified != "":
		controllers := strings.Fields(unifiedControllers)
		trees.Version, trees.CPU, trees.Usage = V2, unified, unified
		if slices.Contains(controllers, "pids") {
			trees.Pids = unified
		}
		if slices.Contains(controllers, "cpuset") {
			trees.Cpuset = unified
		}
	default:
		return Trees{}, ErrNoHierarchy
	}
	return trees, nil
}

func firstOf(present, candidate string) string {
	if present != "" {
		return present
	}
	return candidate
}
