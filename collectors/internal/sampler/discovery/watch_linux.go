package discovery

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// note is one event of inotify.
type note struct {
	watch int32
	mask  uint32
	name  string
}

// watcher tells by inotify that cgroups were created or removed, or limits written. Only changes
// through the file system are seen; a rescan covers the rest.
type watcher struct {
	file *os.File
	fd   int
	// notes delivers in the kernel's order. What is not taken waits in the kernel's queue, which says
	// so when it overflows.
	notes chan []note
	ended chan struct{}
}

const (
	watchMask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_MODIFY |
		unix.IN_ONLYDIR
	// gather is how long changes are left in the kernel's queue after some were taken. A host that starts and ends many
	// containers makes several changes for each; waking for every one costs far more than heeding them together.
	gather = 20 * time.Millisecond
	// noWatch stands for a directory that is not watched. The kernel counts from 1.
	noWatch int32 = 0
)

// errWatchLimit tells that the kernel allows no further watch.
var errWatchLimit = errors.New("no inotify watch is left")

func newWatcher() (*watcher, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; raise fs.inotify.max_user_instances, now %s",
			errWatchLimit, err, kernelSetting("max_user_instances"))
	}
	w := &watcher{
		file: os.NewFile(uintptr(fd), "inotify"), fd: fd, notes: make(chan []note), ended: make(chan struct{}),
	}
	go w.read()
	return w, nil
}

// kernelSetting reads a setting of inotify for a message.
func kernelSetting(name string) string {
	text, err := os.ReadFile("/proc/sys/fs/inotify/" + name)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

// add watches a directory. Each watch costs the kernel about 1 KiB, charged to the user's limit.
func (w *watcher) add(path string) (int32, error) {
	watch, err := unix.InotifyAddWatch(w.fd, path, watchMask)
	if err == unix.ENOSPC || err == unix.ENOMEM {
		return noWatch, fmt.Errorf("%w: %w; raise fs.inotify.max_user_watches, now %s",
			errWatchLimit, err, kernelSetting("max_user_watches"))
	}
	if err != nil {
		return noWatch, fmt.Errorf("inotify %s: %w", path, err)
	}
	return int32(watch), nil
}

// remove ends a watch. It must be called for removed cgroups too: a watch holds the directory's inode,
// and cgroupfs never tells inotify that such an inode is dead.
func (w *watcher) remove(watch int32) { _, _ = unix.InotifyRmWatch(w.fd, uint32(watch)) }

// close ends the reading goroutine and all watches.
func (w *watcher) close() {
	_ = w.file.Close()
	close(w.ended)
}

func (w *watcher) read() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := w.file.Read(buffer)
		if err != nil {
			return
		}
		select {
		case w.notes <- decodeNotes(buffer[:n]):
		case <-w.ended:
			return
		}
		time.Sleep(gather)
	}
}

// decodeNotes reads struct inotify_event { int wd; uint32 mask, cookie, len; char name[len]; } and
// keeps what matters here.
func decodeNotes(events []byte) []note {
	var notes []note
	for len(events) >= unix.SizeofInotifyEvent {
		mask := binary.NativeEndian.Uint32(events[4:])
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:]))
		if end > len(events) {
			break
		}
		name := string(bytes.TrimRight(events[unix.SizeofInotifyEvent:end], "\x00"))
		if mask&(unix.IN_ISDIR|unix.IN_Q_OVERFLOW|unix.IN_IGNORED) != 0 || mask&unix.IN_MODIFY != 0 && isLimitFile(name) {
			notes = append(notes, note{watch: int32(binary.NativeEndian.Uint32(events)), mask: mask, name: name})
		}
		events = events[end:]
	}
	return notes
}
