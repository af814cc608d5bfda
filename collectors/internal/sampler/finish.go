package sampler

import "github.com/quotascope/quotascope/collectors/internal/counter"

// hostCounters follow the counters of /proc/stat and of the agent itself from window to window.
type hostCounters struct {
	steal, irq, switches, agentCPU, bpfRun counter.Cumulative
}

// Baseline takes the first reading of the host's counters, so that the first window has growth.
func (r *Recorder) Baseline(reading HostReading) {
	if r.tape != nil {
		r.tape.Baseline(reading)
	}
	r.finish.agentCPU.Advance(reading.AgentCPUUs)
	if reading.BpfRunUs != nil {
		r.finish.bpfRun.Advance(*reading.BpfRunUs)
	}
	r.thrift.begin(reading.AtNs)
	if reading.Proc != nil {
		r.finish.steal.Advance(reading.Proc.StealUs)
		r.finish.irq.Advance(reading.Proc.IrqUs)
		r.finish.switches.Advance(reading.Proc.ContextSwitches)
	}
}

// Finish completes a cut batch with the host's own reading and hands it over.
func (r *Recorder) Finish(batch Batch, reading HostReading) {
	if batch.Host == nil {
		return
	}
	batch.conduct.state(&reading, batch.Host)
	if r.tape != nil {
		r.tape.Finish(batch.Host.WindowStartUs, reading)
	}
	h := batch.Host
	h.KernelRelease, h.CgroupVersion, h.Cpus = reading.KernelRelease, string(reading.Version), int32(reading.Cpus)
	h.TickHz, h.SamplingUncertaintyUs = reading.TickHz, reading.UncertaintyUs
	h.UntrackedCgroups, h.OverflowCgroups = int32(reading.UntrackedCgroups), int32(reading.OverflowCgroups)
	h.AgentCPUUs = r.finish.agentCPU.Advance(reading.AgentCPUUs).Growth
	h.AgentRssBytes, h.BpfMapBytes = reading.AgentRSSBytes, reading.BpfMapBytes
	if reading.BpfRunUs != nil {
		h.BpfRunUs = grown(&r.finish.bpfRun, *reading.BpfRunUs)
	}
	h.ProtectionStep, h.ProtectionReason = reading.ProtectionStep, reading.ProtectionReason
	h.BudgetSkippedCgroups = int32(reading.BudgetSkippedCgroups)
	h.ShortLivedCgroups += int32(reading.ShortLivedCgroups)
	if reading.ShortLivedUsageUs != nil {
		addShortLived(h, *reading.ShortLivedUsageUs)
	}
	h.ClockSteps, h.LateWindows = int32(reading.ClockSteps), int32(reading.LateWindows)
	if reading.Proc != nil {
		h.StealUs = grown(&r.finish.steal, reading.Proc.StealUs)
		h.IrqUs = grown(&r.finish.irq, reading.Proc.IrqUs)
		h.ContextSwitches = grown(&r.finish.switches, reading.Proc.ContextSwitches)
	}
	if reading.Load != nil {
		h.Threads, h.RunnableThreads = &reading.Load.Threads, &reading.Load.RunnableThreads
	}
	r.thrift.judge(h, reading.AtNs)
	r.emit(batch)
}

// grown returns the growth of a counter, or nil where the reading cannot be compared: /proc/stat's
// columns go back a little when CPUs go offline, and a first reading has nothing before it.
func grown(c *counter.Cumulative, reading int64) *int64 {
	delta := c.Advance(reading)
	if delta.Kind != counter.Advanced {
		return nil
	}
	return &delta.Growth
}
