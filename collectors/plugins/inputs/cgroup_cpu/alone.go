package cgroup_cpu

import (
	"sync"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
)

// releaser ends a lock.
type releaser interface{ Release() }

// ShareHost lets the plugin run beside another collector, because nothing it gathers is sent.
func (c *CgroupCPU) ShareHost() { c.Exclusive = false }

// takeLock keeps a second collector off this host, where that is wanted.
func (c *CgroupCPU) takeLock() (err error) {
	if c.Exclusive && c.lockRoot != "" {
		c.lock, err = c.lockHost()
	}
	return err
}

func (c *CgroupCPU) releaseLock() {
	if c.lock != nil {
		c.lock.Release()
		c.lock = nil
	}
}

// numberings are those of this process, by host id. They outlive the instances that a reload replaces.
type numberings struct {
	mu     sync.Mutex
	ofHost map[string]*sampler.Numbering
}

func (n *numberings) of(hostID string) *sampler.Numbering {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ofHost[hostID] == nil {
		n.ofHost[hostID] = sampler.NewNumbering(time.Now().UnixMicro())
	}
	return n.ofHost[hostID]
}
