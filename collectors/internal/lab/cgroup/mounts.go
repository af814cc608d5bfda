package cgroup

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Tree is one mounted cgroup hierarchy, with those of our controllers that live in it.
type Tree struct {
	// Mount is the directory at which the tree, or the part of it that we see, begins.
	Mount string `json:"mount"`
	// Controllers are those of cpu, cpuacct and pids that this tree answers for.
	Controllers []string `json:"controllers"`
}

// Layout is how this machine mounts the controllers that the lab needs.
type Layout struct {
	// Version is 1 when the cpu controller is on v1, also on hybrid machines, else 2.
	Version int    `json:"version"`
	Trees   []Tree `json:"trees"`
}

// ParseLayout finds the trees in the text of /proc/self/mountinfo, of which a line reads
//
//	34 25 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct
//
// with any number of optional fields before the lone dash.
func ParseLayout(mountinfo io.Reader) (Layout, error) {
	byController := map[string]string{}
	var unified string
	lines := bufio.NewScanner(mountinfo)
	for lines.Scan() {
		mount, filesystem, options, ok := mountOf(lines.Text())
		switch {
		case !ok:
		case filesystem == "cgroup2" && unified == "":
			unified = mount
		case filesystem == "cgroup":
			for _, option := range strings.Split(options, ",") {
				if _, known := byController[option]; !known {
					byController[option] = mount
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		return Layout{}, fmt.Errorf("reading mountinfo: %w", err)
	}
	if _, onV1 := byController["cpu"]; onV1 {
		return layoutV1(byController)
	}
	if unified == "" {
		return Layout{}, &Unavailable{"no cgroup tree is mounted", remedyMount}
	}
	return Layout{Version: 2, Trees: []Tree{{Mount: unified, Controllers: []string{"cpu", "pids"}}}}, nil
}

func layoutV1(byController map[string]string) (Layout, error) {
	layout := Layout{Version: 1}
	for _, controller := range []string{"cpu", "cpuacct", "pids"} {
		mount, mounted := byController[controller]
		if !mounted {
			problem := fmt.Sprintf("the cpu controller is on cgroup v1, but %s is not mounted there", controller)
			return Layout{}, &Unavailable{problem, remedyMount}
		}
		same := slices.IndexFunc(layout.Trees, func(t Tree) bool { return t.Mount == mount })
		if same < 0 {
			layout.Trees = append(layout.Trees, Tree{Mount: mount, Controllers: []string{controller}})
			continue
		}
		layout.Trees[same].Controllers = append(layout.Trees[same].Controllers, controller)
	}
	return layout, nil
}

func mountOf(line string) (mount, filesystem, options string, ok bool) {
	before, after, found := strings.Cut(line, " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !found || len(left) < 5 || len(right) < 3 {
		return "", "", "", false
	}
	// The kernel writes spaces, tabs, newlines and backslashes of a path as octal escapes.
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	return unescape.Replace(left[4]), right[0], right[2], true
}
