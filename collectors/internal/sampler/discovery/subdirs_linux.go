package discovery

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// subdir is one directory entry. On cgroupfs its inode is the cgroup's, so that a listing tells
// incarnations apart without a stat for each.
type subdir struct {
	name  string
	inode uint64
}

// Offsets in struct linux_dirent64 { u64 ino; s64 off; u16 reclen; u8 type; char name[]; }.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// listSubdirs lists the subdirectories of path by name, using buffer for reading.
func listSubdirs(path string, buffer []byte) ([]subdir, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var found []subdir
	for {
		n, err := unix.Getdents(fd, buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			slices.SortFunc(found, func(a, b subdir) int { return strings.Compare(a.name, b.name) })
			return found, nil
		}
		found = appendSubdirs(found, buffer[:n])
	}
}

func appendSubdirs(found []subdir, entries []byte) []subdir {
	for len(entries) > direntName {
		length := int(binary.NativeEndian.Uint16(entries[direntLength:]))
		if length <= direntName || length > len(entries) {
			return found
		}
		entry := entries[:length]
		entries = entries[length:]
		if entry[direntType] != unix.DT_DIR {
			continue
		}
		name, _, _ := bytes.Cut(entry[direntName:], []byte{0})
		if string(name) == "." || string(name) == ".." {
			continue
		}
		found = append(found, subdir{name: string(name), inode: binary.NativeEndian.Uint64(entry)})
	}
	return found
}

// inodeOf returns the inode of a directory, or false when there is none.
func inodeOf(path string) (uint64, bool) {
	var status unix.Stat_t
	if err := unix.Stat(path, &status); err != nil || status.Mode&unix.S_IFMT != unix.S_IFDIR {
		return 0, false
	}
	return status.Ino, true
}
