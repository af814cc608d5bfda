"""Instances of the stack for tests: free ports, a folder that is removed, nothing left running."""

import pytest
from quotascope_native.stack import Stack


@pytest.fixture
def stack(tmp_path):
    instance = Stack.open(str(tmp_path / "state"), auto_ports=True)
    yield instance
    instance.stop()
