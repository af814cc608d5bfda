"""Kernels are asked for by name, and each is another machine."""

import pytest
from quotascope_native import sections
from quotascope_native.failure import StackFailure
from quotascope_v2 import kernel


def test_an_unknown_kernel_is_named_with_those_there_are() -> None:
    with pytest.raises(StackFailure) as caught:
        kernel.release("4.18")
    assert "4.18" in caught.value.line() and "5.10" in caught.value.line()


def test_every_kernel_but_the_usual_one_is_a_section_on_request() -> None:
    assert set(kernel.RELEASES) == {"6.1", *sections.OTHER_KERNELS}
