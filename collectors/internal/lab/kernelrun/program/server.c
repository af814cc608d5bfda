// A service that does exactly what it was told, and writes down what the kernel made of it.
//
// The parent is the people who ask: it stays outside of the cgroups, sends requests at their instants, gives up
// attempts after the time-out and asks again. Each child is a shard of the server: it enters its cgroup (the command
// line names as many files for each shard, one shard after the other) and works on tasks, first in first out, with a
// pool of threads. They share memory and a semaphore each and no lock, because a server that is throttled while it
// holds a lock would hold up the people too.
//
// With several shards the people leave a shard that is dead: when more than half of its attempts of two seconds
// failed, it is asked no more, and what was meant for it goes to the others in turn. When none is left they go back
// to asking all of them, as load balancers do.
//
// Work may cost more while more CPUs run a shard. It is then really burnt: a task looks every PART_US of its work how
// many tasks are being worked on, of which as many run as there are CPUs, and burns so much more.
//
// Input:  threads timeout_us retries horizon_us requests steps_per_ms shards cpus
//         then a line with the price of work while 0, 1 .. cpus CPUs run the shard, in thousandths
//         then a line for each request: arrives_us home_shard tasks task_us...
// Output: "ready", and after a line of input "over" at the horizon; after another line of input, a line with the
//         instant at which each shard was left (-1 = never), a line with the CPU time that each spent inside of tasks
//         in ns, and for each request: sent_us first_failed answered_us(-1 = not)
//         work_ns of each task of the last attempt that began (0 = none): its CPU time over its price
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TASKS_MAX 4000000
#define REQUEST_TASKS_MAX 256
#define SHARDS_MAX 8
#define CPUS_MAX 1024
#define PART_US 100
#define JUDGED_EVERY_US 1000000
#define JUDGED_ATTEMPTS_MIN 10

struct request {
	int64_t arrives_us, sent_us, answered_us;
	int home, tasks, first_task_us, tries, first_failed;
	int first_work;
};
struct attempt {
	int request, shard;
	int64_t gives_up_us;
	atomic_int tasks_left;
	_Atomic int64_t done_us;
};
struct task {
	int attempt, number;
	int64_t us;
};
struct shard {
	sem_t waiting;
	atomic_int next, busy;
	_Atomic int64_t inside_ns;
	int tasks_used;
	struct task tasks[TASKS_MAX];
};
struct shared {
	atomic_int attempts_used;
	int64_t start_ns, steps_per_ms, prices[CPUS_MAX + 1];
	int cpus;
	struct attempt attempts[TASKS_MAX];
	struct shard shards[SHARDS_MAX];
};
// What the people know of a shard: attempts that ended and failed ones, in this second and the one before.
struct reputation {
	int64_t left_us;
	int ended[2], failed[2];
};

static struct shared *all;
static struct request *requests;
static int64_t *task_us, *task_work_ns;
static volatile uint64_t sink;
static struct reputation reputations[SHARDS_MAX];
static int shards, in_turn;

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t since_start_us(void) { return (clock_ns(CLOCK_MONOTONIC) - all->start_ns) / 1000; }

static void burn(int64_t steps)
{
	uint64_t state = 88172645463325252ull;
	for (; steps > 0; steps--) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
	}
	sink = state;
}

static int64_t calibrate(void)
{
	const int64_t steps = 400000;
	int64_t best = INT64_MAX;
	for (int round = 0; round < 60; round++) {
		int64_t start = clock_ns(CLOCK_MONOTONIC);
		burn(steps);
		int64_t took = clock_ns(CLOCK_MONOTONIC) - start;
		if (took < best)
			best = took;
	}
	return steps * 1000000 / best;
}

// Burns so much work at the price of the moment and says how much it was at the price of 1.
static int64_t burn_at_price(struct shard *shard, int64_t us)
{
	int64_t paid = 0;
	for (int64_t left = us; left > 0; left -= PART_US) {
		int64_t part = left < PART_US ? left : PART_US;
		int busy = atomic_load(&shard->busy);
		int64_t price = all->prices[busy < all->cpus ? busy : all->cpus];
		burn(part * price * all->steps_per_ms / 1000000);
		paid += part * price;
	}
	return paid / 1000;
}

static void *work(void *own)
{
	struct shard *shard = own;
	for (;;) {
		while (sem_wait(&shard->waiting) != 0)
			;
		struct task *task = &shard->tasks[atomic_fetch_add(&shard->next, 1)];
		struct attempt *attempt = &all->attempts[task->attempt];
		int64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		atomic_fetch_add(&shard->busy, 1);
		int64_t paid_us = burn_at_price(shard, task->us);
		atomic_fetch_sub(&shard->busy, 1);
		int64_t inside_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
		atomic_fetch_add(&shard->inside_ns, inside_ns);
		task_work_ns[requests[attempt->request].first_work + task->number] = inside_ns * task->us / paid_us;
		if (atomic_fetch_sub(&attempt->tasks_left, 1) == 1)
			atomic_store(&attempt->done_us, since_start_us());
	}
	return NULL;
}

static void enter(const char *path)
{
	FILE *procs = fopen(path, "w");
	if (!procs || fputs("0", procs) == EOF || fclose(procs) != 0) {
		perror(path);
		exit(3);
	}
}

static void serve(int threads, struct shard *own, char **procs_files, int files, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int file = 0; file < files; file++)
		enter(procs_files[file]);
	for (int thread = 1; thread < threads; thread++) {
		pthread_t id;
		if (pthread_create(&id, NULL, work, own) != 0) {
			perror("pthread_create");
			exit(3);
		}
	}
	if (write(ready, "r", 1) != 1)
		exit(3);
	work(own);
}

static int shard_for(int home)
{
	if (reputations[home].left_us < 0)
		return home;
	for (int tried = 0; tried < shards; tried++) {
		in_turn = (in_turn + 1) % shards;
		if (reputations[in_turn].left_us < 0)
			return in_turn;
	}
	return home;
}

// Called at the end of every second.
static void leave_the_dead(int64_t now_us)
{
	for (int number = 0; number < shards; number++) {
		struct reputation *known = &reputations[number];
		int ended = known->ended[0] + known->ended[1], failed = known->failed[0] + known->failed[1];
		if (known->left_us < 0 && ended >= JUDGED_ATTEMPTS_MIN && 2 * failed > ended)
			known->left_us = now_us;
		known->ended[1] = known->ended[0];
		known->failed[1] = known->failed[0];
		known->ended[0] = known->failed[0] = 0;
	}
}

static void ask(int number, int tries, int64_t timeout_us)
{
	struct request *request = &requests[number];
	int to = shard_for(request->home);
	struct shard *shard = &all->shards[to];
	if (shard->tasks_used + request->tasks > TASKS_MAX)
		return;
	int id = atomic_fetch_add(&all->attempts_used, 1);
	struct attempt *attempt = &all->attempts[id];
	attempt->request = number;
	attempt->shard = to;
	attempt->gives_up_us = since_start_us() + timeout_us;
	atomic_store(&attempt->done_us, -1);
	atomic_store(&attempt->tasks_left, request->tasks);
	request->tries = tries;
	for (int task = 0; task < request->tasks; task++)
		shard->tasks[shard->tasks_used++] = (struct task){id, task, task_us[request->first_task_us + task]};
	for (int task = 0; task < request->tasks; task++)
		sem_post(&shard->waiting);
}

static void wait_until(int64_t at_us)
{
	int64_t at = all->start_ns + at_us * 1000;
	struct timespec until = {at / 1000000000, at % 1000000000};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
		;
}

// All attempts wait equally long, so the oldest is the first to be given up.
static void ask_all(int count, int64_t timeout_us, int retries, int64_t horizon_us)
{
	int arrived = 0, oldest = 0;
	int64_t judged_us = JUDGED_EVERY_US;
	for (;;) {
		int64_t next = horizon_us;
		if (shards > 1 && judged_us < next)
			next = judged_us;
		if (arrived < count && requests[arrived].arrives_us < next)
			next = requests[arrived].arrives_us;
		if (oldest < atomic_load(&all->attempts_used) && all->attempts[oldest].gives_up_us < next)
			next = all->attempts[oldest].gives_up_us;
		if (next >= horizon_us)
			break;
		wait_until(next);
		int64_t now = since_start_us();
		if (shards > 1 && judged_us <= now) {
			leave_the_dead(now);
			judged_us += JUDGED_EVERY_US;
		}
		while (oldest < atomic_load(&all->attempts_used) && all->attempts[oldest].gives_up_us <= now) {
			struct attempt *attempt = &all->attempts[oldest++];
			struct request *request = &requests[attempt->request];
			struct reputation *known = &reputations[attempt->shard];
			int64_t done = atomic_load(&attempt->done_us);
			known->ended[0]++;
			if (done >= 0 && done <= attempt->gives_up_us) {
				request->answered_us = done;
				continue;
			}
			known->failed[0]++;
			request->first_failed |= request->tries == 0;
			if (request->tries < retries)
				ask(attempt->request, request->tries + 1, timeout_us);
		}
		while (arrived < count && requests[arrived].arrives_us <= now) {
			requests[arrived].sent_us = now;
			ask(arrived++, 0, timeout_us);
		}
	}
	wait_until(horizon_us);
	for (; oldest < atomic_load(&all->attempts_used); oldest++) {
		int64_t done = atomic_load(&all->attempts[oldest].done_us);
		if (done >= 0 && done <= all->attempts[oldest].gives_up_us)
			requests[all->attempts[oldest].request].answered_us = done;
	}
}

static void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	return memory;
}

static void read_requests(int count)
{
	requests = share(sizeof *requests * (count + 1));
	task_us = share(sizeof *task_us * REQUEST_TASKS_MAX * (count + 1));
	task_work_ns = share(sizeof *task_work_ns * REQUEST_TASKS_MAX * (count + 1));
	int used = 0;
	for (int number = 0; number < count; number++) {
		struct request *request = &requests[number];
		request->answered_us = -1;
		request->first_task_us = request->first_work = used;
		if (scanf("%ld %d %d", &request->arrives_us, &request->home, &request->tasks) != 3 ||
		    request->tasks > REQUEST_TASKS_MAX || request->home < 0 || request->home >= shards)
			exit(2);
		for (int task = 0; task < request->tasks; task++)
			if (scanf("%ld", &task_us[used++]) != 1)
				exit(2);
	}
}

static void await_line(void)
{
	int got;
	while ((got = getchar()) != '\n')
		if (got == EOF)
			exit(0);
}

static void start_shards(int threads, char **procs_files, int files, pid_t *servers)
{
	int ready[2];
	char got;
	if (pipe(ready) != 0)
		exit(3);
	for (int number = 0; number < shards; number++) {
		sem_init(&all->shards[number].waiting, 1, 0);
		reputations[number].left_us = -1;
		servers[number] = fork();
		if (servers[number] == 0)
			serve(threads, &all->shards[number], procs_files + number * files, files, ready[1]);
	}
	close(ready[1]);
	for (int number = 0; number < shards; number++)
		if (read(ready[0], &got, 1) != 1)
			exit(3);
}

static void tell(int count)
{
	for (int number = 0; number < shards; number++)
		printf("%ld%s", reputations[number].left_us, number + 1 < shards ? " " : "\n");
	for (int number = 0; number < shards; number++)
		printf("%ld%s", all->shards[number].inside_ns, number + 1 < shards ? " " : "\n");
	for (int number = 0; number < count; number++) {
		struct request *request = &requests[number];
		printf("%ld %d %ld", request->sent_us, request->first_failed, request->answered_us);
		for (int task = 0; task < request->tasks; task++)
			printf(" %ld", task_work_ns[request->first_work + task]);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	int threads, retries, count;
	int64_t timeout_us, horizon_us, steps_per_ms;
	pid_t servers[SHARDS_MAX];
	if (argc == 2 && strcmp(argv[1], "calibrate") == 0) {
		printf("%ld\n", calibrate());
		return 0;
	}
	all = share(sizeof *all);
	if (scanf("%d %ld %d %ld %d %ld %d %d", &threads, &timeout_us, &retries, &horizon_us, &count, &steps_per_ms,
		  &shards, &all->cpus) != 8 || shards < 1 || shards > SHARDS_MAX || (argc - 1) % shards != 0 ||
	    all->cpus < 1 || all->cpus > CPUS_MAX)
		return 2;
	for (int cpus = 0; cpus <= all->cpus; cpus++)
		if (scanf("%ld", &all->prices[cpus]) != 1)
			return 2;
	read_requests(count);
	await_line();
	all->steps_per_ms = steps_per_ms;
	start_shards(threads, argv + 1, (argc - 1) / shards, servers);
	// People are not held up by other load on the machine; without the right they may be.
	struct sched_param first = {.sched_priority = 1};
	sched_setscheduler(0, SCHED_FIFO, &first);
	printf("ready\n");
	fflush(stdout);
	await_line();
	all->start_ns = clock_ns(CLOCK_MONOTONIC);
	ask_all(count, timeout_us, retries, horizon_us);
	printf("over\n");
	fflush(stdout);
	await_line();
	for (int number = 0; number < shards; number++) {
		kill(servers[number], SIGKILL);
		waitpid(servers[number], NULL, 0);
	}
	tell(count);
	return 0;
}
