// Package cgroup makes, limits, reads and removes the lab's own cgroups, on v1 and on v2.
//
// It reads the kernel's counters with code of its own, on purpose: the lab's figures are the truth
// that the collector is judged by, so the two must not share a parser.
//
// Everything it touches lies in one folder, quotascope/<name>, of each tree; it never kills or
// removes anything outside of it.
package cgroup

import "fmt"

// Unavailable says that cgroups cannot be had here, and what somebody can do about it.
type Unavailable struct {
	Problem, Remedy string
}

func (u *Unavailable) Error() string { return fmt.Sprintf("%s; %s", u.Problem, u.Remedy) }

// Busy says that another lab holds the folder.
type Busy struct {
	Path string
}

func (b *Busy) Error() string {
	return fmt.Sprintf("another lab runs in %s; stop it first, or choose another folder with --root", b.Path)
}

const (
	remedyRoot     = "run as root, or from a delegated cgroup v2 subtree (systemd-run --user --scope -p Delegate=yes -- cfslab run)"
	remedyDelegate = "start cfslab alone in a delegated scope (systemd-run --scope -p Delegate=yes -- cfslab run)"
	remedyMount    = "mount the controllers cpu, cpuacct and pids (v1), or cgroup2 with cpu and pids"
)
