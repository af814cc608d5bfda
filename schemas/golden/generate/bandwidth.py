"""CFS bandwidth control in steps of one microsecond: slow, obvious, written beside the kernel's sched-bwc.rst.

It shares no code with the Java simulator, which jumps from event to event. One turn of `Group.step` is one
microsecond of wall time: first what happens at that instant, then every CPU that may run does one microsecond of work.
Where sched-bwc.rst leaves an order of simultaneous happenings open, `Group.step` states the one that we take.
"""

from dataclasses import dataclass, field


@dataclass
class Thread:
    """A plan (bursts of CPU time, each followed by sleep, some cycles of them) and how far it is."""

    number: int
    plan: list[list[int]]
    wakes_at: int | None
    cpu: int
    wanted: int = 0
    ends: list[int] = field(default_factory=list)


@dataclass
class Silo:
    """What sched-bwc.rst calls a cpu-local silo: one CPU of the group, its runtime and its threads."""

    threads: list[Thread] = field(default_factory=list)
    runtime: int = 0
    owed: int = 0  # ran, and not charged yet
    turn: int = 0
    throttled: bool = False
    stalled_since: int | None = None
    drawn_in: int = 0

    def runs(self) -> bool:
        return bool(self.threads) and not self.throttled


class Group:
    def __init__(self, given: dict):
        self.limit = given["limit"]
        self.rules = given["rules"]
        self.timeslice = given["timeslice_us"]
        kind = self.limit["kind"]
        cpus = given["host_cpus"]
        if kind in ("cap", "pinned"):
            cpus = min(cpus, self.limit["cores"])
        self.has_quota = kind == "quota"
        self.silos = [Silo() for _ in range(cpus)]
        self.threads = self.make_threads(given, cpus)
        self.now = 0
        self.running: list[Silo] = []
        self.sleepers: list[Thread] = []
        self.changed = True
        self.changes = 0
        self.may_steal = False
        self.pool = self.limit["quota_us"] if self.has_quota else 0
        self.pool_when_filled = self.pool
        self.queue_of_throttled: list[Silo] = []
        self.timer_runs = False
        self.nobody_drew = False
        self.slack_at: int | None = None
        self.stat = {"periods": 0, "throttled_periods": 0, "throttled_us": 0, "bursts": 0, "burst_us": 0}

    def make_threads(self, given: dict, cpus: int) -> list[Thread]:
        return [
            Thread(number, task["bursts"] * task["cycles"], task["start_us"], number % cpus)
            for number, task in enumerate(given["tasks"])
        ]

    # -- the instants ------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """What happens at this instant, in this order; the microsecond of work is `work`."""
        if self.timer_runs and self.is_edge(self.now):
            self.period_ends()
        if self.slack_at == self.now:
            self.slack_timer()
        for silo in self.now_running():
            self.look_after(silo)
        self.now_running()
        self.wake_who_must()
        if self.may_steal:
            for number, silo in enumerate(self.silos):
                if not silo.threads and not silo.throttled:
                    self.steal(number)
            self.may_steal = False

    def wake_who_must(self) -> None:
        for thread in self.sleepers:
            if thread.wakes_at <= self.now:
                self.wake(thread, thread.plan[len(thread.ends)][0])

    def touch(self) -> None:
        """A thread came or went, or a CPU was throttled or is so no longer."""
        self.changed = True
        self.changes += 1
        self.may_steal = True

    def now_running(self) -> list[Silo]:
        """CPUs by number; the lists are made anew only after a thread or a CPU changed its state."""
        if self.changed:
            self.running = [silo for silo in self.silos if silo.runs()]
            self.sleepers = [thread for thread in self.threads if thread.wakes_at is not None]
            self.changed = False
        return self.running

    def work(self) -> None:
        for silo in self.now_running():
            silo.threads[0].wanted -= 1
            silo.owed += 1
            silo.turn += 1
        self.now += 1

    # -- threads and CPUs --------------------------------------------------------------------------------------------

    def look_after(self, silo: Silo) -> None:
        if silo.threads[0].wanted <= 0 and not self.goes_on(silo.threads[0]):
            self.leave(silo)
            return
        tick = self.rules["tick_us"]
        used_up = silo.owed >= silo.runtime
        if self.has_quota and (self.now % tick == 0 if tick else used_up):
            self.account(silo)
            self.throttle_if_empty(silo)
        if silo.runs() and len(silo.threads) > 1 and silo.turn >= self.timeslice:
            self.account(silo)
            self.throttle_if_empty(silo)
            silo.threads.append(silo.threads.pop(0))
            silo.turn = 0

    def goes_on(self, thread: Thread) -> bool:
        """Whether a thread that has done its work has more at once; a planned one sleeps first."""
        return False

    def leave(self, silo: Silo) -> None:
        self.touch()
        alone = len(silo.threads) == 1
        by_hand = self.rules["departure"] == "ARTICLE" and alone and silo.runtime == silo.owed
        if by_hand:
            silo.runtime, silo.owed = 0, 0
        else:
            self.account(silo)
        thread = silo.threads.pop(0)
        silo.turn = 0
        self.rest(thread)
        if by_hand or not self.has_quota:
            return
        if alone:
            self.give_back(silo)
        self.throttle_if_empty(silo)

    def rest(self, thread: Thread) -> None:
        sleep = thread.plan[len(thread.ends)][1]
        thread.ends.append(self.now)
        thread.wakes_at = self.now + sleep if len(thread.ends) < len(thread.plan) else None

    def wake(self, thread: Thread, wanted: int) -> None:
        thread.wanted = wanted
        thread.wakes_at = None
        empty = [number for number, silo in enumerate(self.silos) if not silo.threads]
        if empty and thread.cpu not in empty:
            thread.cpu = empty[0]
        self.put(thread)

    def steal(self, number: int) -> None:
        crowded = [silo for silo in self.silos if silo.runs() and len(silo.threads) > 1]
        if crowded:
            # max() takes the first of equals, which is the CPU with the lowest number.
            thread = max(crowded, key=lambda silo: len(silo.threads)).threads.pop()
            thread.cpu = number
            self.put(thread)

    def put(self, thread: Thread) -> None:
        self.touch()
        silo = self.silos[thread.cpu]
        silo.threads.append(thread)
        if len(silo.threads) <= 2:
            silo.turn = 0
        if silo.throttled:
            if silo.stalled_since is None:
                silo.stalled_since = self.now
            return
        self.account(silo)
        self.throttle_if_empty(silo)

    # -- quota -------------------------------------------------------------------------------------------------------

    def period_of(self, instant: int) -> int:
        return (instant - self.limit["phase_us"]) // self.limit["period_us"]

    def is_edge(self, instant: int) -> bool:
        return (instant - self.limit["phase_us"]) % self.limit["period_us"] == 0

    def until_refill(self) -> int:
        return self.limit["period_us"] - (self.now - self.limit["phase_us"]) % self.limit["period_us"]

    def account(self, silo: Silo) -> None:
        """Dock what ran; lose what another period gave, if slices expire; ask for a slice when nothing is left."""
        if not self.has_quota:
            silo.owed = 0
            return
        silo.runtime -= silo.owed
        silo.owed = 0
        if self.rules["slices_expire"] and silo.runtime > 0 and silo.drawn_in != self.period_of(self.now):
            silo.runtime = 0
        if silo.runtime > 0:
            return
        self.timer_runs = True
        silo.drawn_in = self.period_of(self.now)
        wanted = self.rules["bandwidth_slice_us"] - silo.runtime
        given = min(wanted, self.pool)
        if given > 0:
            self.pool -= given
            silo.runtime += given
            self.nobody_drew = False

    def throttle_if_empty(self, silo: Silo) -> None:
        if not self.has_quota or silo.runtime > 0:
            return
        self.touch()
        silo.throttled = True
        self.queue_of_throttled.append(silo)
        if silo.threads:
            silo.stalled_since = self.now

    def give_back(self, silo: Silo) -> None:
        surplus = silo.runtime - self.rules["kept_us"]
        if surplus <= 0:
            return
        silo.runtime -= surplus
        self.pool += surplus
        enough = self.pool > self.rules["bandwidth_slice_us"]
        in_time = self.until_refill() >= self.rules["slack_delay_us"] + self.rules["refresh_guard_us"]
        if enough and in_time and self.queue_of_throttled and self.slack_at is None:
            self.slack_at = self.now + self.rules["slack_delay_us"]

    def slack_timer(self) -> None:
        self.slack_at = None
        if self.until_refill() >= self.rules["refresh_guard_us"] and self.pool > self.rules["bandwidth_slice_us"]:
            self.hand_out()

    def period_ends(self) -> None:
        someone = bool(self.queue_of_throttled)
        self.stat["periods"] += 1
        self.pool += self.limit["quota_us"]
        if self.pool < self.pool_when_filled:
            self.stat["bursts"] += 1
            self.stat["burst_us"] += self.pool_when_filled - self.pool
        self.pool = min(self.pool, self.limit["quota_us"] + self.limit["burst_us"])
        self.pool_when_filled = self.pool
        if someone:
            self.stat["throttled_periods"] += 1
            self.hand_out()
            self.nobody_drew = False
        elif self.nobody_drew:
            self.timer_runs = False
        else:
            self.nobody_drew = True

    def hand_out(self) -> None:
        self.touch()
        still_throttled = []
        for silo in self.queue_of_throttled:
            given = min(self.pool, self.rules["grant_us"] - silo.runtime)
            if given > 0:
                self.pool -= given
                silo.runtime += given
                silo.drawn_in = self.period_of(self.now)
            if silo.runtime <= 0:
                still_throttled.append(silo)
                continue
            silo.throttled = False
            if silo.stalled_since is not None:
                self.stat["throttled_us"] += self.now - silo.stalled_since
                silo.stalled_since = None
        self.queue_of_throttled = still_throttled
