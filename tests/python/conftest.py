import os
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "python"))

import gputlm  # noqa: E402
from gputlm.program import fp32, int_, loop  # noqa: E402


@pytest.fixture
def kernel():
    """A small one."""
    return gputlm.Kernel("k", grid=8, block=64, program=[loop(10, [fp32(2), int_()])])


@pytest.fixture
def workload(kernel):
    return gputlm.Workload.side_by_side([kernel])


@pytest.fixture
def endless():
    """A workload that takes for ever."""
    busy = gputlm.Kernel("busy", grid=1000000, block=64, program=[loop(1000000, [fp32(2), int_()])])
    return gputlm.Workload.side_by_side([busy])


@pytest.fixture(params=["pandas", "without pandas"])
def frames(request, monkeypatch):
    """Both forms of tables, or only that without pandas where it is not installed."""
    if request.param == "pandas":
        pytest.importorskip("pandas")
    else:
        monkeypatch.setattr(gputlm.tables, "has_pandas", lambda: False)
    return request.param
