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
	// usageNs and periods are what was last read, and stirred is the slot in which either last changed.
	usageNs, periods, stirred int64
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

// restingPeriods is after how many periods without use and without a counted period the kernel's period timer rests, so that
// cpu.stat stands still until the cgroup runs again. A throttled cgroup uses nothing, but its periods are counted.
const restingPeriods = 2

// wantsStat decides, with the usage of a slot, whether cpu.stat is to be read in it: in its turn, unless the cgroup rests, and
// when it has stopped resting.
func (h *handle) wantsStat(slot, usageNs, slotsPerSample int64) bool {
	rested := slot-h.stirred > restingPeriods*2*h.statEvery
	if usageNs != h.usageNs {
		h.usageNs, h.stirred = usageNs, slot
	} else if rested {
		return h.fresh
	}
	return h.fresh || rested || (slot+h.statPhase)%h.statEvery < slotsPerSample
}

// sawStat notes a reading of cpu.stat.
func (h *handle) sawStat(slot, periods int64) {
	h.fresh = false
	if periods != h.periods {
		h.periods, h.stirred = periods, slot
	}
}
