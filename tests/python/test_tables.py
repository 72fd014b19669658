"""Tables are the same with pandas and without."""

import pytest

import gputlm
from gputlm import commands
from gputlm.tables import Table, frame, read_table


def values(table, column):
    return list(table[column])


def test_tables_of_a_run(frames, kernel):
    stream = gputlm.Stream("1", [commands.launch(kernel, repeat=3, period_us=5, deadline_us=1)])
    result = gputlm.run(gputlm.Workload([kernel], [gputlm.Application("a", [stream])]))
    assert type(result.blocks).__name__ == ("DataFrame" if frames == "pandas" else "Table")
    assert len(result.blocks) == 24
    assert set(values(result.blocks, "kernel")) == {"k#1", "k#2", "k#3"}
    assert sum(values(result.blocks, "threads")) == 24 * 64
    assert values(result.kernels, "stream") == ["1", "1", "1"]  # a name, though it looks like a number
    assert len(result.jobs) == 3
    assert values(result.applications, "name") == ["a"]
    assert values(result.counters, "instructions")[0] > 0
    assert "stall_warp_cycles.memory" in list(result.counters.columns)
    assert values(result.streams, "kernels") == [3]
    with pytest.raises(gputlm.Error, match=r"there is no series.csv; there are blocks.csv, jobs.csv, kernels.csv"):
        result.series


def test_series_add_up_to_the_result(frames, workload):
    result = gputlm.run(workload, series="100cycles")
    issued = values(result.series, "block.instructions")
    counts = [int(value) for value in issued if str(value) not in ("None", "nan", "<NA>")]  # none in lines of all units
    assert 1 < len(counts) < len(issued)
    assert sum(counts) == result.data["total"]["instructions"]
    assert "sm_0" in values(result.table("series_sm"), "unit")


def test_files_are_read_when_they_are_asked_for_and_once(workload):
    result = gputlm.run(workload)
    (result.folder / "blocks.csv").unlink()
    assert result.kernels is result.kernels
    with pytest.raises(gputlm.Error, match="there is no blocks"):
        result.blocks


def test_columns_have_one_type(frames, tmp_path):
    (tmp_path / "kernels.csv").write_text('kernel,n,x,text\n7,1,1.5,a\n"k,8",,2,\nNA,3,,7\n')
    table = read_table(tmp_path / "kernels.csv")
    assert list(table) == [
        {"kernel": "7", "n": 1, "x": 1.5, "text": "a"},
        {"kernel": "k,8", "n": None, "x": 2.0, "text": None},
        {"kernel": "NA", "n": 3, "x": None, "text": "7"},
    ]
    made = frame(table)
    assert list(made.columns) == ["kernel", "n", "x", "text"]
    assert values(made, "kernel") == ["7", "k,8", "NA"]
    if frames == "pandas":
        assert [str(made[column].dtype) for column in made.columns] == ["object", "Int64", "float64", "object"]
        assert made["n"].sum() == 4


def test_an_empty_table_has_its_columns(frames, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n")
    made = frame(read_table(tmp_path / "t.csv"))
    assert list(made.columns) == ["a", "b"] and len(made) == 0


def test_rows_and_columns_of_a_table():
    table = Table(["a", "b"], [[1, "x"], [2, "y"], [3, "x"]])
    assert table["a"] == [1, 2, 3]
    assert table[1] == {"a": 2, "b": "y"}
    assert list(table[1:]) == [{"a": 2, "b": "y"}, {"a": 3, "b": "x"}]
    assert table.where(b="x")["a"] == [1, 3]


def test_a_table_is_printed_in_columns():
    table = Table(["kernel", "us"], [["k", 1.5], ["longer", None]])
    assert str(table) == "kernel   us\nk       1.5\nlonger"
    many = str(Table(["n"], [[i] for i in range(100)])).splitlines()
    assert many[5:8] == [" 4", "...", "95"]
    assert many[-1] == "100 rows"


def test_a_spin_needs_no_name_for_its_time():
    assert gputlm.program.spin(10) == gputlm.program.spin(us=10) == {"spin": {"us": 10}}
