/* Runnable threads: the run queue's own count, summed over time and CPUs. */
#pragma once
#include "slots.h"
#include "ring.h"
#include "throttle.h"

enum {
	ON_RQ_MIGRATING = 2,
	/* Thread time is counted in 2^THREAD_SHIFT ns: a cell holds 27,000 threads. */
	THREAD_SHIFT = 6,
};

/* Set before loading. */
volatile const __u32 possible_cpus;

/* What was last seen of the queue of one slot on one CPU. Changed only under that CPU's run queue lock. */
struct queue {
	__u64 since_ns;
	__u32 runnable;
	__u32 throttled;
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct queue);
} queues SEC(".maps");

/* Thread time per slice. */
struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring);
} runnable SEC(".maps");

struct marks {
	__u8 throttled[RING_SLICES];
};

/* Slices in which a queue of the slot was throttled. */
struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct marks);
} throttled SEC(".maps");

static __always_inline void mark(__u32 slot, __u64 from_ns, __u64 to_ns)
{
	struct marks *marks = map_lookup(&throttled, &slot);
	__u64 first = (from_ns + wall_offset_ns) / SLICE_NS, slice = (to_ns + wall_offset_ns) / SLICE_NS;

	if (!marks)
		return;
	for (int i = 0; i < SPLIT_SLICES && slice >= first; i++, slice--)
		marks->throttled[slice & (RING_SLICES - 1)] = 1;
}

/* Threads that run or want to. */
static __always_inline __u32 count_of(struct cfs_rq *queue)
{
	struct cfs_rq___h_nr_running *older = (void *)queue;

	if (field_exists(queue->h_nr_runnable))
		return queue->h_nr_runnable;
	if (field_exists(older->h_nr_delayed))
		return older->h_nr_running - older->h_nr_delayed;
	return older->h_nr_running;
}

/* Closes the time since the queue was last looked at with what it was then, and looks again. */
static __always_inline void refresh(struct task_struct *task, __u32 slot, __u32 up, __u64 now)
{
	struct sched_entity *above = task->se.parent;
	struct cfs_rq *queue = task->se.cfs_rq;
	struct queue *last;
	__u32 at;

	for (int i = 0; i < DEEPEST && i < up && above; i++) {
		queue = above->cfs_rq;
		above = above->parent;
	}
	at = slot * possible_cpus + queue->rq->cpu;
	last = map_lookup(&queues, &at);
	if (!last)
		return;
	if (last->throttled) {
		mark(slot, last->since_ns, now);
	} else if (last->runnable && last->since_ns < now) {
		struct ring *ring = map_lookup(&runnable, &slot);

		if (ring)
			spread(ring, last->since_ns, now, last->runnable, THREAD_SHIFT);
	}
	last->since_ns = now;
	last->throttled = field_exists(queue->throttle_count) && queue->throttle_count > 0;
	last->runnable = count_of(queue);
	if (last->throttled)
		notice_throttled(queue, slot, now);
}
