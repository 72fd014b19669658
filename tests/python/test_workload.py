"""Builders make valid workloads, and take every key of the schema."""

import inspect
import json
import os
import subprocess
import sys

import jsonschema
import pytest
from conftest import SOURCE

import gputlm
from gputlm import commands, patterns, program


@pytest.fixture(scope="module")
def schema():
    return json.loads(subprocess.run([os.environ["GPUTLM"], "schema", "workload"], capture_output=True, check=True).stdout)


def test_forms_are_those_of_the_program(tmp_path):
    command = [sys.executable, SOURCE / "scripts/python-forms", os.environ["GPUTLM"], tmp_path]
    subprocess.run(command, check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == ["columns.py", "commands.py", "files.py", "patterns.py", "program.py", "records.py"]
    for name in made:
        assert (tmp_path / name).read_text() == (SOURCE / "python/gputlm" / name).read_text(), "scripts/python-forms mends it"


def test_a_workload_takes_the_keys_of_the_schema(schema):
    assert set(inspect.signature(gputlm.Workload).parameters) == set(schema["properties"])


def everything():
    kernel = gputlm.Kernel(
        "k",
        grid=[2, 2],
        block=(8, 8),
        registers=40,
        shared_memory="4KiB",
        variation=program.variation(0.1, "normal"),
        patterns={
            "plain": patterns.coalesced(base=0x10000000),
            "step": patterns.strided(8, footprint="64KiB"),
            "lanes": patterns.affine(lane_stride=8, footprint="8KiB"),
            "index": patterns.indexed(thread_x_stride=8, footprint="8KiB"),
            "one": patterns.broadcast(),
            "any": patterns.random("1MiB", base="table"),
            "clash": patterns.set_conflict("32KiB", 4, lines=8),
            "again": patterns.reuse("8KiB", owner="warp", cold=0.05),
        },
        program=[
            program.fp32(),
            program.int_(3),
            program.sfu(dst=4, src=[4, 5]),
            program.tensor(2, distance=1),
            program.load("plain", width=8, dst=4),
            program.store("step", src=4),
            program.atomic("any"),
            program.barrier(),
            program.barrier(1),
            program.spin(us=1),
            program.loop(2, [program.fp64(), program.control()], varies=True),
            program.warps([program.load("lanes", space="shared")], first=1),
            program.work(8, [program.int_()], schedule="static"),
        ],
    )
    streams = [gputlm.Stream("a"), gputlm.Stream("b", priority=-1)]
    host = gputlm.Thread(
        "main",
        [
            commands.malloc("buffer", "4MiB"),
            commands.copy("host_to_device", "4KiB", to="buffer", stream=streams[0], blocking=True),
            commands.launch(kernel, stream=streams[0], release_us=1, repeat=2, period_us=5, deadline_us=50),
            commands.record("e", stream="a"),
            commands.wait("e", stream="b"),
            commands.host(2),
            commands.job(
                "j", [commands.launch("k", stream="b", label="inner"), commands.memset(64, to="buffer", stream="b")], repeat=2
            ),
            commands.copy("device_to_device", 64, from_="buffer", to="buffer", stream="b", delay_us=0.5),
            commands.synchronize(stream="a"),
            commands.synchronize("device"),
            commands.free("buffer"),
            commands.loop([commands.launch("k", stream="b", label="again"), commands.synchronize("device")], count=2),
            commands.wait_until(3),
            commands.barrier(0),
        ],
    )
    return gputlm.Workload(
        [kernel],
        [
            gputlm.Application("one", streams, threads=[host], time_slice_us=50),
            gputlm.Application("two", [gputlm.Stream("s", launches=[kernel, "k", commands.launch(kernel, grid=1)])], sms=[0, "1"]),
        ],
        managed={"table": {"bytes": "1MiB"}},
    )


def test_what_is_built_is_a_workload(schema):
    workload = everything()
    jsonschema.Draft7Validator(schema).validate(workload.to_dict())
    result = gputlm.run(workload, gpu="tx2")
    assert result.complete
    assert len(result.blocks) == 4 * (2 + 2 + 2) + 4 + 4 + 1


def test_a_trace_is_an_application_wherever_the_workload_is_read(tmp_path, monkeypatch, kernel):
    monkeypatch.chdir(SOURCE / "tests/schemas/documents")
    own = gputlm.Application("own", [gputlm.Stream("s", [kernel])])
    traced = gputlm.TracedApplication("traced", "traces", kernels="1-2", priority=-1)
    workload = gputlm.Workload([kernel], [own, traced])
    monkeypatch.chdir(tmp_path)
    result = gputlm.run(workload, gpu="tx2")
    assert {row["application"] for row in gputlm.tables.read_table(result.folder / "kernels.csv")} == {"own", "traced"}


def test_a_workload_is_the_same_from_a_file(tmp_path, workload):
    workload.save(tmp_path / "w.yaml")
    assert gputlm.run(tmp_path / "w.yaml").cycles == gputlm.run(workload).cycles == gputlm.run(workload.to_dict()).cycles


def test_numbers_may_be_those_of_numpy(workload):
    numpy = pytest.importorskip("numpy")
    workload.kernels[0].grid = numpy.arange(1, 3)
    workload.applications[0].time_slice_us = numpy.float64(2.5)
    made = json.loads(workload.to_json())
    assert made["kernels"]["k"]["grid"] == [1, 2]
    assert made["applications"][0]["time_slice_us"] == 2.5
    with pytest.raises(TypeError, match="is neither a number nor a text"):
        gputlm.Workload([gputlm.Kernel("k", object(), 1, [])], []).to_json()


def test_kernels_of_one_name_are_refused(kernel):
    with pytest.raises(ValueError, match="two kernels are named 'k'"):
        gputlm.Workload([kernel, kernel], []).to_dict()
