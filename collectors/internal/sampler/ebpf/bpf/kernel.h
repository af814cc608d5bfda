/* What these programs know of the kernel: the fields they read, relocated to the running kernel's
 * layout when they are loaded (CO-RE). A field that was renamed has a flavour, a type with a suffix
 * after three underscores that relocates like the type without it. */
#pragma once

typedef unsigned char __u8;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef long long __s64;

#define SEC(name) __attribute__((section(name), used))
#define __always_inline inline __attribute__((always_inline))
#define __uint(name, value) int(*name)[value]
#define __type(name, value) typeof(value) *name

enum { MAP_HASH = 1, MAP_ARRAY = 2, MAP_PERF_EVENT_ARRAY = 4, MAP_PERCPU_HASH = 5, MAP_PERCPU_ARRAY = 6, MAP_LRU_HASH = 9, MAP_MMAPABLE = 1 << 10 };

static void *(*const map_lookup)(void *map, const void *key) = (void *)1;
static long (*const map_update)(void *map, const void *key, const void *value, __u64 flags) = (void *)2;
static __u64 (*const monotonic_ns)(void) = (void *)5;
static __u32 (*const this_cpu)(void) = (void *)8;
static __u64 (*const current_task)(void) = (void *)35;
static long (*const read_counter)(void *counters, __u64 flags, void *into, __u32 size) = (void *)55;
static long (*const read_kernel)(void *into, __u32 size, const void *from) = (void *)113;

#define field_exists(field) __builtin_preserve_field_info(field, 2)
#define field_offset(field) __builtin_preserve_field_info(field, 0)
#define enum_value(type, symbol) __builtin_preserve_enum_value(*(enum type *)symbol, 1)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node {
	__u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
	__u64 serial_nr;
};

struct cgroup {
	struct cgroup_subsys_state self;
	int level;
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct cgroup *dfl_cgrp;
};

struct rq {
	int cpu;
};

struct cfs_rq {
	unsigned int h_nr_runnable;
	int throttle_count;
	__s64 runtime_remaining;
	struct rq *rq;
	struct task_group *tg;
};

/* Before 6.13; 6.12 also counts tasks that sleep but are not dequeued yet. */
struct cfs_rq___h_nr_running {
	unsigned int h_nr_running;
	unsigned int h_nr_delayed;
};

struct sched_entity {
	struct sched_entity *parent;
	struct cfs_rq *cfs_rq;
};

struct task_struct {
	int pid;
	int on_rq;
	char comm[16];
	struct css_set *cgroups;
	struct sched_entity se;
};

struct timerqueue_node {
	__s64 expires;
};

struct hrtimer {
	struct timerqueue_node node;
	void *function;
};

struct list_head {
	struct list_head *next, *prev;
};

struct cfs_bandwidth {
	__u64 runtime;
	__u8 period_active;
	struct hrtimer period_timer;
	struct hrtimer slack_timer;
	struct list_head throttled_cfs_rq;
	int nr_periods;
	int nr_throttled;
	__u64 throttled_time;
};

struct cfs_bandwidth___burst {
	int nr_burst;
	__u64 burst_time;
};

struct task_group {
	struct cgroup_subsys_state css;
	struct cfs_rq **cfs_rq;
	struct cfs_bandwidth cfs_bandwidth;
};

#pragma clang attribute pop

/* The members that a kernel has depend on its configuration, and so do their values. */
enum cgroup_subsys_id {
	cpu_cgrp_id = 0x7f01,
	cpuacct_cgrp_id = 0x7f02,
};
