//go:build unix

package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// lockFile takes the lock of a folder, which the kernel releases when the process ends in whatever way.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(file, 32))
		file.Close() //nolint:errcheck // It was opened to look only.
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another process uses it (pid %s)", strings.TrimSpace(string(holder)))
		}
		return nil, fmt.Errorf("lock of %s: %w", path, err)
	}
	if err := file.Truncate(0); err == nil {
		fmt.Fprintln(file, os.Getpid()) //nolint:errcheck // The number only helps whoever finds the folder taken.
	}
	return file, nil
}
