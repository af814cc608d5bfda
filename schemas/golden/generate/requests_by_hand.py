"""A service in steps of one microsecond: who asks, who waits, who works. Slow and obvious; it shares no code with the Java.

The order at one instant: work that ends has ended; then attempts time out, oldest first; then those who paused ask
again; then requests arrive; then a collection that is due stops the pools, and starts once no worker is at a task;
then loops wake; then idle workers, the one that waited longest first, take tasks from their pool's queue.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from bandwidth import Group, Thread


@dataclass
class Attempt:
    request: int
    tries: int
    gives_up_at: int
    tasks_left: int
    waiting: bool = True


@dataclass
class Pool:
    settings: dict
    first: int
    idle: list[int] = field(default_factory=list)
    queue: list[tuple[Attempt, int]] = field(default_factory=list)
    at_work: dict[int, Attempt] = field(default_factory=dict)


class ServiceGroup(Group):
    """A group whose threads are the workers of pools, then the collecting threads, then the loops."""

    UNIT = 2**20  # progress is counted in 1/UNIT microseconds of work and rounded up

    def make_threads(self, given: dict, cpus: int) -> list[Thread]:
        service = given["service"]
        self.horizon = given["horizon_us"]
        self.client = service["client"]
        self.requests = service["requests"]
        self.cost = given["cost"]
        self.known_progress: dict[int, int] = {}
        self.pools, number = [], 0
        for settings in service["pools"]:
            self.pools.append(Pool(settings, number, list(range(number, number + settings["threads"]))))
            number += settings["threads"]
        self.gc, self.gc_first = service["collections"], number
        self.gc_at = self.gc["every_us"] if self.gc else None
        self.gc_waits, self.gc_busy, self.stopped = False, 0, False
        number += self.gc["threads"] if self.gc else 0
        self.loop_first, self.loops = number, []
        for loop in service["loops"]:
            self.loops += [{**loop, "wakes": loop["start_us"], "cycle": loop["start_us"]} for _ in range(loop["threads"])]
        number += len(self.loops)
        self.attempts: list[Attempt] = []
        self.asking_again: list[tuple[int, int, int]] = []
        self.arrived = 0
        self.count = dict.fromkeys(
            ("offered", "attempts", "answered", "timed_out", "refused", "given_up", "late", "dropped", "judged", "judged_failed"), 0
        )
        self.latencies: list[int] = []
        return [Thread(index, [], None, index % cpus) for index in range(number)]

    # -- work --------------------------------------------------------------------------------------------------------

    def progress(self, running: int) -> int:
        """Work done in a microsecond while so many CPUs run; each count is worked out once."""
        if running not in self.known_progress:
            reference = Fraction(self.cost["reference_cores"])
            price = 1 + Fraction(self.cost["kappa"]) * max(Fraction(0), running - reference) / reference
            self.known_progress[running] = -(-self.UNIT * price.denominator // price.numerator)
        return self.known_progress[running]

    def work(self) -> None:
        running = self.now_running()
        progress = self.progress(len(running))
        for silo in running:
            silo.threads[0].wanted -= progress
            silo.owed += 1
            silo.turn += 1
        self.now += 1

    def goes_on(self, thread: Thread) -> bool:
        more = self.finished(thread.number)
        if more:
            thread.wanted = more * self.UNIT
        return more > 0

    def rest(self, thread: Thread) -> None:
        thread.wakes_at = None

    def rouse(self, number: int, work: int) -> None:
        self.wake(self.threads[number], work * self.UNIT)

    def finished(self, number: int) -> int:
        if number >= self.loop_first:
            return self.loop_finished(self.loops[number - self.loop_first])
        if number >= self.gc_first:
            self.gc_busy -= 1
            if self.gc_busy == 0:
                self.stopped = False
                self.gc_at = self.now + self.gc["every_us"]
            return 0
        pool = next(pool for pool in reversed(self.pools) if number >= pool.first)
        attempt = pool.at_work.pop(number)
        attempt.tasks_left -= 1
        if attempt.tasks_left == 0:
            self.answer(attempt)
        work = self.next_task(pool, number)
        if not work:
            pool.idle.append(number)
        return work

    def loop_finished(self, loop: dict) -> int:
        pause = loop["sleep_us"]
        if loop["off_us"] > 0 and self.now - loop["cycle"] >= loop["on_us"]:
            pause = max(0, loop["on_us"] + loop["off_us"] - (self.now - loop["cycle"]))
            loop["cycle"] = self.now + pause
        if pause == 0:
            return loop["burn_us"]
        loop["wakes"] = self.now + pause
        return 0

    def next_task(self, pool: Pool, number: int) -> int:
        while pool.queue and not self.stopped:
            attempt, work = pool.queue.pop(0)
            if pool.settings["drops_expired"] and not attempt.waiting:
                self.count["dropped"] += 1
                continue
            pool.at_work[number] = attempt
            return work
        return 0

    # -- the instants ------------------------------------------------------------------------------------------------

    def wake_who_must(self) -> None:
        self.time_out()
        self.ask_again()
        self.arrive()
        self.collect()
        for index, loop in enumerate(self.loops):
            if loop["wakes"] == self.now:
                loop["wakes"] = None
                self.rouse(self.loop_first + index, loop["burn_us"])
        for pool in self.pools:
            while pool.idle and pool.queue and not self.stopped:
                work = self.next_task(pool, pool.idle[0])
                if work:
                    self.rouse(pool.idle.pop(0), work)

    def time_out(self) -> None:
        due = [attempt for attempt in self.attempts if attempt.gives_up_at == self.now and attempt.waiting]
        self.attempts = [attempt for attempt in self.attempts if attempt.waiting and attempt.gives_up_at > self.now]
        for attempt in due:
            attempt.waiting = False
            self.count["timed_out"] += 1
            self.failed(attempt)

    def ask_again(self) -> None:
        due = [entry for entry in self.asking_again if entry[0] == self.now]
        self.asking_again = [entry for entry in self.asking_again if entry[0] > self.now]
        for _, request, tries in due:
            self.ask(request, tries)

    def arrive(self) -> None:
        while self.arrived < len(self.requests) and self.requests[self.arrived]["arrives_us"] == self.now:
            self.count["offered"] += 1
            self.count["judged"] += self.is_judged(self.arrived)
            self.ask(self.arrived, 0)
            self.arrived += 1

    def collect(self) -> None:
        if self.gc and self.gc_at == self.now:
            self.gc_at, self.gc_waits, self.stopped = None, True, True
        if self.gc_waits and not any(pool.at_work for pool in self.pools):
            self.gc_waits, self.gc_busy = False, self.gc["threads"]
            for index in range(self.gc["threads"]):
                self.rouse(self.gc_first + index, self.gc["burn_us"])

    # -- requests ----------------------------------------------------------------------------------------------------

    def is_judged(self, request: int) -> bool:
        arrives = self.requests[request]["arrives_us"]
        return self.horizon * 6 // 10 <= arrives < self.horizon - self.client["timeout_us"]

    def ask(self, request: int, tries: int) -> None:
        wanted = self.requests[request]
        pool = self.pools[wanted["pool"]]
        self.count["attempts"] += 1
        attempt = Attempt(request, tries, self.now + self.client["timeout_us"], len(wanted["tasks_us"]))
        if len(pool.queue) + len(wanted["tasks_us"]) > pool.settings["queue_tasks"]:
            attempt.waiting = False
            self.count["refused"] += 1
            self.failed(attempt)
            return
        self.attempts.append(attempt)
        pool.queue += [(attempt, work) for work in wanted["tasks_us"]]

    def failed(self, attempt: Attempt) -> None:
        if attempt.tries == 0 and self.is_judged(attempt.request):
            self.count["judged_failed"] += 1
        if attempt.tries >= self.client["retries"]:
            self.count["given_up"] += 1
            self.latencies.append(self.now - self.requests[attempt.request]["arrives_us"])
        elif self.client["backoff_us"] == 0:
            self.ask(attempt.request, attempt.tries + 1)
        else:
            self.asking_again.append((self.now + self.client["backoff_us"], attempt.request, attempt.tries + 1))

    def answer(self, attempt: Attempt) -> None:
        if not attempt.waiting:
            self.count["late"] += 1
            return
        attempt.waiting = False
        self.count["answered"] += 1
        self.latencies.append(self.now - self.requests[attempt.request]["arrives_us"])
