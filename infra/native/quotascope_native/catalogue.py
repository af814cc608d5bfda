"""Every service of the stack, in the order in which they start."""

from quotascope_native import clickhouse
from quotascope_native.layout import Layout
from quotascope_native.ports import Ports
from quotascope_native.service import Service


def all_services(layout: Layout, ports: Ports) -> list[Service]:
    return [
        clickhouse.service(layout, ports),
    ]
