package tickpoll

import (
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// handle is one cgroup as the sampling goroutine sees it.
type handle struct {
	*discovery.Files
	builder *usagewindow.Builder
	// fresh is true until the first reading of cpu.stat.
	fresh bool
	// gone is set when the cgroup is not tracked any more although its files may still be readable.
	gone bool
	// statEvery and statPhase choose the slots at which cpu.stat of v1 is read.
	statEvery, statPhase int64
}

// retire ends the shard of a cgroup that is gone.
func (h *handle) retire() {
	h.builder.Retire()
	h.Close()
}

// chooseStatSlots reads cpu.stat of v1 twice per period, so that throttled periods are seen one by
// one and their runs are known. Without a quota nothing can be throttled: once per window is enough.
func (h *handle) chooseStatSlots() {
	h.statEvery = usagewindow.SlotsPerWindow
	if limits := h.builder.Limits(); limits.Limited {
		h.statEvery = min(max(limits.Limit.PeriodUs/2/usagewindow.SampleIntervalUs, 2), usagewindow.SlotsPerWindow)
	}
}
