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

// settleV2 chooses where in the v2 tree the folder goes: below the root of all cgroups if we may
// write there, else below our own cgroup, if it was delegated to us.
func (f *Folder) settleV2() error {
	tree := &f.Layout.Trees[0]
	if isRootV2(tree.Mount) && writable(tree.Mount) {
		return orDelegate(enable(tree.Mount, tree.Controllers), tree.Mount)
	}
	own, err := ownCgroup()
	if err != nil {
		return err
	}
	tree.Mount = filepath.Join(tree.Mount, own)
	if isRootV2(tree.Mount) || !writable(tree.Mount) {
		return &Unavailable{"no right to create cgroups in " + tree.Mount, remedyRoot}
	}
	// The kernel would let us hand on cpu and pids although processes stand here, but then all
	// children were invalid; so we look first.
	pids, err := pidsIn(tree.Mount)
	if err != nil {
		return err
	}
	if !slices.Equal(pids, []int{os.Getpid()}) {
		return &Unavailable{tree.Mount + " holds other processes, so v2 lets nobody limit groups below it", remedyDelegate}
	}
	leaf := filepath.Join(tree.Mount, leafName)
	if err := mkdir(leaf); err != nil {
		return err
	}
	if err := Enter([]string{filepath.Join(leaf, "cgroup.procs")}); err != nil {
		return err
	}
	f.Leaf = leaf
	return orDelegate(enable(tree.Mount, tree.Controllers), tree.Mount)
}

// isRootV2 tells the root of all cgroups, the only one with processes and limited children at
// once, from the root of a namespace: it alone has no type.
func isRootV2(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "cgroup.type"))
	return errors.Is(err, os.ErrNotExist)
}

func writable(dir string) bool {
	const writeOk = 2
	return syscall.Access(dir, writeOk) == nil
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
	// Whoever came second finds the leaf already gone.
	if err := os.Remove(f.Leaf); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f.Leaf = ""
	return nil
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
