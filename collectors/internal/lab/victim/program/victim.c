/*
 * What the overhead bench does to a machine, in C so that the load itself costs as little as it can:
 *
 *   victim pingpong CPU PROCS_A PROCS_B    two processes in two cgroups that wake each other through pipes on one CPU
 *   victim spin CPU                        one thread that only computes
 *   victim sleepers THREADS PERIOD_US PROCS       threads that wake once a period for next to nothing
 *   victim crowd PERIOD_US < list          one sleeping process in every cgroup of the list
 *   victim preads USAGE_EVERY_MS STAT_EVERY < list   reads the files of the list as a sampler would, and nothing else
 *
 * PROCS are cgroup.procs files joined by commas. pingpong and spin say "ready", then answer each line
 * "MILLISECONDS" on stdin by "ROUNDS NANOSECONDS". The others say "ready" and run until stdin ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "victim: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec until = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static void enter(char *files)
{
	for (char *file = strtok(files, ","); file; file = strtok(NULL, ",")) {
		FILE *procs = fopen(file, "w");
		if (!procs || fputs("0", procs) < 0 || fclose(procs))
			die(file);
	}
}

static void pin(int cpu)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		die("pinning");
}

static void say_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void wait_for_end(void)
{
	char word[64];
	while (read(0, word, sizeof word) > 0)
		;
}

/* Answers every order on stdin with what the round function did in that time. */
static void answer(uint64_t (*rounds)(uint64_t until_ns))
{
	char line[64];
	say_ready();
	while (fgets(line, sizeof line, stdin)) {
		uint64_t start = now_ns();
		uint64_t done = rounds(start + strtoull(line, NULL, 10) * 1000000u);
		printf("%llu %llu\n", (unsigned long long)done, (unsigned long long)(now_ns() - start));
		fflush(stdout);
	}
}

static int to_other, from_other;

static uint64_t exchange(uint64_t until_ns)
{
	char token = 0;
	uint64_t rounds = 0;
	do {
		for (int k = 0; k < 64; k++, rounds++)
			if (write(to_other, &token, 1) != 1 || read(from_other, &token, 1) != 1)
				die("exchanging");
	} while (now_ns() < until_ns);
	return rounds;
}

static int pingpong(int cpu, char *procs_a, char *procs_b)
{
	int there[2], back[2];
	if (pipe(there) || pipe(back))
		die("pipe");
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		enter(procs_b);
		pin(cpu);
		close(there[1]);
		close(back[0]);
		char token;
		while (read(there[0], &token, 1) == 1 && write(back[1], &token, 1) == 1)
			;
		_exit(0);
	}
	enter(procs_a);
	pin(cpu);
	close(there[0]);
	close(back[1]);
	to_other = there[1];
	from_other = back[0];
	answer(exchange);
	close(there[1]);
	waitpid(child, NULL, 0);
	return 0;
}

static uint64_t compute(uint64_t until_ns)
{
	volatile uint64_t state = 88172645463325252u;
	uint64_t rounds = 0;
	do {
		uint64_t x = state;
		for (int k = 0; k < 10000; k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
		}
		state = x;
		rounds++;
	} while (now_ns() < until_ns);
	return rounds;
}

static uint64_t period_ns;

static void *doze(void *first)
{
	uint64_t wake = now_ns() + (uint64_t)(uintptr_t)first;
	for (;;) {
		sleep_until(wake);
		wake += period_ns;
	}
	return NULL;
}

/* Wake-ups are spread evenly over the period, so that the rate of switches is the same at any moment. */
static int sleepers(int threads, uint64_t period_us, char *procs)
{
	enter(procs);
	period_ns = period_us * 1000;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32768);
	for (int k = 0; k < threads; k++) {
		pthread_t thread;
		uintptr_t first = (uintptr_t)(period_ns / (uint64_t)threads * (uint64_t)k);
		if ((errno = pthread_create(&thread, &small, doze, (void *)first)))
			die("starting a thread");
	}
	say_ready();
	wait_for_end();
	exit(0);
}

static int crowd(uint64_t period_us)
{
	char line[4096];
	int count = 0;
	period_ns = period_us * 1000;
	while (fgets(line, sizeof line, stdin) && line[0] != '\n') {
		line[strcspn(line, "\n")] = 0;
		pid_t child = fork();
		if (child < 0)
			die("fork");
		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			enter(line);
			doze((void *)(uintptr_t)((uint64_t)count * 7919000u % period_ns));
		}
		count++;
	}
	say_ready();
	wait_for_end();
	/* The children die with us. */
	return 0;
}

struct files { int usage, stat; };

/* The least that any sampler can do: wake, pread, forget. */
static int preads(uint64_t every_ms, int stat_every)
{
	static struct files files[4096];
	static char line[4096], text[4096];
	struct rlimit many = {16384, 16384};
	int count = 0;
	setrlimit(RLIMIT_NOFILE, &many);
	while (fgets(line, sizeof line, stdin) && line[0] != '\n' && count < 4096) {
		line[strcspn(line, "\n")] = 0;
		char *stat = strchr(line, ' ');
		if (stat)
			*stat++ = 0;
		files[count].usage = open(line, O_RDONLY);
		files[count].stat = stat ? open(stat, O_RDONLY) : -1;
		if (files[count].usage < 0 || (stat && files[count].stat < 0))
			die(line);
		count++;
	}
	say_ready();
	fcntl(0, F_SETFL, O_NONBLOCK);
	uint64_t wake = now_ns();
	for (uint64_t slot = 0; read(0, text, 1) != 0; slot++) {
		wake += every_ms * 1000000u;
		sleep_until(wake);
		for (int k = 0; k < count; k++) {
			if (pread(files[k].usage, text, sizeof text, 0) <= 0)
				die("reading usage");
			if (files[k].stat >= 0 && (slot + (uint64_t)k) % (uint64_t)stat_every == 0 &&
			    pread(files[k].stat, text, sizeof text, 0) <= 0)
				die("reading cpu.stat");
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *role = argc > 1 ? argv[1] : "";
	if (!strcmp(role, "pingpong") && argc == 5)
		return pingpong(atoi(argv[2]), argv[3], argv[4]);
	if (!strcmp(role, "spin") && argc == 3) {
		pin(atoi(argv[2]));
		answer(compute);
		return 0;
	}
	if (!strcmp(role, "sleepers") && argc == 5)
		return sleepers(atoi(argv[2]), strtoull(argv[3], NULL, 10), argv[4]);
	if (!strcmp(role, "crowd") && argc == 3)
		return crowd(strtoull(argv[2], NULL, 10));
	if (!strcmp(role, "preads") && argc == 4)
		return preads(strtoull(argv[2], NULL, 10), atoi(argv[3]));
	fprintf(stderr, "victim: started by the bench only\n");
	return 2;
}
