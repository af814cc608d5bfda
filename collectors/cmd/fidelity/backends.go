package main

import (
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/sampler/tickpoll"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// The methods that are compared.
const (
	methodEbpf   = "ebpf"
	methodPoll   = "tick_poll SCHED_FIFO"
	methodNormal = "tick_poll unprivileged"
	methodStock  = "inputs.cgroup 10 ms"
)

// ourMethods are the methods of ours that this machine can run; it says why one cannot.
func ourMethods() []string {
	methods := []string{methodPoll, methodNormal}
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	if err == nil {
		var probe *ebpf.Backend
		if probe, err = ebpf.New(ebpfOptions(trees, nil)); err == nil {
			probe.Close()
			return append([]string{methodEbpf}, methods...)
		}
	}
	fmt.Printf("the exact back end cannot run here: %v\n", err)
	return methods
}

func ebpfOptions(trees cgroupfs.Trees, rules identity.Rules) ebpf.Options {
	return ebpf.Options{Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, RunnableThreads: true, Log: watchLog{}}
}

// newBackend makes the back end of a method of ours.
func newBackend(method string, trees cgroupfs.Trees, rules identity.Rules) (sampler.Backend, usagewindow.Method, error) {
	switch method {
	case methodEbpf:
		backend, err := ebpf.New(ebpfOptions(trees, rules))
		return backend, usagewindow.MethodEbpf, err
	case methodPoll, methodNormal:
		backend, err := tickpoll.New(tickpoll.Options{
			Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, Log: watchLog{},
		})
		return backend, usagewindow.MethodTickPoll, err
	}
	return nil, "", fmt.Errorf("no method %q", method)
}
