"""Demand as a fluid under a quota, in exact fractions: the second opinion on the replay of docs/model/what-if.md.

Time jumps to whatever comes first: the end of a slot, a refill, the instant the waiting work is done, the instant the
pool is empty. Between two such instants every rate is constant. Slow and obvious; it shares no code with the Java.
"""

from dataclasses import dataclass, field
from fractions import Fraction

SLOT_US = 10_000
TAIL = Fraction(6, 10)


@dataclass
class Tank:
    """Waiting work, the pool, and what was counted so far; CPU times in microseconds."""

    quota: dict | None
    cap: Fraction
    now: Fraction = Fraction(0)
    waiting: Fraction = Fraction(0)
    served: Fraction = Fraction(0)
    pool: Fraction = Fraction(0)
    drew: bool = False
    timer: bool = False
    periods: int = 0
    throttled: int = 0
    run: int = 0
    longest_run: int = 0
    stalled_wall: Fraction = Fraction(0)
    stalls: list = field(default_factory=list)  # (microseconds until the refill, work)

    def __post_init__(self) -> None:
        if self.quota:
            self.pool = Fraction(self.quota["quota_us"])

    def next_refill(self) -> Fraction | None:
        if not self.quota:
            return None
        period, phase = self.quota["period_us"], self.quota["phase_us"]
        return Fraction(phase + ((self.now - phase) // period + 1) * period)

    def fill_until(self, end: Fraction, inflow: Fraction) -> None:
        while self.now < end:
            refill = self.next_refill()
            self.flow(min(end, refill) if refill else end, inflow, refill)
            if refill and self.now == refill:
                self.period_ends()

    def flow(self, until: Fraction, inflow: Fraction, refill: Fraction | None) -> None:
        while self.now < until:
            empty = self.quota is not None and self.pool == 0
            busy = self.waiting > 0 or inflow > self.cap
            rate = Fraction(0) if empty else self.cap if busy else inflow
            step = until - self.now
            if self.waiting > 0 and rate > inflow:
                step = min(step, self.waiting / (rate - inflow))
            if self.quota and rate > 0:
                step = min(step, self.pool / rate)
            if empty and (self.waiting > 0 or inflow > 0):
                self.stalled_wall += step
                self.stalls.append((refill - self.now - step / 2, inflow * step))
            else:
                self.stalls.append((Fraction(0), inflow * step))
            self.now += step
            self.waiting += (inflow - rate) * step
            self.served += rate * step
            if self.quota and rate > 0:
                self.pool -= rate * step
                self.drew = self.timer = True

    def period_ends(self) -> None:
        if not self.timer:
            return
        self.periods += 1
        if self.waiting > 0 and self.pool == 0:
            self.throttled += 1
            self.run += 1
            self.longest_run = max(self.longest_run, self.run)
        else:
            self.run = 0
            self.timer = self.drew
        ceiling = self.quota["quota_us"] + self.quota["burst_us"]
        self.pool = min(self.pool + self.quota["quota_us"], Fraction(ceiling))
        self.drew = False


class Clients:
    """Cohorts of one slot; a cohort is a list of work by attempt. Old work stays queued."""

    def __init__(self, policy: dict | None):
        self.policy = policy
        self.cohorts: list[list[Fraction]] = []
        self.seen: list[tuple[int, Fraction, Fraction]] = []  # slot of the timeout, first attempts, timed out of them
        self.retried = Fraction(0)

    def arrive(self, slot: int, first: Fraction, served: Fraction) -> Fraction:
        arriving = [first]
        if self.policy:
            patience = -(-self.policy["timeout_us"] // SLOT_US)
            if slot >= patience:
                again = self.give_up(slot, slot - patience, served)
                arriving += again
                self.retried += sum(again)
        self.cohorts.append(arriving)
        return sum(arriving, Fraction(0))

    def give_up(self, slot: int, index: int, served: Fraction) -> list[Fraction]:
        cohort = self.cohorts[index]
        size = sum(cohort, Fraction(0))
        up_to_it = sum((sum(earlier, Fraction(0)) for earlier in self.cohorts[: index + 1]), Fraction(0))
        undone = max(Fraction(0), min(size, up_to_it - served))
        share = undone / size if size else Fraction(0)
        self.seen.append((slot, cohort[0], cohort[0] * share))
        return [work * share for work in cohort[: self.policy["retries"]]]


def weighted_quantile(pairs: list, share: Fraction) -> Fraction:
    pairs = sorted(pair for pair in pairs if pair[1] > 0)
    rank, reached = share * sum(weight for _, weight in pairs), Fraction(0)
    for value, weight in pairs:
        reached += weight
        if reached >= rank:
            return value
    return Fraction(0)


def delays(arrived: list[Fraction], served: list[Fraction]) -> list:
    """(slots from a slot's end until its last work is done, its work); work is served evenly within a slot."""
    result, before = [], Fraction(0)
    for slot, total in enumerate(arrived):
        waited = Fraction(len(arrived) - slot - 1)
        for later in range(slot, len(arrived)):
            done_before = served[later - 1] if later else Fraction(0)
            if served[later] >= total:
                share = (total - done_before) / (served[later] - done_before) if served[later] > done_before else 0
                waited = Fraction(0) if later == slot else later + max(share, 0) - slot - 1
                break
        result.append((waited * SLOT_US, total - before))
        before = total
    return result


def replay(given: dict) -> dict:
    tank = Tank(given["quota"], Fraction(given["cap_cores"]))
    clients = Clients(given["clients"])
    arrived, served, total, worst = [], [], Fraction(0), Fraction(0)
    for slot, cores in enumerate(given["cores"]):
        work = clients.arrive(slot, Fraction(cores) * SLOT_US, tank.served)
        tank.fill_until(Fraction((slot + 1) * SLOT_US), work / SLOT_US)
        total += work
        arrived.append(total)
        served.append(tank.served)
        worst = max(worst, tank.waiting)
    percentiles = {}
    for name, pairs in (("stall", tank.stalls), ("delay", delays(arrived, served))):
        for percent in (50, 90, 99):
            percentiles[f"{name}_us_p{percent}"] = float(weighted_quantile(pairs, Fraction(percent, 100)))
    outcome = {
        "periods": tank.periods,
        "throttled_periods": tank.throttled,
        "throttled_run_periods_max": tank.longest_run,
        "throttled_wall_us": float(tank.stalled_wall),
        "wanted_cpu_us": float(total),
        "served_cpu_us": float(tank.served),
        "backlog_cpu_us_max": float(worst),
        **percentiles,
    }
    if given["clients"]:
        tail = [seen for seen in clients.seen if seen[0] >= TAIL * len(arrived)]
        outcome["timed_out_ratio"] = ratio(clients.seen)
        outcome["tail_timed_out_ratio"] = ratio(tail)
        outcome["retried_cpu_us"] = float(clients.retried)
    return outcome


def ratio(seen: list) -> float:
    attempted = sum((first for _, first, _ in seen), Fraction(0))
    return float(sum((lost for _, _, lost in seen), Fraction(0)) / attempted) if attempted else 0.0
