package main

import (
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
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

// ourMethods are the methods of ours that this machine can run.
func ourMethods() []string { return []string{methodPoll, methodNormal} }

// newBackend makes the back end of a method of ours.
func newBackend(method string, trees cgroupfs.Trees, rules identity.Rules) (sampler.Backend, usagewindow.Method, error) {
	switch method {
	case methodPoll, methodNormal:
		backend, err := tickpoll.New(tickpoll.Options{
			Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, Log: watchLog{},
		})
		return backend, usagewindow.MethodTickPoll, err
	}
	return nil, "", fmt.Errorf("no method %q", method)
}
