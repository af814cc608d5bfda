package cgroup_cpu

import (
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/tickpoll"
)

// useKernel makes the back end that reads this host's cgroups.
func (c *CgroupCPU) useKernel() error {
	trees, err := discovery.ResolveTrees(c.ProcRoot, c.CgroupRoot)
	if err != nil {
		return fmt.Errorf("proc_root %q, cgroup_root %q: %w", c.ProcRoot, c.CgroupRoot, err)
	}
	c.backend, err = tickpoll.New(tickpoll.Options{
		Trees: trees, ProcRoot: c.ProcRoot, Rules: c.rules, MaxCgroups: c.MaxCgroups, Log: c.Log,
	})
	return err
}
