/* Wall time with any CPU of a group throttled. It begins where a queue of the group is found throttled at a switch, and
 * ends when a timer of the kernel's bandwidth control has handed out time for all of them: no event says so, but timers
 * have one. */
#pragma once
#include "bandwidth.h"
#include "slots.h"

/* What the kernel's two timers call, learned from the first structure that is seen; 0 before. */
volatile __u64 period_function, slack_function;

static __always_inline void learn_timers(struct cfs_bandwidth *of)
{
	void *period = 0, *slack = 0;

	if (period_function || !field_exists(of->period_timer.function))
		return;
	FETCH(period, of->period_timer.function);
	FETCH(slack, of->slack_timer.function);
	period_function = (__u64)period;
	slack_function = (__u64)slack;
}

/* The group's list of throttled queues has members. */
static __always_inline int any_throttled(struct cfs_bandwidth *of)
{
	struct list_head *first = 0;

	FETCH(first, of->throttled_cfs_rq.next);
	return first && first != &of->throttled_cfs_rq;
}

static __always_inline void begin_throttled(struct bandwidth *bandwidth, __u64 now)
{
	if (!bandwidth->throttled_since_ns)
		bandwidth->throttled_since_ns = now;
}

static __always_inline void end_throttled(struct bandwidth *bandwidth, __u64 now)
{
	__u64 since = bandwidth->throttled_since_ns;

	bandwidth->throttled_since_ns = 0;
	if (since && since < now)
		bandwidth->throttled_wall_ns += now - since;
}

/* A queue of the slot's group was seen: it may be the first to be throttled. One that was given time already is on the
 * list for some microseconds more, until its own CPU takes it off. */
static __always_inline void notice_throttled(struct cfs_rq *queue, __u32 slot, __u64 now)
{
	struct bandwidth *bandwidth;

	if (!field_exists(queue->runtime_remaining) || queue->runtime_remaining > 0)
		return;
	bandwidth = map_lookup(&bandwidths, &slot);
	if (!bandwidth || bandwidth->throttled_since_ns || !any_throttled(&queue->tg->cfs_bandwidth))
		return;
	begin_throttled(bandwidth, now);
}

/* Looks at a structure when nothing may be under way: what events did not show is found here. */
static __always_inline void review_throttled(struct cfs_bandwidth *of, struct bandwidth *bandwidth, __u64 now)
{
	__u64 left = 0;

	FETCH(left, of->runtime);
	if (!any_throttled(of))
		end_throttled(bandwidth, now);
	else if (!left)
		begin_throttled(bandwidth, now);
}

/* A timer of bandwidth control has run. While time is left in the pool, no queue is without. */
static __always_inline void on_refill(__u64 address, __u64 now)
{
	struct task_group *group = (void *)address;
	struct cfs_bandwidth *of = &group->cfs_bandwidth;
	__u64 key = key_of(id_of(group), TREE_CPU), left = 0;
	__u32 *slot = map_lookup(&tracked, &key);
	struct bandwidth *bandwidth = slot ? map_lookup(&bandwidths, slot) : 0;

	if (!bandwidth)
		return;
	FETCH(left, of->runtime);
	if (!left && any_throttled(of))
		begin_throttled(bandwidth, now);
	else
		end_throttled(bandwidth, now);
}
