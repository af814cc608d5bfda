// Package hostlock keeps a second collector from measuring the same host: its records would count
// every core twice.
package hostlock

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrHeld tells that another process measures this host.
var ErrHeld = errors.New("another collector already measures this host")

// Lock is held until Release or the end of the process, however that comes.
type Lock struct{ fd int }

// Take locks the root folder of a cgroup tree. All containers that see the host's tree see the same
// inode, whatever namespaces they have, so the lock reaches as far as the measurement does; nothing
// is written, no right is needed, and the kernel frees it with the process. A container that sees
// only its own part of the tree measures another thing and locks another inode.
func Take(treeRoot, procRoot string) (*Lock, error) {
	fd, err := unix.Open(treeRoot, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("lock of %s: %w", treeRoot, err)
	}
	err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return &Lock{fd: fd}, nil
	}
	defer unix.Close(fd)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("%w: %s holds the lock of %s", ErrHeld, holder(fd, procRoot), treeRoot)
	}
	return nil, fmt.Errorf("lock of %s: %w", treeRoot, err)
}

// Release lets another collector begin.
func (l *Lock) Release() { _ = unix.Close(l.fd) }

// holder names the process that has locked the open file, as far as this process may see it.
func holder(fd int, procRoot string) string {
	const unseen = "a process in another pid namespace"
	var status unix.Stat_t
	if err := unix.Fstat(fd, &status); err != nil {
		return unseen
	}
	file, err := os.Open(filepath.Join(procRoot, "locks"))
	if err != nil {
		return unseen
	}
	defer file.Close()
	// 1: FLOCK  ADVISORY  WRITE 31387 00:26:1 0 EOF
	inode := fmt.Sprintf("%02x:%02x:%d", unix.Major(status.Dev), unix.Minor(status.Dev), status.Ino)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 6 || words[1] != "FLOCK" || words[5] != inode || strings.HasPrefix(words[4], "-") || words[4] == "0" {
			continue
		}
		name, err := os.ReadFile(filepath.Join(procRoot, words[4], "comm"))
		if err != nil {
			return "process " + words[4]
		}
		return fmt.Sprintf("process %s (%s)", words[4], strings.TrimSpace(string(name)))
	}
	return unseen
}
