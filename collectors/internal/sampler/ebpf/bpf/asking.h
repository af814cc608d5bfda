/* The kernel's own bandwidth counters and period timer of the cgroups that somebody asks for. */
#pragma once
#include "bandwidth.h"
#include "throttle.h"

enum { MOST_LOOKED = 1024 };

/* Which slots are to be read, set by who runs the program. */
struct look {
	__u32 from, until;
};

struct {
	__uint(type, MAP_ARRAY);
	__uint(map_flags, MAP_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct look);
} looks SEC(".maps");

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
	if (!is_still(into))
		return 0;
	into->periods = periods;
	into->throttled_periods = throttled_periods;
	into->throttled_ns = throttled_ns;
	into->bursts = bursts;
	into->burst_ns = burst_ns;
	into->period_end_ns = period_end_ns;
	into->has_bursts = field_exists(burst->nr_burst);
	into->valid = 1;
	learn_timers(from);
	review_throttled(from, into, monotonic_ns());
	return 0;
}

/* Never attached: run on demand, on the asking CPU. */
SEC("raw_tp/quotascope_bandwidth")
int read_bandwidth(void *unused)
{
	__u32 zero = 0, from;
	struct look *look = map_lookup(&looks, &zero);

	if (!look)
		return 0;
	from = look->from;
	for (__u32 i = 0; i < MOST_LOOKED && from + i < look->until; i++)
		fetch(from + i);
	return 0;
}
