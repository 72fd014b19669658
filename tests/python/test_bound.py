"""gputlm.bound(): bounds of response times as a table."""

from pathlib import Path

import pytest

import gputlm

SOURCE = Path(__file__).resolve().parents[2]
TASKS = {
    "kernels": {"k": {"grid": 8, "block": 64, "program": [{"spin": {"us": 10}}]}},
    "applications": [{"name": "a", "streams": [{"name": "s", "launches": [{"kernel": "k", "repeat": 3, "period_us": 100, "deadline_us": 50}]}]}],
}


def rows(table):
    return table.to_dict("records") if hasattr(table, "to_dict") else list(table)


def test_a_task_is_a_row_with_its_bound_beside_its_worst_response():
    (row,) = rows(gputlm.bound(TASKS, gpu="xavier", phases=2, settings={"sm.model": "blocks"}))
    assert row["task"] == "k"
    assert row["alone_cycles"] <= row["simulated_cycles"] <= row["bound_cycles"] <= row["deadline_cycles"]
    assert row["met_by_analysis"] in ("true", True)


def test_a_broken_bound_is_no_error():
    broken = {row["task"]: row for row in rows(gputlm.bound(SOURCE / "workloads/bounds/memory.yaml", gpu="xavier", phases=1))}
    assert broken["gather"]["bound_broken"] in ("true", True)
    assert "no longer beside others" in broken["gather"]["not_kept"]


def test_a_random_task_set_has_bounds_in_both_modes():
    keys = {"tasks": 4, "utilisation": 0.3, "shortest_period_us": 500, "longest_period_us": 1000, "hi_share": 1, "overrun": 0.5}
    workload = gputlm.Workload([], [], tasks={"uunifast": keys}, settings={"sm.model": "blocks"})
    table = rows(gputlm.bound(workload, gpu="xavier", phases=1, seed=3))
    assert [row["task"] for row in table] == ["t0", "t1", "t2", "t3"]
    assert all(row["criticality"] == "hi" and row["alone_lo_cycles"] < row["alone_cycles"] for row in table)


def test_what_has_no_analysis_is_an_error():
    with pytest.raises(gputlm.InputError, match="the workload has no tasks"):
        gputlm.bound({**TASKS, "applications": [{"name": "a", "streams": [{"name": "s", "launches": ["k"]}]}]}, gpu="xavier")
