"""Every fault by name, in the order in which they share one pipeline, and where the rest of the matrix is tested."""

from quotascope_chaos import agents, days, operations, records, servers
from quotascope_chaos.trial import Fault

# The recomputation comes last: it reads what all the others left.
FAULTS: tuple[Fault, ...] = (*agents.FAULTS, *servers.FAULTS, *operations.FAULTS[:-1], *records.FAULTS, *days.FAULTS, *operations.FAULTS[-1:])
# Done to a pipeline that begins with the baseline's jobs.
UPGRADES: tuple[Fault, ...] = tuple(operations.UPGRADES)

# Lines of the matrix that a whole pipeline would add nothing to, and the tests that hold them.
ELSEWHERE = {
    "power loss, every place at which a spool can be torn": "collectors/internal/spool",
    "counter resets and wraps, clocks that step, CPU hotplug": "collectors/internal/counter, collectors/internal/sampler",
    "100k short-lived cgroups, caps of cgroups and labels": "make soak, collectors/internal/sampler/discovery",
    "capability matrix of the collector": "collectors/internal/sampler, make test-v2",
    "TLS, mutual TLS and SCRAM of the collector": "collectors/plugins/outputs/kafka_avro",
    "grants, row policies and limits of ClickHouse": "sql/tests/test_grants.py, test_team_readers.py",
    "roles of Superset": "make test-secure",
}
