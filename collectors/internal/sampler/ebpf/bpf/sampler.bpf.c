/* CPU time per cgroup and 10 ms slice, and runnable threads per cgroup.
 *
 * Usage is taken where the kernel itself charges it: sched_stat_runtime fires in update_curr() beside
 * the charge to cpuacct and to cpu.stat, with the same task and the same nanoseconds. So nothing has to be
 * remembered from switch to switch, a run that is skipped loses nothing but itself, and the timer tick
 * cuts long runs. README.md says what was measured instead and why it was left. */
#include "slots.h"
#include "ring.h"
#include "queues.h"
#include "asking.h"
#include "periods.h"
#include "doubts.h"
#include "names.h"
#include "counters.h"

char license_text[] SEC("license") = "Dual MIT/GPL";

enum { TIMED_EVERY = 1024 };

/* The state of this CPU; with it the count of runs begins. */
static __always_inline struct cpu_state *begin(__u64 now, __u64 *started)
{
	__u32 zero = 0;
	struct cpu_state *cpu = map_lookup(&cpus, &zero);

	*started = 0;
	if (cpu && !(cpu->runs++ & (TIMED_EVERY - 1)))
		*started = now;
	return cpu;
}

static __always_inline void end(struct cpu_state *cpu, __u64 started)
{
	if (started) {
		cpu->timed_runs++;
		cpu->timed_ns += monotonic_ns() - started;
	}
}

SEC("tp_btf/sched_stat_runtime")
int on_runtime(__u64 *args)
{
	struct task_struct *task = (void *)args[0];
	__u64 ns = args[1], now = monotonic_ns(), started;
	struct cpu_state *cpu = begin(now, &started);
	struct cgroup *cgroup = cgroup_of(task, usage_tree);
	__u32 slot = OTHER, at;
	struct ring *ring;

	if (!cpu)
		return 0;
	if (cgroup->level) {
		struct seen *seen = slot_of(cgroup, usage_tree, cpu->usage);

		slot = seen->place.slot;
		if (slot)
			heed_period(task, slot, now);
	}
	at = slot ? slot : other_rings + this_cpu();
	ring = map_lookup(&usage, &at);
	if (ring) {
		cpu->lost_ns += spread(ring, now - ns, now, 1, usage_shift);
		if (by_name && slot)
			remember(task, slot, ring, now, ns);
	}
	if (counting)
		count(slot, now, ns);
	end(cpu, started);
	return 0;
}

/* Looks at the run queue that a task is or was on, unless nobody tracks its cgroup. */
static __always_inline void look(struct task_struct *task, struct cpu_state *cpu, __u64 now)
{
	struct cgroup *cgroup = cgroup_of(task, TREE_CPU);
	struct seen *seen;

	if (!cgroup->level)
		return;
	seen = slot_of(cgroup, TREE_CPU, cpu->queue);
	if (seen->place.slot)
		refresh(task, seen->place.slot, seen->place.up, now);
}

SEC("tp_btf/sched_switch")
int on_switch(__u64 *args)
{
	__u64 now = monotonic_ns(), started;
	struct task_struct *prev = (void *)args[1], *next = (void *)args[2];
	struct cpu_state *cpu = begin(now, &started);

	if (!cpu)
		return 0;
	if (prev->pid)
		look(prev, cpu, now);
	else if (counting)
		count(OTHER, now, 0); /* nobody is charged for what was counted while the CPU idled */
	if (next->pid)
		look(next, cpu, now);
	end(cpu, started);
	return 0;
}

static __always_inline int woken(struct task_struct *task)
{
	__u64 now, started;
	struct cpu_state *cpu;

	if ((__u64)task == current_task()) /* it had not left its queue, and the queue is not locked */
		return 0;
	now = monotonic_ns();
	cpu = begin(now, &started);
	if (!cpu)
		return 0;
	look(task, cpu, now);
	end(cpu, started);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int on_wakeup(__u64 *args)
{
	return woken((void *)args[0]);
}

SEC("tp_btf/sched_wakeup_new")
int on_first_wakeup(__u64 *args)
{
	return woken((void *)args[0]);
}

/* A queued task was taken off its queue to be moved to another CPU's. */
SEC("tp_btf/sched_migrate_task")
int on_migrate(__u64 *args)
{
	struct task_struct *task = (void *)args[0];

	return task->on_rq == ON_RQ_MIGRATING ? woken(task) : 0;
}

/* A timer of the kernel has run: of interest are the two of bandwidth control. */
SEC("tp_btf/hrtimer_expire_exit")
int on_timer(__u64 *args)
{
	struct hrtimer *timer = (void *)args[0];
	struct cfs_bandwidth *of = 0;
	struct task_group *group = 0;
	__u64 function, now, started;
	struct cpu_state *cpu;

	if (!field_exists(timer->function))
		return 0;
	function = (__u64)timer->function;
	if (!function || (function != period_function && function != slack_function))
		return 0;
	now = monotonic_ns();
	cpu = begin(now, &started);
	if (!cpu)
		return 0;
	on_refill((__u64)timer - (function == period_function ? field_offset(of->period_timer) : field_offset(of->slack_timer))
		  - field_offset(group->cfs_bandwidth), now);
	end(cpu, started);
	return 0;
}
