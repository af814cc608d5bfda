/* Cycles and instructions of tracked cgroups, by slice, where somebody opened counters for it. A counter runs for its CPU
 * as a whole, so what it advanced by is given to the task that is charged for the time since. */
#pragma once
#include "kernel.h"
#include "ring.h"

enum {
	CURRENT_CPU = 0xffffffff,
	/* Counted in 2^COUNTED_SHIFT, so that a cell holds what hundreds of CPUs do in a slice. */
	COUNTED_SHIFT = 6,
	/* Counts per nanosecond have so many binary places. */
	RATE_SHIFT = 16,
};

/* Set before loading. */
volatile const __u32 counting;

/* Descriptors of counters, one per CPU. */
struct {
	__uint(type, MAP_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cycle_counters SEC(".maps"), instruction_counters SEC(".maps");

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring);
} cycles SEC(".maps"), instructions SEC(".maps");

struct counted {
	__u64 cycles, instructions;
};

/* What the counters of this CPU said last. */
struct {
	__uint(type, MAP_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counted);
} counted SEC(".maps");

struct counter_value {
	__u64 count, enabled, running;
};

static __always_inline __u64 advance(void *counters, __u64 *last)
{
	struct counter_value value = {};
	__u64 before = *last;

	if (read_counter(counters, CURRENT_CPU, &value, sizeof(value)))
		return 0;
	*last = value.count;
	return before && value.count > before ? value.count - before : 0;
}

static __always_inline void give(void *rings, __u32 slot, __u64 count, __u64 now, __u64 ns)
{
	struct ring *ring = map_lookup(rings, &slot);

	if (ring && ns)
		spread(ring, now - ns, now, (count << RATE_SHIFT) / ns, RATE_SHIFT + COUNTED_SHIFT);
}

/* Gives what was counted on this CPU since the last time to a slot; to nobody if that is OTHER. */
static __always_inline void count(__u32 slot, __u64 now, __u64 ns)
{
	__u32 zero = 0;
	struct counted *last = map_lookup(&counted, &zero);
	__u64 ran, done;

	if (!last)
		return;
	ran = advance(&cycle_counters, &last->cycles);
	done = advance(&instruction_counters, &last->instructions);
	if (slot) {
		give(&cycles, slot, ran, now, ns);
		give(&instructions, slot, done, now, ns);
	}
}
