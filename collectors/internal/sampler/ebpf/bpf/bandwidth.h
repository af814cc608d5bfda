/* What is known of the kernel's bandwidth control of each slot, and how its memory is read. */
#pragma once
#include "slots.h"

enum {
	/* 3.2 s of periods of 100 ms. */
	MOST_NOTES = 32,
};

/* What the counters were when a period had ended. */
struct period_note {
	__u64 at_ns;
	__u32 periods, throttled_periods;
};

struct bandwidth {
	/* Node id in the cpu tree, set by who tracks the cgroup. */
	__u64 id;
	/* Its task group, learned when a task of it or of a cgroup below is charged, with its serial number. The counters
	 * of a cgroup in which nothing ever ran stand still. */
	__u64 group, serial;
	/* Set by who tracks the cgroup: periods are to be noted one by one. */
	__u64 watched;
	/* Until when no period can end. */
	__u64 due_ns;
	/* True while the counters below are of this cgroup. */
	__u64 valid;
	__u64 periods, throttled_periods, throttled_ns, bursts, burst_ns;
	/* When the period timer expires or last expired, on CLOCK_MONOTONIC. */
	__u64 period_end_ns;
	/* The kernel knows bursts. */
	__u64 has_bursts;
	/* Wall time with any CPU of the group throttled up to the last end of it, and since when one is; 0 if none. */
	__u64 throttled_wall_ns, throttled_since_ns;
	/* So many notes were made, the last ones of which are here. */
	__u64 noted;
	struct period_note notes[MOST_NOTES];
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bandwidth);
} bandwidths SEC(".maps");

/* Remembers the task group of a slot: the state of the cpu controller is its first member. A task that joins trees mounted
 * apart is charged in the one before it is in the other, so this asks again until it is known. */
static __always_inline void learn(struct task_struct *task, struct bandwidth *bandwidth)
{
	struct cgroup_subsys_state *state = controller(task->cgroups, enum_value(cgroup_subsys_id, cpu_cgrp_id));

	for (int i = 0; i <= DEEPEST && state; i++) {
		if (state->cgroup->kn->id == bandwidth->id) {
			bandwidth->serial = state->serial_nr;
			bandwidth->group = (__u64)state;
			return;
		}
		state = state->parent;
	}
}

#define FETCH(into, from) read_kernel(&(into), sizeof(into), &(from))

/* A removed task group may be memory of something else. What cannot be read is 0. */
static __always_inline int is_still(struct bandwidth *bandwidth)
{
	struct task_group *group = (void *)bandwidth->group;
	__u64 serial = 0;

	FETCH(serial, group->css.serial_nr);
	return serial == bandwidth->serial;
}

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
