/* Rings of 10 ms slices. A cell is only ever added to here; who reads a slice takes its value out, so
 * that the cell is empty when the ring comes round. */
#pragma once
#include "kernel.h"

#define SLICE_NS 10000000ULL

enum {
	RING_SLICES = 1024,
	/* An interval is split over at most so many slices: half a ring, so that it cannot run into unread ones. */
	SPLIT_SLICES = RING_SLICES / 2,
};

/* Set before loading. Added to CLOCK_MONOTONIC, it gives slices whose edges are those of UTC at that time. */
volatile const __u64 wall_offset_ns;
/* CPU time is counted in 2^usage_shift ns, so that a cell holds what all CPUs can use in a slice. */
volatile const __u32 usage_shift;
/* Where the rings of everything else begin, one per CPU: all CPUs adding to one cell would wait for each other. */
volatile const __u32 other_rings;

struct ring {
	__u32 cells[RING_SLICES];
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring);
} usage SEC(".maps");

static __always_inline void add(struct ring *ring, __u64 slice, __u32 amount)
{
	__sync_fetch_and_add(&ring->cells[slice & (RING_SLICES - 1)], amount);
}

/* Adds what weight makes of the nanoseconds from from_ns to to_ns, cut at the edges of slices. Returns the time that
 * was too old. */
static __always_inline __u64 spread(struct ring *ring, __u64 from_ns, __u64 to_ns, __u64 weight, __u32 shift)
{
	__u64 last = (to_ns + wall_offset_ns) / SLICE_NS;
	__u64 edge = last * SLICE_NS - wall_offset_ns;
	__u64 old = 0;

	for (int i = 0; i < SPLIT_SLICES && from_ns < edge; i++) {
		add(ring, last, (to_ns - edge) * weight >> shift);
		to_ns = edge;
		edge -= SLICE_NS;
		last--;
	}
	if (from_ns < edge) {
		old = edge - from_ns;
		from_ns = edge;
	}
	add(ring, last, (to_ns - from_ns) * weight >> shift);
	return old;
}
