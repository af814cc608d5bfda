/* CPU time by thread name in slices above the quota. */
#pragma once
#include "slots.h"
#include "ring.h"

enum { NAME_BYTES = 16 };

/* Set before loading. */
volatile const __u32 by_name;

struct named {
	__u32 slot;
	/* The thread's name with digits folded to #. */
	char name[NAME_BYTES];
};

/* What threads of one name have used on one CPU. */
struct spent {
	/* The slice in which such a thread last ended a run, and what was used in it; not judged yet. */
	__u64 slice, slice_ns;
	/* Used in slices that turned out to be above the quota. */
	__u64 above_ns;
};

struct {
	__uint(type, MAP_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, struct named);
	__type(value, struct spent);
} names SEC(".maps");

struct verdicts {
	/* What a cell may hold in a slice without being above the quota; 0 for no quota. */
	__u32 allowance;
	__u32 unused; /* entries of an array are multiples of 8 bytes apart */
	/* Written when a slice is taken, for judging it later. */
	__u8 above[RING_SLICES];
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct verdicts);
} verdicts SEC(".maps");

static __always_inline void fold(char *name)
{
#pragma unroll
	for (int i = 0; i < NAME_BYTES; i++)
		if (name[i] >= '0' && name[i] <= '9')
			name[i] = '#';
}

/* Adds a run to its thread's name. A slice is judged when the name is next seen in another one: then its own cell, or
 * the verdict of who took it, says whether it was above the quota. */
static __always_inline void remember(struct task_struct *task, __u32 slot, struct ring *ring, __u64 now, __u64 ns)
{
	struct verdicts *judge = map_lookup(&verdicts, &slot);
	__u64 slice = (now + wall_offset_ns) / SLICE_NS;
	struct named key = { .slot = slot };
	struct spent *spent;

	if (!judge || !judge->allowance)
		return;
	read_kernel(key.name, NAME_BYTES, task->comm);
	fold(key.name);
	spent = map_lookup(&names, &key);
	if (!spent) {
		struct spent first = { .slice = slice, .slice_ns = ns };

		map_update(&names, &key, &first, 0);
		return;
	}
	if (spent->slice != slice) {
		__u32 at = spent->slice & (RING_SLICES - 1);

		if (slice - spent->slice < RING_SLICES / 2 && (ring->cells[at] > judge->allowance || judge->above[at]))
			spent->above_ns += spent->slice_ns;
		spent->slice = slice;
		spent->slice_ns = 0;
	}
	spent->slice_ns += ns;
}
