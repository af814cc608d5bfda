package spool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// quick are options whose upkeep tries a failed disk at once.
func quick(folder string, told *witness) spool.Options {
	o := options(folder, told)
	o.Upkeep = 5 * time.Millisecond
	return o
}

// smallDisk mounts a file system of the stated size.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	folder := t.TempDir()
	require.NoError(t, unix.Mount("tmpfs", folder, "tmpfs", 0, "size="+size))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(folder, unix.MNT_DETACH)) })
	return folder
}

func fill(t *testing.T, folder string) (ballast string) {
	t.Helper()
	ballast = filepath.Join(folder, "ballast")
	file, err := os.Create(ballast)
	require.NoError(t, err)
	defer file.Close()
	for chunk := make([]byte, 4096); err == nil; {
		_, err = file.Write(chunk)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	return ballast
}

func recovered(t *testing.T, told *witness) {
	t.Helper()
	require.Eventually(t, func() bool { told.mu.Lock(); defer told.mu.Unlock(); return told.recovered > 0 }, 10*time.Second, time.Millisecond)
}

func TestFullDiskIsBridgedByMemoryWithoutLossOrDisorder(t *testing.T) {
	disk := smallDisk(t, "256k")
	told := &witness{}
	s := spool.NewDisk(quick(filepath.Join(disk, "spool"), told))
	defer s.Close()
	s.Append(numbered(0, 100))
	ballast := fill(t, disk)
	for number := 100; number < 2000; number += 100 {
		s.Append(numbered(number, 100))
	}
	require.True(t, told.said("no space left on device"))
	require.False(t, s.Backlog().Durable)
	require.Equal(t, 2000, s.Backlog().Records)
	held := s.Hold(150, 1<<20)
	require.Subset(t, counting(0, 150), numbersOf(t, held), "reading goes on while the disk is full")
	s.Release(nil)

	require.NoError(t, os.Remove(ballast))
	recovered(t, told)
	require.True(t, s.Backlog().Durable)
	s.Append(numbered(2000, 100))
	require.Equal(t, counting(len(held), 2100-len(held)), drain(t, s))
	require.Zero(t, told.droppedInAll())
}

func TestFullDiskAndFullMemoryLoseTheOldestOfTheMemoryAndCount(t *testing.T) {
	disk := smallDisk(t, "256k")
	told := &witness{}
	o := quick(filepath.Join(disk, "spool"), told)
	o.MemoryBytes = 50 * size
	s := spool.NewDisk(o)
	defer s.Close()
	s.Append(numbered(0, 10))
	fill(t, disk)
	for number := 10; number < 400; number++ {
		s.Append(numbered(number, 1))
	}
	numbers := drain(t, s)
	require.Equal(t, counting(0, 10), numbers[:10])
	require.Equal(t, 399, numbers[len(numbers)-1])
	require.Equal(t, 400-len(numbers), told.dropped(spool.ReasonMemory))
	require.Positive(t, told.dropped(spool.ReasonMemory))
}

func TestFullDiskAtStartAndAtTheEnd(t *testing.T) {
	disk := smallDisk(t, "64k")
	fill(t, disk)
	told := &witness{}
	s := spool.NewDisk(quick(filepath.Join(disk, "spool"), told))
	s.Append(numbered(0, 30))
	require.Equal(t, counting(0, 10), numbersOf(t, s.Hold(10, 1<<20)))
	s.Release(nil)
	kept, lost := s.Close()
	require.Zero(t, kept)
	require.Equal(t, 20, lost, "who stops without a disk is told what goes")
}

func TestReadOnlyDiskKeepsWhatItHasAndIsUsedAgain(t *testing.T) {
	disk := smallDisk(t, "256k")
	told := &witness{}
	o := quick(filepath.Join(disk, "spool"), told)
	earlier := spool.NewDisk(o)
	earlier.Append(numbered(0, 50))
	earlier.Close()
	require.NoError(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	s := spool.NewDisk(o)
	defer s.Close()
	require.True(t, told.said("read-only file system"))
	s.Append(numbered(50, 50))
	require.NoError(t, unix.Mount("", disk, "", unix.MS_REMOUNT, ""))
	recovered(t, told)
	require.Equal(t, counting(0, 100), drain(t, s))
	require.Zero(t, told.droppedInAll())
}

func TestFolderWithoutPermission(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("taking rights away from one thread needs root")
	}
	root := t.TempDir()
	require.NoError(t, os.Chmod(root, 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(root), 0o755))
	told := &witness{}
	o := options(filepath.Join(root, "spool"), told)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, unix.Setfsuid(65534))
	s := spool.NewDisk(o)
	require.NoError(t, unix.Setfsuid(0))
	require.True(t, told.said("permission denied"))
	s.Append(numbered(0, 5))
	require.Equal(t, counting(0, 5), drain(t, s))
	s.Close()
}

func TestFileInPlaceOfTheFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spool")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	told := &witness{}
	s := spool.NewDisk(quick(path, told))
	defer s.Close()
	s.Append(numbered(0, 5))
	require.True(t, told.said("not a directory"))
	require.NoError(t, os.Remove(path))
	recovered(t, told)
	require.Equal(t, counting(0, 5), drain(t, s))
}

func TestFolderOfAnotherProcess(t *testing.T) {
	folder := t.TempDir()
	first, told := spool.NewDisk(options(folder, &witness{})), &witness{}
	first.Append(numbered(0, 10))
	second := spool.NewDisk(quick(folder, told))
	defer second.Close()
	require.True(t, told.said("another process uses it (pid "))
	second.Append(numbered(10, 10))
	require.Equal(t, counting(10, 4), numbersOf(t, second.Hold(4, 1<<20)), "it delivers from memory meanwhile")
	first.Close()
	recovered(t, told)
	second.Release(nil)
	require.Equal(t, append(counting(0, 10), counting(14, 6)...), drain(t, second), "what the other process left, then our own")
}

func TestFolderThatIsRemovedIsMadeAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "spool")
	told := &witness{}
	s := spool.NewDisk(quick(folder, told))
	defer s.Close()
	s.Append(numbered(0, 10))
	held := s.Hold(4, 1<<20)
	require.NoError(t, os.RemoveAll(folder))
	recovered(t, told)
	require.Equal(t, counting(0, 4), numbersOf(t, held), "held ones may be on the wire")
	s.Release(nil)
	require.Equal(t, 6, told.dropped(spool.ReasonCorrupt))
	s.Append(numbered(10, 10))
	require.Equal(t, counting(10, 10), drain(t, s))
}

// What waits in memory is younger than what is on disk: it has to wait too while the disk cannot be read for now.
func TestMemoryNeverOvertakesADiskThatCannotBeReadForNow(t *testing.T) {
	disk := smallDisk(t, "256k")
	require.NoError(t, os.Chmod(disk, 0o755))
	folder, told := filepath.Join(disk, "spool"), &witness{}
	earlier := spool.NewDisk(options(folder, told))
	earlier.Append(numbered(0, 10))
	earlier.Close()
	s := spool.NewDisk(options(folder, told))
	defer s.Close()
	ballast := fill(t, disk)
	s.Append(numbered(10, 10))
	require.False(t, s.Backlog().Durable)

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, unix.Setfsuid(65534))
	held := s.Hold(100, 1<<20)
	require.NoError(t, unix.Setfsuid(0))
	require.Empty(t, held)
	require.True(t, told.said("reading the spool has to wait"))
	require.Equal(t, counting(0, 20), drain(t, s))
	require.Zero(t, told.droppedInAll())
	require.NoError(t, os.Remove(ballast))
}
