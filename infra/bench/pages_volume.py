"""The volume of a large simulated fleet as INSERT ... SELECT FROM numbers(): nothing is sent, everything is a function of service and time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

ORIGIN, CLUSTER = "simulated", "bench"
HOSTS_PER_SERVICE = 0.1
WHAT_IF_DAYS = 1
WHAT_IF_SCENARIOS = 21
ANALYSES_PER_DAY = 144
FIX_SETS = 5
STREAMED_DAYS = 1


@dataclass(frozen=True)
class Volume:
    """How much there is, and up to when."""

    services: int
    hour_days: int
    minute_days: int
    now: datetime

    @property
    def hosts(self) -> int:
        return max(3, int(self.services * HOSTS_PER_SERVICE))

    def service(self, number: int) -> str:
        return f"service-{number:05d}"


# A share between 0 and 1 that is the same in every fill: of the service alone, and of the service at a moment.
OWN = "(cityHash64(service, 1) % 1000) / 1000"
NOISE = "(cityHash64(service, window_start) % 1000) / 1000"
QUOTA = "2 + cityHash64(service, 2) % 7"


def tables(volume: Volume) -> dict[str, list[str]]:
    """The inserts of each table, a day at a time so that no insert outgrows the memory of a small machine."""
    minutes = list(days(volume, volume.minute_days))
    streamed = list(days(volume, STREAMED_DAYS))
    return {
        "service_latest": [latest(volume)],
        "service_hours": [hours(volume, day) for day in days(volume, volume.hour_days)],
        "throttling_summaries": [summaries(volume, day) for day in minutes],
        "thread_ratios": [threads(volume, day) for day in minutes],
        "collapse_risks": [risks(volume, day) for day in minutes],
        "service_windows": [windows(volume, day) for day in streamed],
        "host_windows": [host_windows(volume, day) for day in streamed],
        "what_if_outcomes": [what_if(volume, day) for day in days(volume, WHAT_IF_DAYS)],
        "savings_estimates": [savings(volume, day) for day in days(volume, WHAT_IF_DAYS)],
        "host_hours": [host_hours(volume, day) for day in days(volume, min(14, volume.hour_days))],
        "kernel_findings": [kernels(volume, day) for day in days(volume, min(14, volume.hour_days))],
        "throttling_alerts": [alerts(volume)],
        "fleet_totals": [totals(volume)],
        "shard_windows": [pools(volume)],
        "price_books": [prices()],
        "change_events": [changes(volume)],
        "verifications": [verifications(volume)],
        "recommendations": [recommendations(volume)],
        "prediction_scores": [scores(volume)],
    }


def days(volume: Volume, count: int) -> Iterator[datetime]:
    """The ends of the last days, oldest first."""
    return (volume.now - timedelta(days=count - 1 - number) for number in range(count))


def key(rows_a_service: int, seconds: int, until: datetime) -> str:
    """Columns that begin every row: one service after another, its moments backwards from `until`."""
    moment = f"toDateTime64('{until:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalSecond((1 + number % {rows_a_service}) * {seconds})"
    return (
        f"'{ORIGIN}' AS origin, '{CLUSTER}' AS cluster, concat('service-', leftPad(toString(intDiv(number, {rows_a_service})), 5, '0')) AS service,"
        f" concat(toString(({QUOTA}) * 1000), 'm/100ms') AS quota_class, {moment} AS window_start, 0 AS part, 1 AS version,"
        f" concat('team-', toString(cityHash64(service) % 40)) AS team, toInt32(1 + cityHash64(service, 3) % 200) AS shards, 1. AS completeness,"
        f" toFloat64({QUOTA}) AS quota_cores, toFloat64({QUOTA}) AS reserved_cores"
    )


KEYS = "origin, cluster, service, quota_class, window_start, part, version, team, shards, completeness, quota_cores, reserved_cores"


def insert(table: str, names: str, select: str, rows: int) -> str:
    return f"INSERT INTO quotascope.{table} ({names}) SELECT {select} FROM numbers({rows})"


def judged(table: str, volume: Volume, rows: int, seconds: int, until: datetime, columns: dict[str, str]) -> str:
    picked = ", ".join(f"{expression} AS {name}" for name, expression in columns.items())
    return insert(table, f"{KEYS}, {', '.join(columns)}", f"{key(rows, seconds, until)}, {picked}", volume.services * rows)


THROTTLING = {
    "periods": "toInt64(shards * 600)",
    "throttled_periods": f"toInt64(periods * 0.4 * {OWN} * {NOISE})",
    "throttled_us": "throttled_periods * 40000",
    "throttled_period_ratio": "throttled_periods / periods",
    "used_cores": f"shards * quota_cores * 0.6 * {NOISE}",
    "records": "toInt64(shards * 6)",
    "expected_records": "records",
}


def summaries(volume: Volume, until: datetime) -> str:
    shape = {
        "usage_histogram_cores": f"arrayMap(place -> (16 + place % 16) * exp2(intDiv(place, 16)) / 512, range(60, toUInt64(90 + 20 * {OWN})))",
        "usage_histogram_samples": "arrayMap(bound -> toInt64(cityHash64(bound, service, window_start) % 900), usage_histogram_cores)",
        "shard_throttled_ratio_p50": "throttled_period_ratio * 0.6",
        "shard_throttled_ratio_p99": "least(1, throttled_period_ratio * 1.8)",
        "worst_shards": "[concat(service, '-0')]",
    }
    return judged("throttling_summaries", volume, 1440, 60, until, THROTTLING | shape)


def hours(volume: Volume, until: datetime) -> str:
    top = until.replace(minute=0, second=0)
    return judged(
        "service_hours", volume, 24, 3600, top, THROTTLING | {"minutes": "60", "used_cores_max": "used_cores * 1.4", "window_us": "3600000000"}
    )


def threads(volume: Volume, until: datetime) -> str:
    columns = {"threads_per_shard": f"4 + 90 * {OWN}", "threads_per_reserved_core_p99": "threads_per_shard / reserved_cores"}
    columns |= {"runnable_threads_per_reserved_core_p99": f"threads_per_reserved_core_p99 * {NOISE}"}
    return judged("thread_ratios", volume, 1440, 60, until, columns)


CLIFF = {
    "collapse_load_multiple": f"1 + 2 * {OWN} + 0.2 * {NOISE}",
    "collapse_load_multiple_low": "collapse_load_multiple * 0.8",
    "collapse_load_multiple_high": "collapse_load_multiple * 1.3",
    "death_spiral_risk": f"0.5 * {OWN}",
}


def risks(volume: Volume, until: datetime) -> str:
    return judged("collapse_risks", volume, 1440, 60, until, CLIFF | {"risk_band": "'vulnerable'", "horizon_us": "86400000000"})


def latest(volume: Volume) -> str:
    columns = THROTTLING | CLIFF
    kept = ("throttled_period_ratio", "used_cores")
    state = {name: expression for name, expression in columns.items() if name in kept or name in CLIFF}
    state["throttled_period_ratio"] = f"0.4 * {OWN}"
    state |= {
        "throttled_period_ratio_hour": "throttled_period_ratio",
        "throttled_period_ratio_day": "throttled_period_ratio * 0.9",
        "throttled_period_ratio_peak": "throttled_period_ratio * 1.3",
        "completeness_hour": f"if({OWN} > 0.99, 0.97, 1)",
        "verdict": "if(throttled_period_ratio > 0.01, 'throttled', 'healthy')",
        "rank_class": "if(verdict = 'throttled', 1, 3)",
        "rank_score": "shards * quota_cores * throttled_period_ratio",
        "horizon_us": "600000000",
        "horizon_windows": "10",
        "runnable_threads_per_reserved_core_p99": f"12 * {OWN}",
        "fix_set": "'thread pools + burst'",
        "tunable_cores": f"shards * quota_cores * 0.3 * {OWN}",
        "tunable_cores_low": "tunable_cores * 0.5",
        "tunable_cores_high": "tunable_cores * 1.3",
        "savings_usd_per_year": "tunable_cores * 180",
        "savings_usd_per_year_low": "savings_usd_per_year * 0.5",
        "savings_usd_per_year_high": "savings_usd_per_year * 1.3",
        "effort_days": "3.5",
        "success_probability": "0.7",
        "savings_usd_per_year_per_effort_day": "savings_usd_per_year * 0.2",
        "worth_usd_per_year_per_effort_day": "ifNull(savings_usd_per_year, 0) * 0.2",
        "risk_removed": "death_spiral_risk / 2",
        "setting_text": "'JVM: -XX:ActiveProcessorCount=2\\nNetty: -Dio.netty.eventLoopThreads=4'",
        "reasons": "[concat(toString(throttled_period_ratio), ' of periods throttled'), 'the pool outnumbers its cores', 'samples above the quota']",
    }
    return judged("service_latest", volume, 1, 60, volume.now, state)


def windows(volume: Volume, until: datetime) -> str:
    names = "origin, cluster, service, quota_class, window_start, part, version, window_us, records, expected_records, slot_records, slot_hosts"
    more = ", 60000000 AS window_us, toInt64(shards * 6) AS records, records AS expected_records"
    more += ", [shards, shards, shards, shards, shards, shards] AS slot_records"
    picked = f"SELECT * FROM (SELECT {key(1440, 60, until)}{more}, [1, 1, 1, 1, 1, 1] AS slot_hosts FROM numbers({volume.services * 1440}))"
    return f"INSERT INTO quotascope.service_windows ({names}) SELECT {names} FROM ({picked})"


def of_hosts(rows: int, seconds: int, until: datetime) -> str:
    moment = f"toDateTime64('{until:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalSecond((1 + number % {rows}) * {seconds})"
    return (
        f"'{ORIGIN}' AS origin, '{CLUSTER}' AS cluster, concat('host-', leftPad(toString(intDiv(number, {rows})), 5, '0')) AS host_id,"
        f" {moment} AS window_start, 1 AS version, 64 AS cpus, (cityHash64(host_id, window_start) % 1000) / 1000 AS noise"
    )


def hosted(table: str, volume: Volume, rows: int, seconds: int, until: datetime, columns: dict[str, str]) -> str:
    names = f"origin, cluster, host_id, window_start, version, cpus, {', '.join(columns)}"
    picked = ", ".join(f"{expression} AS {name}" for name, expression in columns.items())
    source = f"SELECT {of_hosts(rows, seconds, until)}, {picked} FROM numbers({volume.hosts * rows})"
    return f"INSERT INTO quotascope.{table} ({names}) SELECT {names} FROM ({source})"


def host_windows(volume: Volume, until: datetime) -> str:
    columns = {
        "agent_epoch": "1",
        "seq": "number",
        "samples": "999",
        "missed_samples": "toInt64(2 * noise)",
        "agent_cpu_us": "toInt64(80000 * noise)",
        "bpf_run_us": "9000",
        "agent_rss_bytes": "38000000",
        "shard_records": "300",
        "threads": "9000",
        "runnable_threads": "90",
        "append_time": "window_start + INTERVAL 11 SECOND",
        "protection_step": "toInt32(noise > 0.999)",
        "missing_before": "toInt64(noise > 0.9995)",
    }
    return hosted("host_windows", volume, 8640, 10, until, columns)


def host_hours(volume: Volume, until: datetime) -> str:
    columns = {
        "window_us": "3600000000",
        "completeness": "1",
        "cpu_utilization": "noise",
        "threads_per_cpu": "100 * noise",
        "agent_cpu_ratio": "0.01 * noise",
        "threads": "6400 * noise",
        "runnable_threads_per_cpu": "2 * noise",
    }
    return hosted("host_hours", volume, 24, 3600, until.replace(minute=0, second=0), columns)


def kernels(volume: Volume, until: datetime) -> str:
    columns = {
        "window_us": "3600000000",
        "kernel_release": "'4.14.0'",
        "rule": "'slice-expiry'",
        "verdict": "if(noise > 0.9, 'confirmed', 'not_seen')",
        "stranded_cores": "noise",
        "stranded_cores_low": "noise / 2",
        "stranded_cores_high": "noise * 2",
        "behavioural_signature": "noise > 0.9",
    }
    return hosted("kernel_findings", volume, 24, 3600, until.replace(minute=0, second=0), columns)


def what_if(volume: Volume, until: datetime) -> str:
    kinds = "['as_it_is','quota','quota','quota','quota','quota','period','period','period','bandwidth_slice','burst',"
    kinds += "'concurrency_cap','pool_threads','pinning',"
    kinds += "'no_quota','no_quota','consolidation','load','load','load','load']"
    place = f"number % {WHAT_IF_SCENARIOS}"
    moment = (
        f"toDateTime64('{until:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalMinute((1 + intDiv(number, {WHAT_IF_SCENARIOS}) % {ANALYSES_PER_DAY}) * 10)"
    )
    rows = WHAT_IF_SCENARIOS * ANALYSES_PER_DAY
    base = key(rows, 600, until)
    cut = base.index("toDateTime64")
    own = base[:cut] + moment + base[base.index(" AS window_start", cut) :]
    columns = {
        "scenario_order": f"toInt32({place})",
        "scenario_kind": f"{kinds}[{place} + 1]",
        "scenario": "concat(scenario_kind, ' ', toString(scenario_order))",
        "scenario_quota_cores": "quota_cores * (1 + scenario_order / 10)",
        "baseline_throttled_period_ratio": f"0.4 * {OWN}",
        "baseline_throttled_period_ratio_low": "baseline_throttled_period_ratio * 0.9",
        "trust": "'sound'",
        "baseline_throttled_period_ratio_high": "baseline_throttled_period_ratio * 1.1",
        "throttled_period_ratio": f"baseline_throttled_period_ratio * {NOISE}",
        "throttled_period_ratio_low": "throttled_period_ratio * 0.8",
        "throttled_period_ratio_high": "throttled_period_ratio * 1.2",
        "setting_text": "'cpu: 2'",
        "reasons": "['sixty minutes of slices']",
    }
    picked = ", ".join(f"{expression} AS {name}" for name, expression in columns.items())
    return insert("what_if_outcomes", f"{KEYS}, {', '.join(columns)}", f"{own}, {picked}", volume.services * rows)


def savings(volume: Volume, until: datetime) -> str:
    sets = "['as it is', 'thread pools', 'burst', 'pinning', 'thread pools + burst']"
    rows = FIX_SETS * ANALYSES_PER_DAY
    base = key(rows, 600, until)
    cut = base.index("toDateTime64")
    moment = f"toDateTime64('{until:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalMinute((1 + intDiv(number, {FIX_SETS}) % {ANALYSES_PER_DAY}) * 10)"
    own = base[:cut] + moment + base[base.index(" AS window_start", cut) :]
    columns = {
        "fix_set_order": f"toInt32(number % {FIX_SETS})",
        "fix_set": f"{sets}[number % {FIX_SETS} + 1]",
        "best": f"number % {FIX_SETS} = 4",
        "reserved_cores_total": "reserved_cores * shards",
        "reclaimable_cores": f"reserved_cores_total * 0.3 * {OWN}",
        "trust": "'sound'",
        "reclaimable_cores_low": "reclaimable_cores * 0.5",
        "reclaimable_cores_high": "reclaimable_cores * 1.3",
        "effort_days": "3.5",
        "savings_usd_per_year": "reclaimable_cores * 180",
        "cashable_usd_per_year": "reclaimable_cores * 70",
        "price_book_version": "3",
        "right_sizing_cores": "reserved_cores_total * 0.1",
        "right_sizing_cores_low": "right_sizing_cores * 0.5",
        "right_sizing_cores_high": "right_sizing_cores * 1.5",
        "recommended_change": "'quota 0.60 cores a shard'",
        "throttled_period_ratio_now": f"0.4 * {OWN}",
        "throttled_period_ratio_after": "0.001",
        "reasons": "['they overlap']",
        "trust_reasons": "['the cost of concurrency is a prior, not measured']",
    }
    picked = ", ".join(f"{expression} AS {name}" for name, expression in columns.items())
    return insert("savings_estimates", f"{KEYS}, {', '.join(columns)}", f"{own}, {picked}", volume.services * rows)


def totals(volume: Volume) -> str:
    """A day of totals: of the fleet, of its cluster and of forty teams, every ten minutes."""
    rows = 42 * ANALYSES_PER_DAY
    select = (
        f"'{ORIGIN}' AS origin, ['fleet', 'cluster', 'team'][least(number % 42, 2) + 1] AS total_of,"
        f" multiIf(number % 42 = 0, 'fleet', number % 42 = 1, '{CLUSTER}', concat('team-', toString(number % 42 - 2))) AS total_name,"
        " if(total_of = 'cluster', total_name, NULL) AS cluster, if(total_of = 'team', total_name, NULL) AS team,"
        f" toDateTime64('{volume.now:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalMinute((1 + intDiv(number, 42)) * 10) AS window_start, 1 AS version,"
        " 125 AS services, 900. AS reclaimable_cores, 600. AS reclaimable_cores_low, 1100. AS reclaimable_cores_high"
    )
    names = "origin, total_of, total_name, cluster, team, window_start, version, services"
    return insert("fleet_totals", f"{names}, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high", select, rows)


def pools(volume: Volume) -> str:
    """Ten minutes of one shard of each service, with three named pools."""
    more = ", number AS seq, toInt32(40) AS excursion_samples, concat(service, '-0') AS shard"
    more += ", [('http-worker-#', 310000), ('GC Thread##', 120000), ('kafka-producer-#', 9000)] AS excursion_threads"
    names = "origin, cluster, service, quota_class, window_start, part, version, seq, excursion_samples, shard, excursion_threads"
    source = f"SELECT {key(60, 10, volume.now)}{more} FROM numbers({volume.services * 60})"
    return f"INSERT INTO quotascope.shard_windows ({names}) SELECT {names} FROM ({source})"


def prices() -> str:
    """The book that the estimates name, with its one class."""
    row = "tuple('default', toInt64(0), 180., 20., 0., NULL, NULL, NULL)"
    return f"INSERT INTO quotascope.price_books (price_book_version, currency, prices) SELECT 3, 'USD', [{row}]"


def once(table: str, names: str, select: str, rows: int) -> str:
    """Rows that are told, some for each service over the last year."""
    head = f"'{ORIGIN}' AS origin, '{CLUSTER}' AS cluster, concat('service-', leftPad(toString(number % {{services}}), 5, '0')) AS service"
    source = f"SELECT {head}, {select} FROM numbers({rows})"
    return f"INSERT INTO quotascope.{table} (origin, cluster, service, {names}) SELECT origin, cluster, service, {names} FROM ({source})"


def moment(volume: Volume, spread_days: int) -> str:
    return f"toDateTime64('{volume.now:%Y-%m-%d %H:%M:%S}', 6, 'UTC') - toIntervalSecond(60 + cityHash64(number) % {spread_days * 86400})"


def alerts(volume: Volume) -> str:
    columns = "toString(number % {rows}) AS alert_id, 'cliff_near' AS kind, 'warning' AS severity, if(number % 7 = 0, 'firing', 'resolved') AS state"
    rows = volume.services * 20
    text = once(
        "throttling_alerts",
        "alert_id, kind, severity, state, window_start, since, value, version",
        f"{columns}, {moment(volume, 30)} AS window_start, window_start AS since, 1.1 AS value, 1 AS version",
        rows,
    )
    return text.replace("{rows}", str(volume.services * 2)).replace("{services}", str(volume.services))


def changes(volume: Volume) -> str:
    text = once(
        "change_events",
        "event_id, changed_at, kind, source, version",
        f"toString(number) AS event_id, {moment(volume, 365)} AS changed_at, 'deploy' AS kind, 'declared' AS source, 1 AS version",
        volume.services * 50,
    )
    return text.replace("{services}", str(volume.services))


def verifications(volume: Volume) -> str:
    columns = f"toString(number) AS change_id, {moment(volume, 365)} AS changed_at, changed_at AS window_start"
    columns += ", 'verified' AS outcome, 1. AS realised_cores, 0.5 AS realised_cores_low, 1.5 AS realised_cores_high, 1 AS version"
    text = once(
        "verifications",
        "change_id, changed_at, window_start, outcome, realised_cores, realised_cores_low, realised_cores_high, version",
        columns,
        volume.services * 10,
    )
    return text.replace("{services}", str(volume.services))


def recommendations(volume: Volume) -> str:
    columns = f"toString(number) AS recommendation_id, 'accepted' AS state, {moment(volume, 365)} AS state_at"
    columns += ", state_at AS proposed_at, toNullable(state_at) AS accepted_at, 2. AS reclaimable_cores, 2. AS credited_cores, 1 AS version"
    text = once(
        "recommendations",
        "recommendation_id, state, state_at, proposed_at, accepted_at, reclaimable_cores, credited_cores, version",
        columns,
        volume.services * 4,
    )
    return text.replace("{services}", str(volume.services))


def scores(volume: Volume) -> str:
    columns = f"'reclaimable_cores' AS quantity, {moment(volume, 365)} AS window_start, 1000 AS predictions, 0.9 AS coverage_ratio, 1 AS version"
    text = once("prediction_scores", "quantity, window_start, predictions, coverage_ratio, version", columns, volume.services * 4)
    return text.replace("{services}", str(volume.services))
