//go:build !linux

package cgroup_cpu

import "errors"

// useKernel has nothing to read: cgroups are Linux's.
func (*CgroupCPU) useKernel() error {
	return errors.New("cgroups need Linux; set trace to replay recorded ones")
}

// lockHost has nothing to lock.
func (*CgroupCPU) lockHost() (releaser, error) { return nil, nil }
