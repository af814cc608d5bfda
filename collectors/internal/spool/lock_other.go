//go:build !unix

package spool

import "os"

// lockFile opens the file without a lock: two agents on one folder are not noticed on this system.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
