"""Tables of the latest analyses: whatever arrives in which order and how often, they say what a scan of the whole history says."""

import random
import zlib
from datetime import datetime, timedelta

import pytest
from conftest import DAY
from quotascope_sql.server import SqlFailure

# table of the latest: (its history, what is analysed, a number that an analysis found)
LATEST = {"what_if_latest": ("what_if_outcomes", "scenario", "delay_us_p99"), "savings_latest": ("savings_estimates", "fix_set", "effort_days")}
NAMES = ("as it is", "burst", "pinning", "thread pools")
KEY = "origin, cluster, service, quota_class"


def drawn(generator: random.Random, cluster: str, thing: str, number: str) -> list[dict]:
    """Rows as the jobs write them over an hour: analyses of several minutes, late parts, revisions, and not every thing in each analysis."""
    rows = []
    for service in ("checkout", "mail", "search"):
        for quota_class in generator.sample(("1000m/100ms", "2000m/100ms"), generator.randint(1, 2)):
            for minute in generator.sample(range(60), generator.randint(1, 6)):
                moment = datetime.fromisoformat(f"{DAY} 10:00:00") + timedelta(minutes=minute)
                for part in generator.sample((0, 1_900_000, 1_900_001), generator.randint(1, 3)):
                    version = generator.choice((1, 2, 1 << 32, (1 << 32) + 1))
                    for name in generator.sample(NAMES, generator.randint(1, len(NAMES))):
                        # An analysis of the same minute, part and version has the same bits: its number follows from them.
                        found = zlib.crc32(f"{service} {quota_class} {minute} {part} {version} {name}".encode())
                        row = {"origin": "simulated", "cluster": cluster, "service": service, "quota_class": quota_class, thing: name}
                        rows.append(row | {"window_start": str(moment), "part": part, "version": version, number: found})
    return rows


def scanned(database, table: str, cluster: str) -> list[dict]:
    """What the latest analysis is, from the view over the whole history."""
    history, thing, number = LATEST[table]
    return database.as_user("admin").rows(
        f"SELECT {KEY}, {thing}, window_start, {number} FROM quotascope_views.{history} WHERE cluster = '{cluster}' AND ({KEY}, window_start) IN"
        f" (SELECT {KEY}, max(window_start) FROM quotascope.{history} GROUP BY {KEY}) ORDER BY ALL"
    )


def shown(database, table: str, cluster: str) -> list[dict]:
    _, thing, number = LATEST[table]
    return database.as_user("superset").rows(
        f"SELECT {KEY}, {thing}, window_start, {number} FROM quotascope_views.{table} WHERE cluster = '{cluster}' ORDER BY ALL"
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("table", LATEST)
def test_the_latest_is_what_a_scan_of_the_history_finds(database, table, seed):
    generator, cluster = random.Random(seed), f"latest-{seed}"
    history, thing, number = LATEST[table]
    rows = drawn(generator, cluster, thing, number)
    # Out of order, and a stretch of the log is read a second time after a crash.
    generator.shuffle(rows)
    again = rows[generator.randrange(len(rows)) :]
    generator.shuffle(again)
    arriving = rows + again
    while arriving:
        batch = generator.randint(1, 40)
        database.insert(history, *arriving[:batch])
        arriving = arriving[batch:]
        if generator.random() < 0.2:
            database.as_user("admin").execute(f"OPTIMIZE TABLE quotascope.{table} FINAL")
        assert shown(database, table, cluster) == scanned(database, table, cluster)
    assert len(shown(database, table, cluster)) >= 3, "every service has an analysis"


@pytest.mark.parametrize("table", LATEST)
def test_a_late_part_corrects_its_analysis_and_never_a_newer_one(database, table):
    history, thing, number = LATEST[table]
    row = {"origin": "measured", "cluster": "late", "service": "checkout", "quota_class": "1000m/100ms", thing: "burst"}

    def analysed(minute: int, part: int, version: int, value: float) -> list[float]:
        database.insert(history, row | {"window_start": f"{DAY} 10:{minute:02}:00", "part": part, "version": version, number: value})
        return [found[number] for found in shown(database, table, "late")]

    assert analysed(10, 0, 7, 1.0) == [1.0]
    assert analysed(10, 1_900_000, 7, 2.0) == [2.0]
    assert analysed(10, 0, 1 << 32, 3.0) == [2.0], "the higher part knows more, whatever the revision of a lower one"
    assert analysed(20, 0, 7, 4.0) == [4.0]
    assert analysed(10, 1_900_001, 1 << 32, 5.0) == [4.0], "an older minute, corrected late, is no latest analysis"
    assert analysed(20, 0, 1 << 32, 6.0) == [6.0]


@pytest.mark.parametrize(("part", "version"), [(0, 1 << 32), (1_900_000, 7)], ids=["computed anew", "a late part"])
@pytest.mark.parametrize("table", LATEST)
def test_what_an_analysis_no_longer_names_is_shown_nowhere(database, table, part, version):
    """Names say settings ("quota 2.1 cores"): another release, or later records, may name another one for the same minute."""
    history, thing, number = LATEST[table]
    cluster = f"renamed-{part}"
    row = {"origin": "measured", "cluster": cluster, "service": "checkout", "quota_class": "1000m/100ms", "window_start": f"{DAY} 10:00:00"}
    database.insert(history, *(row | {"part": 0, "version": 7, thing: name, number: 1.0} for name in ("burst", "half the quota")))
    database.insert(history, *(row | {"part": part, "version": version, thing: name, number: 2.0} for name in ("burst", "quota 0.5")))
    # The rows of another minute are those of their own analysis.
    database.insert(history, row | {"window_start": f"{DAY} 09:00:00", "part": 0, "version": 7, thing: "half the quota", number: 3.0})
    assert [(found[thing], found[number]) for found in shown(database, table, cluster)] == [("burst", 2.0), ("quota 0.5", 2.0)]
    assert scanned(database, table, cluster) == shown(database, table, cluster)
    assert [found[thing] for found in database.view(history, f"cluster = '{cluster}' AND window_start < '{DAY} 10:00:00'")] == ["half the quota"]


@pytest.mark.parametrize("table", LATEST)
def test_a_day_without_an_analysis_leaves_no_latest_one(database, table):
    history, thing, _number = LATEST[table]
    now = datetime.fromisoformat(database.as_user("admin").execute("SELECT toString(toStartOfMinute(now('UTC')))").strip())
    row = {"origin": "measured", "cluster": "gone", "quota_class": "1000m/100ms", thing: "burst", "version": 1}
    database.insert(
        history,
        row | {"service": "heard", "window_start": str(now - timedelta(hours=20))},
        row | {"service": "gone", "window_start": str(now - timedelta(hours=25))},
    )
    assert [found["service"] for found in shown(database, table, "gone")] == ["heard"]


@pytest.mark.parametrize("table", LATEST)
def test_an_insert_that_reaches_only_the_history_fails_and_is_whole_when_repeated(database, table):
    history, thing, _number = LATEST[table]
    row = {"origin": "measured", "cluster": "torn", "service": "checkout", "quota_class": "1000m/100ms", thing: "burst", "version": 1}
    row |= {"window_start": f"{DAY} 10:00:00"}
    admin = database.as_user("admin")
    admin.execute(f"ALTER TABLE quotascope.{table} ADD CONSTRAINT torn CHECK cluster != 'torn'")
    try:
        with pytest.raises(SqlFailure, match="VIOLATED_CONSTRAINT"):
            database.insert(history, row)
    finally:
        admin.execute(f"ALTER TABLE quotascope.{table} DROP CONSTRAINT torn")
    database.insert(history, row)
    assert len(shown(database, table, "torn")) == 1
    assert shown(database, table, "torn") == scanned(database, table, "torn")


@pytest.mark.parametrize("table", LATEST)
def test_every_column_of_the_history_reaches_the_latest(database, table):
    history = LATEST[table][0]
    admin = database.as_user("admin")
    columns = admin.rows(f"SELECT name, type FROM system.columns WHERE database = 'quotascope' AND table = '{history}'")
    values = {"Bool": "true", "String": "'x'", "Array(String)": "['x']", "DateTime64(6, 'UTC')": f"toDateTime64('{DAY} 10:00:00', 6, 'UTC')"}

    def value(kind: str) -> str:
        plain = kind.replace("LowCardinality(", "").replace("Nullable(", "").rstrip(")") if "DateTime64" not in kind and "Array" not in kind else kind
        return values.get(plain, "7")

    names = [column["name"] for column in columns]
    picked = ", ".join("'whole'" if column["name"] == "cluster" else value(column["type"]) for column in columns)
    admin.execute(f"INSERT INTO quotascope.{history} ({', '.join(names)}) SELECT {picked}")
    text = "SELECT " + ", ".join(names) + " FROM quotascope.{} WHERE cluster = 'whole'"
    assert admin.rows(text.format(table)) == admin.rows(text.format(history)) != []
