"""Lines that a test adds to the broker's configuration."""

from quotascope_native import kafka
from quotascope_native.ports import DEFAULTS, Ports


def test_added_lines_come_last_with_this_instances_addresses(tmp_path):
    ports = Ports(DEFAULTS)
    assert kafka._added(tmp_path, ports) == ""
    (tmp_path / "added.properties").write_text("listeners=CLIENTS://@CLIENTS@,CONTROLLER://@CONTROLLER@\n")
    expected = f"listeners=CLIENTS://{ports.address('kafka')},CONTROLLER://{ports.address('kafka_controller')}\n"
    assert kafka._added(tmp_path, ports) == expected
