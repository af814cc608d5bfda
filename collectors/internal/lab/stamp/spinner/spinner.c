/*
 * A load that knows, without asking the kernel's accounting, when it was on a CPU.
 *
 * Every thread reads CLOCK_MONOTONIC through the vDSO in a tight loop, some 30 ns a turn. Two readings
 * that lie further apart mean that something else had the CPU:
 *   - the thread was switched out (found by rseq, see armed()): the gap is idle;
 *   - a gap of gap_ns or more without a switch: the hypervisor ran somebody else: idle as well;
 *   - a shorter one: an interrupt, which the kernel charges to the thread that it interrupts: busy.
 * Nothing here reads a CPU clock or rusage: that would make the kernel bring its counters up to date
 * and hide what a polling sampler gets wrong.
 *
 * C rather than Go: a Go program brings a garbage collector, a scheduler that stops threads by
 * signals, and threads of its own in the cgroup that stamp nothing.
 *
 * The parent talks to it in lines: "ready" when all threads sleep; then "go START_NS END_NS" on stdin;
 * "done" when all threads sleep again; then "write" on stdin makes it write its intervals and end.
 * So counters can be read at two instants at which nobody in the cgroup runs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>
#include <time.h>

/* A turn that took longer than this is looked at. */
enum { SUSPICIOUS_NS = 1000 };

/* How an interval ended: the thread went to sleep, was switched out, or the hypervisor took the CPU. */
enum end { SLEPT, SWITCHED, STOLEN };

struct interval {
	uint64_t start_ns, end_ns;
	int cpu;
	enum end end;
};

struct plan {
	uint64_t busy_min_ns, busy_max_ns, idle_min_ns, idle_max_ns, gap_ns;
	size_t capacity;
	uint64_t start_ns, end_ns;
	pthread_barrier_t ready, done;
	pthread_mutex_t gate;
};

struct spinner {
	const struct plan *plan;
	pthread_t thread;
	int cpu; /* -1: not pinned */
	uint64_t random;
	struct interval *intervals;
	size_t used;
	int rseq;
	uint64_t switches, switched_ns, stolen, stolen_ns, interrupts, interrupt_ns;
};

static void die(const char *what)
{
	fprintf(stderr, "spinner: %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * The kernel looks at a thread's rseq_cs pointer whenever the thread comes back from having been switched
 * out, and clears it if the thread was outside the critical section that it describes. We point it at a
 * section that is never entered: a cleared pointer says that there was a switch, and costs nothing.
 */
#if defined(__x86_64__)
extern char never_entered[];
__asm__(".pushsection .text\n"
	".byte 0x0f, 0xb9, 0x3d\n" /* the signature that must precede an abort address */
	".long 0x53053053\n"
	"never_entered:\n nop\n nop\n nop\n ret\n"
	".popsection\n");
static struct rseq_cs section __attribute__((aligned(32)));

static volatile uint64_t *rseq_pointer(void)
{
	if (__rseq_size == 0)
		return NULL;
	struct rseq *own = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
	return (volatile uint64_t *)&own->rseq_cs;
}

static void describe_section(void)
{
	section.start_ip = (uintptr_t)never_entered + 1;
	section.post_commit_offset = 1;
	section.abort_ip = (uintptr_t)never_entered;
}
#else
static struct { int unused; } section;
static volatile uint64_t *rseq_pointer(void) { return NULL; }
static void describe_section(void) {}
#endif

static inline void arm(volatile uint64_t *pointer)
{
	if (pointer)
		*pointer = (uintptr_t)&section;
}

/* Without rseq every gap below gap_ns counts as an interrupt. */
static inline int armed(volatile uint64_t *pointer) { return !pointer || *pointer != 0; }

static void keep(struct spinner *s, uint64_t start_ns, uint64_t end_ns, int cpu, enum end end)
{
	if (s->used == s->plan->capacity) {
		fprintf(stderr, "spinner: more than %zu intervals in one thread\n", s->plan->capacity);
		exit(1);
	}
	s->intervals[s->used++] = (struct interval){start_ns, end_ns, cpu, end};
}

static uint64_t between(struct spinner *s, uint64_t low, uint64_t high)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return high <= low ? low : low + s->random % (high - low + 1);
}

/* Spends busy_ns on a CPU, gaps not counted, or stops at the end of the run. */
static void burn(struct spinner *s, uint64_t busy_ns)
{
	volatile uint64_t *pointer = rseq_pointer();
	uint64_t end_ns = s->plan->end_ns, gap_ns = s->plan->gap_ns;
	arm(pointer);
	int cpu = sched_getcpu();
	uint64_t start = now_ns(), last = start, spent = 0;
	while (last < end_ns && spent + (last - start) < busy_ns) {
		uint64_t now = now_ns(), gap = now - last;
		if (gap > SUSPICIOUS_NS) {
			int switched = !armed(pointer);
			if (switched || gap >= gap_ns) {
				keep(s, start, last, cpu, switched ? SWITCHED : STOLEN);
				spent += last - start;
				start = now;
				arm(pointer);
				cpu = sched_getcpu();
			}
			if (switched) {
				s->switches++;
				s->switched_ns += gap;
			} else if (gap >= gap_ns) {
				s->stolen++;
				s->stolen_ns += gap;
			} else {
				s->interrupts++;
				s->interrupt_ns += gap;
			}
		}
		last = now;
	}
	if (pointer)
		*pointer = 0;
	keep(s, start, last, cpu, SLEPT);
}

static void sleep_until(uint64_t ns)
{
	struct timespec until = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static void *spin(void *argument)
{
	struct spinner *s = argument;
	struct plan *plan = (struct plan *)s->plan;
	if (s->cpu >= 0) {
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(s->cpu, &one);
		if ((errno = pthread_setaffinity_np(pthread_self(), sizeof one, &one)))
			die("pinning a thread");
	}
	s->rseq = rseq_pointer() != NULL;
	pthread_barrier_wait(&plan->ready);
	pthread_mutex_lock(&plan->gate); /* held by main until "go" */
	pthread_mutex_unlock(&plan->gate);
	sleep_until(plan->start_ns);
	for (;;) {
		burn(s, between(s, plan->busy_min_ns, plan->busy_max_ns));
		uint64_t wake = now_ns() + between(s, plan->idle_min_ns, plan->idle_max_ns);
		if (wake >= plan->end_ns)
			break;
		if (plan->idle_max_ns)
			sleep_until(wake);
	}
	pthread_barrier_wait(&plan->done);
	return NULL;
}

static void write_interval(FILE *out, int thread, const struct interval *i)
{
	fprintf(out, "%d,%d,%" PRIu64 ",%" PRIu64 ",%d\n", thread, i->cpu, i->start_ns, i->end_ns, i->end);
}

static void write_intervals(const char *path, struct spinner *spinners, int threads)
{
	FILE *out = fopen(path, "w");
	if (!out)
		die(path);
	fprintf(out, "thread,cpu,start_ns,end_ns,end\n");
	for (int i = 0; i < threads; i++)
		for (size_t k = 0; k < spinners[i].used; k++)
			write_interval(out, i, &spinners[i].intervals[k]);
	for (int i = 0; i < threads; i++) {
		struct spinner *s = &spinners[i];
		fprintf(out, "# gaps,%d,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", i, s->rseq,
			s->switches, s->switched_ns, s->stolen, s->stolen_ns, s->interrupts, s->interrupt_ns);
	}
	if (fclose(out))
		die(path);
}

static void expect(const char *word, char *line, int size)
{
	if (!fgets(line, size, stdin) || strncmp(line, word, strlen(word))) {
		fprintf(stderr, "spinner: want \"%s\" on stdin\n", word);
		exit(1);
	}
}

static void say(const char *word)
{
	puts(word);
	fflush(stdout);
}

/* Pages that are touched first inside the loop would cost faults, which are busy but look like gaps. */
static void begin(struct spinner *s, const struct plan *plan, int cpu, uint64_t seed)
{
	s->plan = plan;
	s->cpu = cpu;
	s->random = seed * 0x9E3779B97F4A7C15u | 1;
	s->intervals = malloc(plan->capacity * sizeof *s->intervals);
	if (!s->intervals)
		die("memory for the intervals");
	memset(s->intervals, 1, plan->capacity * sizeof *s->intervals);
}

static void enter(char *const *files, int count)
{
	for (int i = 0; i < count; i++) {
		FILE *procs = fopen(files[i], "w");
		if (!procs || fputs("0", procs) < 0 || fclose(procs))
			die(files[i]);
	}
}

/* argv: threads cpus busy_min_us busy_max_us idle_min_us idle_max_us gap_us capacity seed out [cgroup.procs...] */
int main(int argc, char **argv)
{
	if (argc < 11) {
		fprintf(stderr, "spinner: started by the bench only\n");
		return 2;
	}
	int threads = atoi(argv[1]), cpus = atoi(argv[2]);
	static struct plan plan;
	plan.busy_min_ns = strtoull(argv[3], NULL, 10) * 1000;
	plan.busy_max_ns = strtoull(argv[4], NULL, 10) * 1000;
	plan.idle_min_ns = strtoull(argv[5], NULL, 10) * 1000;
	plan.idle_max_ns = strtoull(argv[6], NULL, 10) * 1000;
	plan.gap_ns = strtoull(argv[7], NULL, 10) * 1000;
	plan.capacity = strtoull(argv[8], NULL, 10);
	uint64_t seed = strtoull(argv[9], NULL, 10);
	struct spinner *spinners = calloc((size_t)threads, sizeof *spinners);
	if (!spinners)
		die("memory for the threads");
	describe_section();
	pthread_barrier_init(&plan.ready, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&plan.done, NULL, (unsigned)threads + 1);
	pthread_mutex_init(&plan.gate, NULL);
	pthread_mutex_lock(&plan.gate);
	for (int i = 0; i < threads; i++)
		begin(&spinners[i], &plan, cpus > 0 ? i % cpus : -1, seed + (uint64_t)i + 1);
	enter(argv + 11, argc - 11);
	for (int i = 0; i < threads; i++)
		if ((errno = pthread_create(&spinners[i].thread, NULL, spin, &spinners[i])))
			die("starting a thread");
	pthread_barrier_wait(&plan.ready);
	say("ready");
	char line[128];
	expect("go ", line, sizeof line);
	if (sscanf(line, "go %" SCNu64 " %" SCNu64, &plan.start_ns, &plan.end_ns) != 2)
		die("go START_NS END_NS");
	pthread_mutex_unlock(&plan.gate);
	pthread_barrier_wait(&plan.done);
	say("done");
	expect("write", line, sizeof line);
	write_intervals(argv[10], spinners, threads);
	return 0;
}
