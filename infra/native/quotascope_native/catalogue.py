"""Every service of the stack, in the order in which they start."""

from quotascope_native import clickhouse, flink, kafka, origin, superset
from quotascope_native.layout import Layout
from quotascope_native.ports import Ports
from quotascope_native.service import Service


def all_services(layout: Layout, ports: Ports) -> list[Service]:
    return [
        kafka.service(layout, ports),
        clickhouse.service(layout, ports),
        flink.jobmanager(layout, ports),
        flink.taskmanager(layout, ports),
        superset.service(layout, ports),
        origin.telegraf(layout, ports),
        origin.lab(layout, ports),
        origin.replay(layout, ports),
    ]
