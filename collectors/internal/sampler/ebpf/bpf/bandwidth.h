/* The kernel's own bandwidth counters and period timer of the cgroups that somebody asks for. */
#pragma once
#include "slots.h"

enum { MOST_ASKED = 1024 };

struct bandwidth {
	/* Node id in the cpu tree, set by who tracks the cgroup. */
	__u64 id;
	/* Its task group, learned when a task of it is charged. The counters of a cgroup that never ran stand still. */
	__u64 group;
	/* True while the counters below are of this cgroup. */
	__u64 valid;
	__u64 periods, throttled_periods, throttled_ns, bursts, burst_ns;
	/* When the period timer expires or last expired, on CLOCK_MONOTONIC. */
	__u64 period_end_ns;
	/* The kernel knows bursts. */
	__u64 has_bursts;
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bandwidth);
} bandwidths SEC(".maps");

struct asked {
	__u32 count;
	__u32 slots[MOST_ASKED];
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct asked);
} asked SEC(".maps");

/* Remembers the task group of a slot: the state of the cpu controller is its first member. */
static __always_inline void learn(struct task_struct *task, __u32 slot)
{
	struct cgroup_subsys_state *state = controller(task->cgroups, enum_value(cgroup_subsys_id, cpu_cgrp_id));
	struct bandwidth *bandwidth = map_lookup(&bandwidths, &slot);

	if (bandwidth && !bandwidth->group && state->cgroup->kn->id == bandwidth->id)
		bandwidth->group = (__u64)state;
}

#define FETCH(into, from) read_kernel(&(into), sizeof(into), &(from))

/* The node id of a remembered task group: a removed one may be memory of something else, so it is compared. What cannot
 * be read is 0, so no step needs a check of its own. */
static __always_inline __u64 id_of(struct task_group *group)
{
	struct cgroup *cgroup = 0;
	struct kernfs_node *node = 0;
	__u64 id = 0;

	FETCH(cgroup, group->css.cgroup);
	FETCH(node, cgroup->kn);
	FETCH(id, node->id);
	return id;
}

/* Not static and not inlined, so that it is verified once and not once per round of the loop. */
__attribute__((noinline)) int fetch(__u32 slot)
{
	struct bandwidth *into = map_lookup(&bandwidths, &slot);
	struct task_group *group = into ? (void *)into->group : 0;
	struct cfs_bandwidth *from = &group->cfs_bandwidth;
	struct cfs_bandwidth___burst *burst = (void *)from;
	int periods = 0, throttled_periods = 0, bursts = 0;
	__u64 throttled_ns = 0, burst_ns = 0, period_end_ns = 0;

	if (!group)
		return 0;
	into->valid = 0;
	FETCH(periods, from->nr_periods);
	FETCH(throttled_periods, from->nr_throttled);
	FETCH(throttled_ns, from->throttled_time);
	FETCH(period_end_ns, from->period_timer.node.expires);
	if (field_exists(burst->nr_burst)) {
		FETCH(bursts, burst->nr_burst);
		FETCH(burst_ns, burst->burst_time);
	}
	if (id_of(group) != into->id)
		return 0;
	into->periods = periods;
	into->throttled_periods = throttled_periods;
	into->throttled_ns = throttled_ns;
	into->bursts = bursts;
	into->burst_ns = burst_ns;
	into->period_end_ns = period_end_ns;
	into->has_bursts = field_exists(burst->nr_burst);
	into->valid = 1;
	return 0;
}

/* Never attached: run on demand, on the asking CPU. */
SEC("raw_tp/quotascope_bandwidth")
int read_bandwidth(void *unused)
{
	__u32 zero = 0;
	struct asked *list = map_lookup(&asked, &zero);

	if (!list)
		return 0;
	for (__u32 i = 0; i < MOST_ASKED && i < list->count; i++)
		fetch(list->slots[i]);
	return 0;
}
