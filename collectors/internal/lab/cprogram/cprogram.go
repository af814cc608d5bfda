// Package cprogram compiles the small C programs that the lab uses where Go's runtime would disturb
// what is measured.
package cprogram

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Compile makes a static program of one source text in a folder, and returns its path. Static, so that
// it also runs where there is no C library.
func Compile(source []byte, folder, name string) (string, error) {
	program := filepath.Join(folder, name)
	compile := exec.Command("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-static", "-pthread",
		"-x", "c", "-o", program, "-")
	compile.Stdin = bytes.NewReader(source)
	if out, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling %s (is gcc with a static C library installed?): %w\n%s", name, err, out)
	}
	return program, nil
}
