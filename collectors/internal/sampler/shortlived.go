package sampler

import "github.com/quotascope/quotascope/collectors/internal/usagewindow"

// A cgroup that was created and removed within less than one window's length is no shard: it has no
// record and no identity, and its usage goes into the host's sum. So that this can be told, the first,
// partial window of a newborn is held back until the next cut. It then goes out before the second, with
// its own start; the host's counts of its window do not contain it, because they were sent long before,
// so the host's next record states it as a first record.
// Cgroups that are older than the agent, and the last cut of an agent that stops, hold nothing back.

// settle decides what becomes of a window that was just taken.
func (r *Recorder) settle(shard *tracked, window *usagewindow.Window, lastSlot int64, batch *Batch) {
	undecided, retired := shard.found.Born && !shard.sent, shard.builder.Retired()
	whole := lastSlot == usagewindow.LastSlotOf(window.WindowStartUs)
	switch {
	case undecided && retired && shard.lifeUs() < usagewindow.WindowUs:
		r.pool(shard, window, batch)
		return
	case undecided && !retired && whole && shard.found.AtUs > window.WindowStartUs:
		shard.held = window
		return
	}
	r.emitHeld(shard, batch)
	r.emitWindow(window, batch)
	if shard.age++; shard.age > identityEvery {
		if shard.sent {
			shard.found.AtUs = window.WindowStartUs + usagewindow.WindowUs
		}
		shard.age, shard.sent = 1, true
		batch.Identities = append(batch.Identities, r.identityOf(shard))
	}
}

// emitHeld sends a window that was held back.
func (r *Recorder) emitHeld(shard *tracked, batch *Batch) {
	if shard.held != nil {
		r.emitWindow(shard.held, batch)
		shard.held = nil
	}
}

// lifeUs is how long a shard was seen: from its discovery to its last reading.
func (s *tracked) lifeUs() int64 {
	return s.builder.LastSlot()*usagewindow.SampleIntervalUs - s.found.AtUs
}

func (r *Recorder) emitWindow(window *usagewindow.Window, batch *Batch) {
	window.Seq = r.numbering.nextSeq()
	batch.Windows = append(batch.Windows, window)
}

// pool adds a short life to the host's sum. What the cgroup used after its last reading, at most one
// sample interval, is not in it.
func (r *Recorder) pool(shard *tracked, window *usagewindow.Window, batch *Batch) {
	batch.Host.ShortLivedCgroups++
	for _, part := range []*usagewindow.Window{shard.held, window} {
		if part != nil {
			addShortLived(batch.Host, part.UsageUs)
		}
	}
}

func addShortLived(host *usagewindow.HostWindow, usageUs int64) {
	if host.ShortLivedUsageUs == nil {
		host.ShortLivedUsageUs = new(int64)
	}
	*host.ShortLivedUsageUs += usageUs
}
