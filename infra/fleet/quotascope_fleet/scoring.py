"""What the jobs found against what is true. Pure: dictionaries in, figures out."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

HOUR_US = 3_600_000_000


@dataclass(frozen=True)
class Found:
    """How many of the right ones are among the named ones; a share of nothing is absent."""

    right: int
    named: int
    existing: int

    @property
    def precision(self) -> float | None:
        return self.right / self.named if self.named else None

    @property
    def recall(self) -> float | None:
        return self.right / self.existing if self.existing else None


def top(ordered: list, right: set, n: int) -> Found:
    """The first n of an order, without repetitions, against the right ones."""
    named = list(dict.fromkeys(ordered))[:n]
    return Found(len(right & set(named)), len(named), len(right))


def average_precision(ordered: list, right: set) -> float | None:
    """Mean over the right ones of the precision at their places; those not in the order count 0."""
    hits = 0
    total = 0.0
    for place, name in enumerate(dict.fromkeys(ordered), start=1):
        if name in right:
            hits += 1
            total += hits / place
    return total / len(right) if right else None


def true_effect(change: dict, hours_after: int) -> dict[str, float] | None:
    """What a change did over the hours that a verification looks at: the mean over hours, as its README defines effects.

    The first full hour after the change is settling time and left out, as the policy of the product does. Absent without
    an hour.
    """
    first = -(-change["at_us"] // HOUR_US) * HOUR_US + HOUR_US
    hours = [hour for hour in change["hours"] if first <= hour["hour_start_us"] < first + hours_after * HOUR_US]
    ratios = [
        hour["throttled_periods"] / hour["periods"] - hour["throttled_periods_without"] / hour["periods_without"]
        for hour in hours
        if hour["periods"] and hour["periods_without"]
    ]
    factors = [
        math.log(hour["usage_us"] / hour["usage_us_without"]) for hour in hours if hour["usage_us"] and hour["usage_us_without"]
    ]
    if not ratios or not factors:
        return None
    return {
        "throttled_period_ratio": sum(ratios) / len(ratios),
        "used_cores": math.expm1(sum(factors) / len(factors)),
    }


@dataclass(frozen=True)
class Verified:
    """One quantity of one change: what was said and what is true."""

    service: str
    kind: str
    quantity: str
    said: float
    low: float
    high: float
    true: float
    verdict: str
    moved: bool

    @property
    def covered(self) -> bool:
        return self.low <= self.true <= self.high


def match(change: dict, rows: Iterable[dict]) -> dict | None:
    """The last verification of a change: same service, same kind, within two minutes of it."""
    mine = [
        row
        for row in rows
        if (row["cluster"], row["service"], row["kind"]) == (change["cluster"], change["service"], change["kind"])
        and abs(row["changed_at_us"] - change["at_us"]) <= 120_000_000
    ]
    return max(mine, key=lambda row: row["window_start_us"], default=None)


def verified(change: dict, row: dict) -> list[Verified]:
    """The quantities that are known both ways; none while the verification has too little evidence."""
    first = -(-change["at_us"] // HOUR_US) * HOUR_US + HOUR_US
    hours_after = (row["window_start_us"] + HOUR_US - first) // HOUR_US
    effect = true_effect(change, hours_after)
    if effect is None:
        return []
    return [
        Verified(
            change["service"], change["kind"], each["quantity"], each["effect"], each["effect_low"], each["effect_high"],
            effect[each["quantity"]], each["verdict"], change["changes_something"],
        )
        for each in row["effects"]
        if each["quantity"] in effect and each["verdict"] != "too_little_evidence"
    ]  # fmt: skip


def accused(findings: Iterable[dict]) -> set:
    """Hosts whose kernel is blamed: by version and behaviour, or by behaviour where the version is not known."""
    return {(row["cluster"], row["host_id"]) for row in findings if row["verdict"] in ("confirmed", "behaves_affected")}


@dataclass(frozen=True)
class Completeness:
    """Hours of services in which something was missing: their stated completeness against the true one."""

    hours: int
    without_row: int
    worst_error: float
    mean_error: float
    wrongly_lowered: int


def completeness(service_hours: list[dict], rows: dict[tuple, float], silent: set[tuple]) -> Completeness:
    """`rows` holds the stated completeness by (cluster, service, class, hour start); `silent` the hours that truly lack records.

    An hour in which a whole host was silent lacks nothing that anybody stated: its true completeness is that of the rest.
    """
    errors = []
    without = 0
    for hour in service_hours:
        key = (hour["cluster"], hour["service"], hour["quota_class"], hour["hour_start_us"])
        if hour["stated"] == 0:
            continue
        if key not in rows:
            without += 1
            continue
        errors.append(abs(rows[key] - hour["arrived"] / hour["stated"]))
    wrongly = sum(1 for key, value in rows.items() if value < 1 and key not in silent)
    mean = sum(errors) / len(errors) if errors else math.nan
    return Completeness(len(errors), without, max(errors, default=math.nan), mean, wrongly)
