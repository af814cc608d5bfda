// Package cgroup_cpu is the Telegraf input that samples cgroup CPU usage every 10 ms and hands over
// one record per shard, and one for the host, every 10 s.
package cgroup_cpu

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/plugins/inputs"
	"github.com/influxdata/telegraf/selfstat"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/naming"
	"github.com/quotascope/quotascope/collectors/internal/protection"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

//go:embed sample.conf
var sampleConfig string

// Values of the option backend.
const (
	backendAuto     = "auto"
	backendEbpf     = "ebpf"
	backendTickPoll = "tick_poll"
)

// PathRule is one path_rule section.
type PathRule struct {
	Pattern string `toml:"pattern"`
	Runtime string `toml:"runtime"`
}

// CgroupCPU is the plugin. Options are stated in sample.conf.
type CgroupCPU struct {
	HostID           string          `toml:"host_id"`
	Cluster          string          `toml:"cluster"`
	Backend          string          `toml:"backend"`
	MaxCgroups       int             `toml:"max_cgroups"`
	MaxServices      int             `toml:"max_services"`
	BuiltinRules     []string        `toml:"builtin_rules"`
	ProcRoot         string          `toml:"proc_root"`
	CgroupRoot       string          `toml:"cgroup_root"`
	Exclusive        bool            `toml:"exclusive"`
	BudgetCPUPercent Percent         `toml:"budget_cpu_percent"`
	BudgetMemory     config.Size     `toml:"budget_memory"`
	Trace            string          `toml:"trace"`
	TraceLoop        bool            `toml:"trace_loop"`
	PathRules        []PathRule      `toml:"path_rule"`
	Log              telegraf.Logger `toml:"-"`
	// Tape, when it is set before Start, makes the tape that hears what this start samples.
	Tape func(sampler.Agent) sampler.Tape `toml:"-"`
	// RunnableThreads and ThreadNames need the eBPF back end.
	RunnableThreads bool `toml:"runnable_threads"`
	ThreadNames     bool `toml:"thread_names"`
	// HardwareCounters needs a processor that has them, too.
	HardwareCounters bool `toml:"hardware_counters"`

	Names          []string `toml:"names"`
	CRISocket      string   `toml:"cri_socket"`
	HostRoot       string   `toml:"host_root"`
	NodeName       string   `toml:"node_name"`
	Labels         []string `toml:"labels"`
	MaxLabelValues int      `toml:"max_label_values"`

	names *naming.Names
	// labelsLeftOut is what Telegraf's own metrics say about labels of too many values.
	labelsLeftOut selfstat.Stat
	rules         identity.Rules
	backend       sampler.Backend
	// choose sets the back end that reads this host's kernel; nil when a trace is replayed.
	choose    func() error
	agent     sampler.Agent
	numbering *numberings
	budget    protection.Budget
	// lockRoot is the tree that only one agent may measure; empty where that does not matter.
	lockRoot string
	lock     releaser
	// refusal is why the last start failed.
	refusal error
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// SampleConfig returns the one statement of the options.
func (*CgroupCPU) SampleConfig() string { return sampleConfig }

// Init checks the options and finds what they name, without starting anything.
func (c *CgroupCPU) Init() error {
	if c.MaxCgroups < 1 {
		return fmt.Errorf("max_cgroups must be at least 1, not %d", c.MaxCgroups)
	}
	switch c.Backend {
	case backendAuto, backendEbpf, backendTickPoll:
	default:
		return fmt.Errorf("backend must be %q, %q or %q, not %q", backendAuto, backendEbpf, backendTickPoll, c.Backend)
	}
	if c.Cluster == "" {
		return errors.New("cluster must not be empty")
	}
	if err := c.setBudget(); err != nil {
		return err
	}
	if err := c.compileRules(); err != nil {
		return err
	}
	if c.HostID == "" {
		id, err := c.machineID()
		if err != nil {
			return fmt.Errorf("host_id is empty and this machine states none: %w", err)
		}
		c.HostID = id
	}
	if err := c.findNames(); err != nil {
		return err
	}
	c.agent = sampler.Agent{HostID: c.HostID, Cluster: c.Cluster}
	if c.Trace == "" {
		if c.TraceLoop {
			return errors.New("trace_loop needs trace")
		}
		c.agent.Origin = usagewindow.OriginMeasured
		return c.useKernel()
	}
	c.agent.Origin, c.agent.Method = usagewindow.OriginReplayed, usagewindow.MethodReplay
	if err := c.useTrace(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

func (c *CgroupCPU) compileRules() error {
	for i, section := range c.PathRules {
		switch section.Runtime {
		case "":
			section.Runtime = "other"
		case "kubernetes", "docker", "containerd", "podman", "mesos", "systemd", "lab", "other":
		default:
			return fmt.Errorf("path_rule %d: runtime %q is not one of those in the sample configuration", i+1, section.Runtime)
		}
		rule, err := identity.NewRule(section.Pattern, section.Runtime)
		if err != nil {
			return fmt.Errorf("path_rule %d: pattern: %w", i+1, err)
		}
		c.rules = append(c.rules, rule)
	}
	for _, name := range c.BuiltinRules {
		rules, err := identity.Builtin(name)
		if err != nil {
			return fmt.Errorf("builtin_rules: %w", err)
		}
		c.rules = append(c.rules, rules...)
	}
	if len(c.rules) == 0 {
		return errors.New("builtin_rules is empty and there is no path_rule: no cgroup could be tracked")
	}
	return nil
}

// findNames says where the names of containers are to be read.
func (c *CgroupCPU) findNames() (err error) {
	if c.MaxServices < 0 || c.MaxLabelValues < 1 {
		return fmt.Errorf("max_services must be at least 0, not %d, and max_label_values at least 1, not %d", c.MaxServices, c.MaxLabelValues)
	}
	c.names, err = naming.New(naming.Options{
		Sources: c.Names, HostRoot: c.HostRoot, CRISocket: c.CRISocket, Node: c.NodeName,
		Labels: c.Labels, MaxLabelValues: c.MaxLabelValues, Log: c.Log,
	})
	if err != nil {
		return fmt.Errorf("names: %w", err)
	}
	c.labelsLeftOut = selfstat.Register("cgroup_cpu", "labels_left_out", map[string]string{"host_id": c.HostID})
	return nil
}

// machineID is systemd's machine id, which survives renaming the host.
func (*CgroupCPU) machineID() (string, error) {
	for _, file := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		text, err := os.ReadFile(filepath.Clean(file))
		if id := strings.TrimSpace(string(text)); err == nil && id != "" {
			return id, nil
		}
	}
	return os.Hostname()
}

// Start begins sampling. Records are numbered on where an earlier start in this process ended.
func (c *CgroupCPU) Start(acc telegraf.Accumulator) error {
	if c.refusal = c.takeLock(); c.refusal != nil {
		return c.refusal
	}
	if c.choose != nil {
		if c.refusal = c.choose(); c.refusal != nil {
			c.releaseLock()
			return c.refusal
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	numbering := c.numbering.of(c.HostID)
	c.agent.EpochUs = numbering.EpochUs()
	if covered := numbering.LastSlot(); covered > 0 {
		c.Log.Infof("numbering goes on after a reload; %d ms were not sampled",
			time.Now().UnixMilli()-covered*usagewindow.SampleIntervalUs/1000)
	}
	recorder := sampler.NewRecorder(c.agent, func(batch sampler.Batch) { handOver(acc, batch) })
	recorder.GoOn(numbering)
	recorder.Protect(c.budget, c.Log)
	if c.Tape != nil {
		recorder.Attach(c.Tape(c.agent))
	}
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		if err := c.backend.Run(ctx, recorder); err != nil {
			acc.AddError(fmt.Errorf("sampling ended: %w", err))
		}
	}()
	return nil
}

// Refusal is why the last start failed; nil when it did not.
func (c *CgroupCPU) Refusal() error { return c.refusal }

// Gather hands nothing over, because a window is handed over the moment it is finished. It only states what the records
// have no field for.
func (c *CgroupCPU) Gather(telegraf.Accumulator) error {
	if c.labelsLeftOut != nil {
		c.labelsLeftOut.Set(c.names.LabelOverflow())
	}
	return nil
}

// Stop takes the last readings, hands over the partial window and waits until that is done.
func (c *CgroupCPU) Stop() {
	if c.cancel == nil {
		return
	}
	c.cancel()
	c.running.Wait()
	c.cancel = nil
	c.releaseLock()
}

// handOver passes a batch to Telegraf in the order in which it is numbered. Identities go first, so
// that a reader knows a shard before it sees its first window; the host goes last, so that its counts
// are not ahead of what they count.
func handOver(acc telegraf.Accumulator, batch sampler.Batch) {
	records := make([]any, 0, len(batch.Identities)+len(batch.Windows)+1)
	for _, shard := range batch.Identities {
		records = append(records, shard)
	}
	for _, window := range batch.Windows {
		records = append(records, window)
	}
	for _, record := range append(records, batch.Host) {
		m, err := usagewindow.ToMetric(record)
		if err != nil {
			acc.AddError(fmt.Errorf("record lost: %w", err))
			continue
		}
		acc.AddMetric(m)
	}
}

func init() {
	numbering := &numberings{ofHost: map[string]*sampler.Numbering{}}
	inputs.Add("cgroup_cpu", func() telegraf.Input {
		return &CgroupCPU{
			Cluster: "default", Backend: backendAuto, MaxCgroups: 1000, MaxServices: 500, RunnableThreads: true,
			BuiltinRules: identity.BuiltinNames(), Names: naming.SourceNames(), HostRoot: "/", MaxLabelValues: 100,
			ProcRoot: "/proc", CgroupRoot: "/sys/fs/cgroup", Exclusive: true,
			BudgetCPUPercent: 10, BudgetMemory: 200 << 20, numbering: numbering,
		}
	})
}
