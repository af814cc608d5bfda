package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	removePatience = 10 * time.Second
	removeRetry    = 20 * time.Millisecond
)

// Removed says what was found and removed.
type Removed struct {
	Groups, Processes int
}

// Clear kills every process in a cgroup below the folder and removes these cgroups, in all trees.
// The folder itself stays, and so does the lock on it. Without the lock of the folder that stands
// there now it does nothing, so that a late cleaner cannot hurt the next lab.
func (f *Folder) Clear() (Removed, error) {
	killed := map[int]bool{}
	var removed Removed
	if !f.holdsLock() {
		return removed, nil
	}
	deadline := time.Now().Add(removePatience)
	for {
		left, err := f.clearOnce(killed, &removed)
		if left == 0 && err == nil {
			removed.Processes = len(killed)
			return removed, nil
		}
		if time.Now().After(deadline) {
			return removed, errors.Join(fmt.Errorf("%d cgroups below /%s are left after %v", left, f.Path, removePatience), err)
		}
		time.Sleep(removeRetry)
	}
}

// Remove removes a cgroup that nobody stands in any more.
func (g *Group) Remove() error {
	var failed error
	for _, dir := range g.Dirs {
		if err := os.Remove(dir.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// clearOnce kills and removes what it can. A killed process needs a moment to be gone, and one
// that sits out a throttled period needs longer, so the caller comes again.
func (f *Folder) clearOnce(killed map[int]bool, removed *Removed) (left int, err error) {
	for _, tree := range f.Layout.Trees {
		dirs, walkErr := cgroupsBelow(filepath.Join(tree.Mount, f.Path))
		err = errors.Join(err, walkErr)
		// Children come after their parents in the walk and must go first.
		for i := len(dirs) - 1; i >= 0; i-- {
			pids, readErr := pidsIn(dirs[i])
			if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
				err = errors.Join(err, readErr)
			}
			kill(pids, killed)
			if rmErr := os.Remove(dirs[i]); rmErr != nil && !errors.Is(rmErr, os.ErrNotExist) {
				left++
			} else {
				removed.Groups++
			}
		}
	}
	return left, err
}

// kill ends processes found in our own cgroups. A pid of 0 stands for a process outside our pid
// namespace, which we cannot name, and our own process never stands there.
func kill(pids []int, killed map[int]bool) {
	for _, pid := range pids {
		if pid > 1 && pid != os.Getpid() && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed[pid] = true
		}
	}
}

// cgroupsBelow lists the cgroups below a directory, parents first. A missing one holds none.
func cgroupsBelow(top string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil && entry.IsDir() && path != top {
			dirs = append(dirs, path)
		}
		return err
	})
	return dirs, err
}

// Remove removes the folder, which must have been cleared. Our home stays if somebody else uses
// it. The directory that carries the lock goes last: until then nobody can begin a new lab here.
func (f *Folder) Remove() error {
	if !f.holdsLock() {
		return nil
	}
	var failed error
	for i := len(f.Layout.Trees) - 1; i >= 0; i-- {
		mount := f.Layout.Trees[i].Mount
		if err := os.Remove(filepath.Join(mount, f.Path)); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		err := os.Remove(filepath.Join(mount, Home))
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.EBUSY) && !errors.Is(err, syscall.ENOTEMPTY) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Release removes the folder, if it is still there, goes back to where our process stood before,
// and gives the lock back.
func (f *Folder) Release() error {
	failed := f.Remove()
	if failed == nil {
		failed = f.leaveV2()
	}
	if f.lock != nil {
		failed = errors.Join(failed, f.lock.Close())
		f.lock = nil
	}
	return failed
}
