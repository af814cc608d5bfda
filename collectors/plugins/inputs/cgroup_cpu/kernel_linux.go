package cgroup_cpu

import (
	"errors"
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/hostlock"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/sampler/tickpoll"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// useKernel finds this host's cgroups. Which back end reads them is chosen at the start, because asking the kernel for
// eBPF means using it.
func (c *CgroupCPU) useKernel() error {
	trees, err := discovery.ResolveTrees(c.ProcRoot, c.CgroupRoot)
	if err != nil {
		return fmt.Errorf("proc_root %q, cgroup_root %q: %w", c.ProcRoot, c.CgroupRoot, err)
	}
	c.lockRoot = trees.CPU
	options := tickpoll.Options{
		Trees: trees, ProcRoot: c.ProcRoot, Rules: c.rules, Names: c.names, MaxCgroups: c.MaxCgroups, MaxServices: c.MaxServices,
		Log: c.Log,
	}
	c.choose = func() error {
		if c.Backend == backendTickPoll {
			return c.poll(options)
		}
		measuring, err := ebpf.New(ebpf.Options{
			Trees: trees, ProcRoot: c.ProcRoot, Rules: c.rules, Names: c.names, MaxCgroups: c.MaxCgroups,
			MaxServices: c.MaxServices, RunnableThreads: c.RunnableThreads, ThreadNames: c.ThreadNames,
			HardwareCounters: c.HardwareCounters, Log: c.Log,
		})
		switch {
		case err == nil:
			c.backend, c.agent.Method = measuring, usagewindow.MethodEbpf
			c.Log.Infof("back end ebpf: exact slices")
			return nil
		case c.Backend == backendEbpf:
			return fmt.Errorf("backend %q: %w", c.Backend, err)
		}
		c.Log.Warnf("back end tick_poll, because the exact one is not available: %v", err)
		return c.poll(options)
	}
	return nil
}

func (c *CgroupCPU) poll(options tickpoll.Options) (err error) {
	c.agent.Method = usagewindow.MethodTickPoll
	c.backend, err = tickpoll.New(options)
	return err
}

// lockHost keeps a second agent from measuring the same tree.
func (c *CgroupCPU) lockHost() (releaser, error) {
	lock, err := hostlock.Take(c.lockRoot, c.ProcRoot)
	switch {
	case errors.Is(err, hostlock.ErrHeld):
		return nil, fmt.Errorf("%w; stop it, or say exclusive = false if both are wanted (--test needs neither)", err)
	case err != nil:
		c.Log.Warnf("nothing keeps a second collector off this host: %v", err)
		return nil, nil
	}
	return lock, nil
}
