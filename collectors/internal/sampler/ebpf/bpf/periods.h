/* Notes of the bandwidth counters, so that throttled periods are seen one by one without anybody waking for it. */
#pragma once
#include "bandwidth.h"
#include "throttle.h"

#define NEVER (~0ULL)

/* While one CPU makes a note, others do not. */
enum { CLAIM_NS = 1000000 };

/* Notes the counters of a slot if they have changed. Periods are counted when the period timer expires and at no other
 * time, so nothing can change until then. A timer that rests is about to start, because a task of the cgroup runs.
 * Not static and not inlined, so that it is verified once. */
__attribute__((noinline)) int note_period(__u32 slot)
{
	struct bandwidth *into = map_lookup(&bandwidths, &slot);
	struct task_group *group = into ? (void *)into->group : 0;
	struct cfs_bandwidth *from = &group->cfs_bandwidth;
	__u64 now = monotonic_ns(), expires = 0;
	struct period_note *last, *next;
	int periods = 0, throttled_periods = 0;
	__u8 active = 0;

	if (!group)
		return 0;
	into->due_ns = now + CLAIM_NS;
	FETCH(active, from->period_active);
	FETCH(expires, from->period_timer.node.expires);
	FETCH(periods, from->nr_periods);
	FETCH(throttled_periods, from->nr_throttled);
	if (!is_still(into)) {
		into->due_ns = NEVER;
		return 0;
	}
	learn_timers(from);
	last = &into->notes[(into->noted - 1) & (MOST_NOTES - 1)];
	if (!into->noted || last->periods != periods || last->throttled_periods != throttled_periods) {
		next = &into->notes[into->noted & (MOST_NOTES - 1)];
		next->at_ns = now;
		next->periods = periods;
		next->throttled_periods = throttled_periods;
		into->noted++;
	}
	into->due_ns = active ? expires : now;
	return 0;
}

/* Notes a period of a slot that is charged, when one may have ended. Every period in which something of the cgroup ran is
 * noted when it first runs again. So of the periods between two notes those that were throttled come first: one is
 * throttled only if something ran in it, or as the one before was. */
static __always_inline void heed_period(struct task_struct *task, __u32 slot, __u64 now)
{
	struct bandwidth *bandwidth = map_lookup(&bandwidths, &slot);

	if (!bandwidth)
		return;
	if (!bandwidth->group)
		learn(task, bandwidth);
	if (now >= bandwidth->due_ns && bandwidth->watched)
		note_period(slot);
}
