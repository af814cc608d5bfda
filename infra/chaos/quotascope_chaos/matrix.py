"""Every fault by name, in the order in which they share one pipeline, and where the rest of the matrix is tested."""

from quotascope_chaos import agents, operations, records, servers
from quotascope_chaos.trial import Fault

FAULTS: tuple[Fault, ...] = (*agents.FAULTS, *servers.FAULTS, *operations.FAULTS[:-1], *records.FAULTS, *operations.FAULTS[-1:])
# Done to a pipeline that begins with the baseline's jobs.
UPGRADES: tuple[Fault, ...] = tuple(operations.UPGRADES)
