/* Which slot a task is charged to: the tracked cgroup that it is in, or the nearest one above it. */
#pragma once
#include "kernel.h"

enum { OTHER = 0, DEEPEST = 16, SEEN = 4 };
enum tree { TREE_CPU, TREE_CPUACCT, TREE_UNIFIED };

/* Set before loading. */
volatile const __u32 usage_tree;
/* Usage and run queues are told by one cgroup, as everywhere but with v1 trees mounted apart. */
volatile const __u32 one_tree;

/* Raised whenever a cgroup is tracked or forgotten: what was found before does not count any more. */
volatile __u32 generation;

/* Tracked cgroups. Keys of the cpu tree of v1 carry a mark, because node ids are unique within a tree only. */
struct {
	__uint(type, MAP_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} tracked SEC(".maps");

struct place {
	__u32 slot;
	__u32 generation;
	/* How far above the task's cgroup the tracked one is. */
	__u32 up;
};

/* What cgroups that are not tracked themselves belong to. */
struct {
	__uint(type, MAP_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct place);
} nearest SEC(".maps");

struct seen {
	__u64 id;
	struct place place;
	__u32 unused;
};

/* One per CPU. The last cgroups are remembered, so that most events need no hash. */
struct cpu_state {
	struct seen usage[SEEN];
	struct seen queue[SEEN];
	/* Runs of our programs, and how long the timed ones among them took. */
	__u64 runs, timed_runs, timed_ns;
	/* CPU time older than the ring. */
	__u64 lost_ns;
};

struct {
	__uint(type, MAP_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu_state);
} cpus SEC(".maps");

static __always_inline __u64 key_of(__u64 id, enum tree tree)
{
	return tree == TREE_CPU && !one_tree ? id | 1ULL << 63 : id;
}

static __always_inline struct cgroup_subsys_state *controller(struct css_set *set, __u64 number)
{
	struct cgroup_subsys_state **subsys = (void *)set + field_offset(set->subsys);

	return subsys[number];
}

/* The cgroup of a task in one tree. */
static __always_inline struct cgroup *cgroup_of(struct task_struct *task, enum tree tree)
{
	if (tree == TREE_UNIFIED)
		return task->cgroups->dfl_cgrp;
	if (tree == TREE_CPUACCT)
		return controller(task->cgroups, enum_value(cgroup_subsys_id, cpuacct_cgrp_id))->cgroup;
	return controller(task->cgroups, enum_value(cgroup_subsys_id, cpu_cgrp_id))->cgroup;
}

/* Asks the maps, the nearest tracked ancestor being looked for once per generation. */
static __always_inline void find(struct cgroup *cgroup, __u64 id, enum tree tree, struct place *found)
{
	__u64 key = key_of(id, tree);
	struct place *known;
	__u32 *slot;

	/* Before the maps are asked: what changes meanwhile must make this answer old. */
	found->generation = generation;
	found->slot = OTHER;
	found->up = 0;
	slot = map_lookup(&tracked, &key);
	if (slot) {
		found->slot = *slot;
		return;
	}
	known = map_lookup(&nearest, &key);
	if (known && known->generation == found->generation) {
		*found = *known;
		return;
	}
	for (int up = 1; up <= DEEPEST; up++) {
		struct cgroup_subsys_state *parent = cgroup->self.parent;
		__u64 above;

		if (!parent)
			break;
		cgroup = parent->cgroup;
		if (!cgroup || !cgroup->level)
			break;
		above = key_of(cgroup->kn->id, tree);
		slot = map_lookup(&tracked, &above);
		if (slot) {
			found->slot = *slot;
			found->up = up;
			break;
		}
	}
	map_update(&nearest, &key, found, 0);
}

/* The slot of a cgroup, remembered per CPU. */
static __always_inline struct seen *slot_of(struct cgroup *cgroup, enum tree tree, struct seen *remembered)
{
	__u64 id = cgroup->kn->id;
	struct seen *seen = &remembered[id & (SEEN - 1)];

	if (seen->id != id || seen->place.generation != generation) {
		struct place found;

		find(cgroup, id, tree, &found);
		seen->id = id;
		seen->place = found;
	}
	return seen;
}
