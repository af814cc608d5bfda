package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/client"
	"github.com/quotascope/quotascope/collectors/internal/lab/offered"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// member is one shard of the lab with everything that belongs to it. Only the lab's own loop
// touches it, except that its client runs by itself.
type member struct {
	service   workload.Service
	shardName string
	// shardLoad and scale are fixed for the run; multiple is changed by `cfslab set`.
	shardLoad, scale, multiple float64
	limits                     cgroup.Limits
	threads                    int

	createdAtUs   int64
	group         *cgroup.Group
	process       *process
	client        *client.Client
	clientDone    chan struct{}
	before, after cgroup.Counters
	tasks         *int64
	report        *shard.Report
}

func newMember(service workload.Service, index int, scale float64) *member {
	return &member{service: service, shardName: workload.ShardName(index), shardLoad: service.ShardLoads[index],
		scale: scale, multiple: 1, threads: service.Threads(),
		limits: cgroup.Limits{Bandwidth: service.Limit, CpuShares: service.CpuShares}}
}

func (m *member) load() float64 { return m.shardLoad * m.scale * m.multiple }

// start makes the cgroup, reads its counters, and puts the shard's process into it.
func (m *member) start(folder *cgroup.Folder, speed burn.Speed, seed uint64) error {
	m.createdAtUs = time.Now().UnixMicro()
	group, err := folder.Create(m.service.Name, m.shardName, m.limits)
	if err != nil {
		return err
	}
	m.group = group
	if m.before, err = group.Read(); err != nil {
		return err
	}
	m.process, err = startProcess(group, shard.Orders{Speed: speed, Pool: m.service.Pool,
		Collections: m.service.Collections, Loops: m.service.Loops, LoadMultiple: m.load()})
	if err != nil {
		return fmt.Errorf("%s: %w", group.Path, err)
	}
	if m.service.Traffic != nil {
		law := offered.NewLaw(seed, m.service.Name, m.shardName)
		m.client = client.New(m.process.requests, *m.service.Traffic, speed, law, m.load())
	}
	return nil
}

// ask lets the clients begin; they stop when the context ends.
func (m *member) ask(ctx context.Context) {
	m.clientDone = make(chan struct{})
	go func() {
		defer close(m.clientDone)
		if m.client != nil {
			m.client.Run(ctx)
		}
	}()
}

// countTasks notes how many tasks the kernel has in the cgroup now.
func (m *member) countTasks() error {
	tasks, err := m.group.Tasks()
	if err == nil {
		m.tasks = &tasks
	}
	return err
}

// apply carries out a change: the kernel's limit, the shard's threads, the clients' load.
func (m *member) apply(change Change) error {
	limits := m.limits
	switch {
	case change.Unlimited:
		limits.Bandwidth = nil
	case change.QuotaUs != nil || change.PeriodUs != nil:
		changed, err := changedBandwidth(limits.Bandwidth, change)
		if err != nil {
			return err
		}
		limits.Bandwidth = &changed
	}
	if err := m.group.Limit(limits); err != nil {
		return err
	}
	m.limits = limits
	order := shard.Change{}
	if change.Threads != nil {
		m.threads += *change.Threads - m.service.Pool.Threads
		m.service.Pool.Threads = *change.Threads
		order.Threads = change.Threads
	}
	if change.LoadMultiple != nil {
		m.multiple = *change.LoadMultiple
		load := m.load()
		order.LoadMultiple = &load
		if m.client != nil {
			m.client.SetLoad(load)
		}
	}
	return m.process.change(order)
}
