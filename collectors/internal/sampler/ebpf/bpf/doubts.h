/* What was last seen of a run queue, held against the queue itself. A change that no program saw is found here: a thread
 * that is moved to another cgroup while it runs, or a program that the kernel skipped. */
#pragma once
#include "bandwidth.h"
#include "queues.h"

enum { MOST_DOUBTS = 512 };

/* Queues that nothing has happened on for long, as far as programs have seen. Set by who runs the program. */
struct doubts {
	__u32 count, unused; /* entries of an array are multiples of 8 bytes apart */
	struct {
		__u32 slot, cpu;
	} queues[MOST_DOUBTS];
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct doubts);
} doubts SEC(".maps");

static __always_inline __u32 remote_count_of(struct cfs_rq *queue)
{
	struct cfs_rq___h_nr_running *older = (void *)queue;
	__u32 count = 0, delayed = 0;

	if (field_exists(queue->h_nr_runnable)) {
		FETCH(count, queue->h_nr_runnable);
		return count;
	}
	FETCH(count, older->h_nr_running);
	if (field_exists(older->h_nr_delayed))
		FETCH(delayed, older->h_nr_delayed);
	return count - delayed;
}

/* When the queue is not what it was last seen to be, nobody knows since when: slices since then are left out, as throttled
 * ones are. The lock of the queue is not held: what happens at the same instant is seen by the next event or the next look.
 * Not static and not inlined, so that it is verified once and not once per round of the loop. */
__attribute__((noinline)) int resolve(__u32 slot, __u32 cpu)
{
	struct bandwidth *bandwidth = map_lookup(&bandwidths, &slot);
	struct task_group *group = bandwidth ? (void *)bandwidth->group : 0;
	__u32 at = slot * possible_cpus + cpu, runnable, is_throttled;
	struct queue *last = map_lookup(&queues, &at);
	struct cfs_rq **all = 0, *queue = 0;
	__u64 now = monotonic_ns();
	int throttle_count = 0;

	if (!group || !last)
		return 0;
	FETCH(all, group->cfs_rq);
	read_kernel(&queue, sizeof(queue), all + cpu);
	runnable = remote_count_of(queue);
	if (field_exists(queue->throttle_count))
		FETCH(throttle_count, queue->throttle_count);
	is_throttled = throttle_count > 0;
	if (!is_still(bandwidth) || (runnable == last->runnable && is_throttled == last->throttled))
		return 0;
	mark(slot, last->since_ns, now);
	last->since_ns = now;
	last->runnable = runnable;
	last->throttled = is_throttled;
	return 0;
}

/* Never attached: run on demand, on the asking CPU. */
SEC("raw_tp/quotascope_doubts")
int resolve_doubts(void *unused)
{
	__u32 zero = 0;
	struct doubts *list = map_lookup(&doubts, &zero);

	if (!list)
		return 0;
	for (__u32 i = 0; i < MOST_DOUBTS && i < list->count; i++)
		resolve(list->queues[i].slot, list->queues[i].cpu);
	return 0;
}
