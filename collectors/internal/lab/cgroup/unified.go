package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// leafName is the cgroup to which the lab itself moves when it stands where its tree must grow:
// v2 allows no process in a cgroup that hands controllers to its children.
const leafName = "cfslab-supervisor"

// settleV2 chooses where in the v2 tree the folder goes: at the mount point if we may, else in
// our own cgroup, which is ours if it was delegated to us.
func (f *Folder) settleV2() error {
	tree := &f.Layout.Trees[0]
	atMount := enable(tree.Mount, tree.Controllers)
	if atMount == nil && syscall.Access(tree.Mount, 2) == nil {
		return nil
	}
	own, err := ownCgroup()
	if err != nil {
		return err
	}
	if own == "/" {
		return orDelegate(atMount, tree.Mount)
	}
	tree.Mount = filepath.Join(tree.Mount, own)
	if enable(tree.Mount, tree.Controllers) == nil {
		return nil
	}
	pids, err := pidsIn(tree.Mount)
	if err != nil || !slices.Equal(pids, []int{os.Getpid()}) {
		return &Unavailable{fmt.Sprintf("%s holds other processes, so v2 lets nobody limit groups below it", tree.Mount), remedyDelegate}
	}
	leaf := filepath.Join(tree.Mount, leafName)
	if err := mkdir(leaf); err != nil {
		return err
	}
	f.Leaf = leaf
	if err := Enter([]string{filepath.Join(leaf, "cgroup.procs")}); err != nil {
		return err
	}
	return orDelegate(enable(tree.Mount, tree.Controllers), tree.Mount)
}

// leaveV2 undoes settleV2's move, once the folder is gone.
func (f *Folder) leaveV2() error {
	if f.Leaf == "" {
		return nil
	}
	tree := f.Layout.Trees[0]
	control := filepath.Join(tree.Mount, "cgroup.subtree_control")
	if err := os.WriteFile(control, []byte("-"+strings.Join(tree.Controllers, " -")), 0o644); err != nil {
		return err
	}
	if err := Enter([]string{filepath.Join(tree.Mount, "cgroup.procs")}); err != nil {
		return err
	}
	return os.Remove(f.Leaf)
}

// enable hands controllers to the children of a cgroup, if they do not have them yet.
func enable(dir string, controllers []string) error {
	control := filepath.Join(dir, "cgroup.subtree_control")
	enabled, err := os.ReadFile(control)
	if err != nil {
		return err
	}
	offered, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return err
	}
	for _, controller := range controllers {
		if slices.Contains(strings.Fields(string(enabled)), controller) {
			continue
		}
		if !slices.Contains(strings.Fields(string(offered)), controller) {
			return &Unavailable{fmt.Sprintf("the %s controller is not available in %s", controller, dir), remedyDelegate}
		}
		if err := os.WriteFile(control, []byte("+"+controller), 0o644); err != nil {
			return fmt.Errorf("enabling %s: %w", controller, err)
		}
	}
	return nil
}

// orDelegate turns a refusal of the kernel into an answer that says what to do.
func orDelegate(err error, dir string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return &Unavailable{"no right to hand controllers to children of " + dir, remedyRoot}
	case errors.Is(err, syscall.EBUSY):
		return &Unavailable{dir + " holds processes, so v2 lets nobody limit groups below it", remedyDelegate}
	}
	return err
}

// ownCgroup returns the path of our v2 cgroup from the "0::/path" line of /proc/self/cgroup.
func ownCgroup() (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for _, line := range strings.Split(string(text), "\n") {
		if path, found := strings.CutPrefix(line, "0::"); found {
			return path, nil
		}
	}
	return "", &Unavailable{"/proc/self/cgroup names no v2 cgroup", remedyMount}
}

func pidsIn(dir string) ([]int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, field := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("%s/cgroup.procs: %w", dir, err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
