package discovery

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// change says what to look at again.
type change struct {
	tree   bool
	limits bool
}

// watcher tells by inotify that cgroups were created or removed, or limits written. Only writes
// through the file system are seen; a periodic scan covers the rest.
type watcher struct {
	file *os.File
	fd   int

	mu      sync.Mutex
	watched map[string]int32
	paths   map[int32]string

	// changes has room for one: further changes are folded into it.
	changes chan change
}

const watchMask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_MODIFY |
	unix.IN_ONLYDIR

func newWatcher() (*watcher, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("inotify: %w", err)
	}
	w := &watcher{
		file: os.NewFile(uintptr(fd), "inotify"), fd: fd,
		watched: map[string]int32{}, paths: map[int32]string{}, changes: make(chan change, 1),
	}
	go w.read()
	return w, nil
}

// add watches a directory. Adding one twice is free.
func (w *watcher) add(path string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, already := w.watched[path]; already {
		return nil
	}
	wd, err := unix.InotifyAddWatch(w.fd, path, watchMask)
	if err != nil {
		return fmt.Errorf("inotify %s: %w; fs.inotify.max_user_watches may be too low", path, err)
	}
	w.watched[path], w.paths[int32(wd)] = int32(wd), path
	return nil
}

// close ends the watching goroutine.
func (w *watcher) close() { _ = w.file.Close() }

func (w *watcher) read() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := w.file.Read(buffer)
		if err != nil {
			return
		}
		w.fold(w.decode(buffer[:n]))
	}
}

// decode reads struct inotify_event { int wd; uint32 mask, cookie, len; char name[len]; }.
func (w *watcher) decode(events []byte) (seen change) {
	for len(events) >= unix.SizeofInotifyEvent {
		wd := int32(binary.NativeEndian.Uint32(events))
		mask := binary.NativeEndian.Uint32(events[4:])
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:]))
		name := string(bytes.TrimRight(events[unix.SizeofInotifyEvent:end], "\x00"))
		events = events[end:]
		switch {
		case mask&unix.IN_IGNORED != 0:
			w.forget(wd)
		case mask&unix.IN_Q_OVERFLOW != 0:
			seen = change{tree: true, limits: true}
		case mask&unix.IN_ISDIR != 0:
			seen.tree = true
		case mask&unix.IN_MODIFY != 0 && isLimitFile(name):
			seen.limits = true
		}
	}
	return seen
}

// forget drops a watch that the kernel removed with its directory.
func (w *watcher) forget(wd int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if path, known := w.paths[wd]; known {
		delete(w.paths, wd)
		if w.watched[path] == wd {
			delete(w.watched, path)
		}
	}
}

// fold adds a change to the one that waits. It is only called by the reading goroutine.
func (w *watcher) fold(seen change) {
	if seen == (change{}) {
		return
	}
	select {
	case waiting := <-w.changes:
		seen = change{tree: seen.tree || waiting.tree, limits: seen.limits || waiting.limits}
	default:
	}
	w.changes <- seen
}
