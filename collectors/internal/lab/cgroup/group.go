package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
)

// tasksMax keeps a run-away shard from filling the machine's process table.
const tasksMax = 1024

// Group is the cgroup of one shard, in every tree it exists in.
type Group struct {
	// Path is the same in all trees, seen from their mount points: /quotascope/lab/checkout/shard-0.
	Path string
	// Dirs are its directories with their inodes, one per tree; the cpu tree comes first.
	Dirs    []Dir
	version int

	cpuDir, cpuacctDir, pidsDir string
}

// Dir is a cgroup's directory in one tree. The inode tells two incarnations of a path apart.
type Dir struct {
	Path        string   `json:"path"`
	Inode       uint64   `json:"inode"`
	Controllers []string `json:"controllers"`
}

// Limits are what a shard may use.
type Limits struct {
	// Bandwidth nil means unlimited.
	Bandwidth *cfs.Bandwidth
	// CpuShares is the weight on the v1 scale (default 1024).
	CpuShares int64
}

// Create makes the cgroup of a shard and limits it. It must not exist yet, so that its counters
// start at zero.
func (f *Folder) Create(service, shard string, limits Limits) (*Group, error) {
	group := &Group{Path: "/" + filepath.Join(f.Path, service, shard), version: f.Layout.Version}
	for _, tree := range f.Layout.Trees {
		parent := filepath.Join(tree.Mount, f.Path, service)
		if err := mkdir(parent); err != nil {
			return nil, err
		}
		if f.Layout.Version == 2 {
			if err := enable(parent, tree.Controllers); err != nil {
				return nil, err
			}
		}
		// Neighbours compete level by level: the services as one, then the shards of each.
		if err := weigh(f.Layout.Version, tree, parent, limits.CpuShares); err != nil {
			return nil, err
		}
		if err := group.add(tree, filepath.Join(parent, shard)); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(group.pidsDir, "pids.max"), []byte(strconv.Itoa(tasksMax)), 0o644); err != nil {
		return nil, err
	}
	return group, group.Limit(limits)
}

func (g *Group) add(tree Tree, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("new cgroup: %w", err)
	}
	var status syscall.Stat_t
	if err := syscall.Stat(dir, &status); err != nil {
		return fmt.Errorf("stat %s: %w", dir, err)
	}
	g.Dirs = append(g.Dirs, Dir{Path: dir, Inode: status.Ino, Controllers: tree.Controllers})
	for _, controller := range tree.Controllers {
		switch controller {
		case "cpu":
			g.cpuDir = dir
		case "cpuacct":
			g.cpuacctDir = dir
		case "pids":
			g.pidsDir = dir
		}
	}
	return nil
}

// Limit applies limits, also while the shard runs.
func (g *Group) Limit(limits Limits) error {
	periodUs, err := g.periodInForceUs()
	if err != nil {
		return err
	}
	for _, setting := range g.settings(limits, periodUs) {
		path := filepath.Join(g.cpuDir, setting.file)
		if err := os.WriteFile(path, []byte(setting.value), 0o644); err != nil {
			return fmt.Errorf("setting %q: %w", setting.value, err)
		}
	}
	return nil
}

type setting struct{ file, value string }

// settings are the files to write, in order. v1 keeps quota and period in two files and checks
// them against each other at each write: a new period needs the limit lifted for a moment, the
// same period does not, and then nobody ever sees the group unlimited.
func (g *Group) settings(limits Limits, periodInForceUs int64) []setting {
	weight := weightSetting(g.version, limits.CpuShares)
	if g.version == 2 {
		if limits.Bandwidth == nil {
			return []setting{weight, {"cpu.max", "max"}}
		}
		return []setting{weight, {"cpu.max", fmt.Sprintf("%d %d", limits.Bandwidth.QuotaUs, limits.Bandwidth.PeriodUs)}}
	}
	written := []setting{weight}
	if limits.Bandwidth == nil {
		return append(written, setting{"cpu.cfs_quota_us", "-1"})
	}
	if limits.Bandwidth.PeriodUs != periodInForceUs {
		written = append(written, setting{"cpu.cfs_quota_us", "-1"},
			setting{"cpu.cfs_period_us", strconv.FormatInt(limits.Bandwidth.PeriodUs, 10)})
	}
	return append(written, setting{"cpu.cfs_quota_us", strconv.FormatInt(limits.Bandwidth.QuotaUs, 10)})
}

// weightSetting is the weight as each version wants it. The kernel maps v1's default of 1024 to
// v2's default of 100.
func weightSetting(version int, cpuShares int64) setting {
	if version == 2 {
		return setting{"cpu.weight", strconv.FormatInt(max(1, cpuShares*100/1024), 10)}
	}
	return setting{"cpu.shares", strconv.FormatInt(cpuShares, 10)}
}

// periodInForceUs reads the period that v1 has at the moment; v2 sets both at once and needs none.
func (g *Group) periodInForceUs() (int64, error) {
	if g.version == 2 {
		return 0, nil
	}
	text, err := os.ReadFile(filepath.Join(g.cpuDir, "cpu.cfs_period_us"))
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// Entrance is how a new process gets into the cgroup before it does any work.
type Entrance struct {
	// CloneInto, on v2, is the directory to hand to clone3. The caller closes it.
	CloneInto *os.File
	// ProcsFiles, on v1, are the files into which the process writes itself before its exec.
	ProcsFiles []string
}

// Entrance opens the way in.
func (g *Group) Entrance() (Entrance, error) {
	if g.version == 2 {
		dir, err := os.Open(g.cpuDir)
		return Entrance{CloneInto: dir}, err
	}
	return Entrance{ProcsFiles: g.ProcsFiles()}, nil
}

// ProcsFiles are the files into which a process writes itself to enter the cgroup after its start.
func (g *Group) ProcsFiles() []string {
	files := make([]string, 0, len(g.Dirs))
	// The cpu tree comes last: from then on the process is under its quota.
	for i := len(g.Dirs) - 1; i >= 0; i-- {
		files = append(files, filepath.Join(g.Dirs[i].Path, "cgroup.procs"))
	}
	return files
}

// Admit moves a running process into the cgroup.
func (g *Group) Admit(pid int) error {
	for _, path := range g.ProcsFiles() {
		if err := os.WriteFile(path, []byte(strconv.Itoa(pid)), 0o644); err != nil {
			return fmt.Errorf("admitting %d: %w", pid, err)
		}
	}
	return nil
}

// Enter moves the calling process into the cgroup of the given cgroup.procs files.
func Enter(procsFiles []string) error {
	for _, path := range procsFiles {
		if err := os.WriteFile(path, []byte("0"), 0o644); err != nil {
			return fmt.Errorf("entering: %w", err)
		}
	}
	return nil
}

func mkdir(path string) error {
	err := os.Mkdir(path, 0o755)
	if err == nil || errors.Is(err, os.ErrExist) {
		return nil
	}
	if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &Unavailable{"no right to create " + path, remedyRoot}
	}
	return fmt.Errorf("new cgroup: %w", err)
}
