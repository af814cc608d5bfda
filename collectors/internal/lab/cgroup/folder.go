package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"
)

// Home is the only folder in which we make cgroups.
const Home = "quotascope"

// homeCpuShares is the weight of our home and folder against the rest of the machine. A cgroup
// weighs as much as one single thread outside of it unless told otherwise, so on a busy machine
// the whole lab would starve and nobody would be throttled. Hosts that promise CPU to services
// weigh them likewise; what the lab can take is bounded by its quotas and its offered load.
const homeCpuShares = 64 * 1024

const (
	lockPatience = 2 * time.Second
	lockRetry    = 50 * time.Millisecond
)

var folderName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// Folder is quotascope/<name> in every tree: the lab's own part of them. Its fields can be sent
// to another process of the same lab as JSON.
type Folder struct {
	Layout Layout `json:"layout"`
	// Path is relative to the mount points.
	Path string `json:"path"`
	// Leaf, on v2 and only when we had to make room, is the cgroup our own process moved to.
	Leaf string `json:"leaf,omitempty"`

	lock *os.File
}

// Find returns the folder of that name on this machine without touching anything.
func Find(name string) (*Folder, error) {
	if !folderName.MatchString(name) {
		return nil, fmt.Errorf("--root %q: want a single name of letters, digits, - and _", name)
	}
	mountinfo, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer mountinfo.Close()
	layout, err := ParseLayout(mountinfo)
	if err != nil {
		return nil, err
	}
	return &Folder{Layout: layout, Path: filepath.Join(Home, name)}, nil
}

// Acquire makes the folder and locks it, so that two labs cannot share it. The lock sits on the
// folder itself: it dies with its last holder and needs no file elsewhere.
func Acquire(name string) (*Folder, error) {
	folder, err := Find(name)
	if err != nil {
		return nil, err
	}
	if err := folder.acquire(); err != nil {
		return nil, errors.Join(err, folder.leaveV2())
	}
	return folder, nil
}

func (f *Folder) acquire() error {
	if f.Layout.Version == 2 {
		if err := f.settleV2(); err != nil {
			return err
		}
	}
	deadline := time.Now().Add(lockPatience)
	for {
		locked, err := f.tryLock()
		if locked || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return &Busy{Path: "/" + f.Path}
		}
		time.Sleep(lockRetry)
	}
}

// Lock returns the locked directory; a process that inherits it holds the lock too.
func (f *Folder) Lock() *os.File { return f.lock }

// tryLock makes the folder and tries to lock it once. The previous holder may remove the folder
// between our open and our lock; then we hold the lock of a dead directory and must try again.
func (f *Folder) tryLock() (bool, error) {
	if err := f.make(); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	path := filepath.Join(f.Layout.Trees[0].Mount, f.Path)
	dir, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		dir.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, nil
		}
		return false, fmt.Errorf("locking %s: %w", path, err)
	}
	f.lock = dir
	if !f.holdsLock() {
		f.lock = nil
		dir.Close()
		return false, nil
	}
	return true, nil
}

// Adopt takes over the lock from an inherited file descriptor.
func (f *Folder) Adopt(lock *os.File) { f.lock = lock }

// holdsLock reports whether our lock is that of the directory that stands at the path now.
func (f *Folder) holdsLock() bool {
	if f.lock == nil {
		return false
	}
	held, errHeld := f.lock.Stat()
	current, errCurrent := os.Stat(filepath.Join(f.Layout.Trees[0].Mount, f.Path))
	return errHeld == nil && errCurrent == nil && os.SameFile(held, current)
}

func (f *Folder) make() error {
	for _, tree := range f.Layout.Trees {
		for _, path := range []string{filepath.Join(tree.Mount, Home), filepath.Join(tree.Mount, f.Path)} {
			if err := mkdir(path); err != nil {
				return err
			}
			if f.Layout.Version == 2 {
				if err := enable(path, tree.Controllers); err != nil {
					return err
				}
			}
			if err := weigh(f.Layout.Version, tree, path, homeCpuShares); err != nil {
				return err
			}
		}
	}
	return nil
}

// weigh sets a cgroup's weight against its neighbours, if the tree is the one of the cpu controller.
func weigh(version int, tree Tree, dir string, cpuShares int64) error {
	if !slices.Contains(tree.Controllers, "cpu") {
		return nil
	}
	weight := weightSetting(version, cpuShares)
	return os.WriteFile(filepath.Join(dir, weight.file), []byte(weight.value), 0o644)
}
