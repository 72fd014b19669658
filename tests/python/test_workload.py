"""Builders make what the program reads, and take every key that its schema has."""

import inspect
import json
import os
import subprocess

import jsonschema
import pytest
from conftest import SOURCE

import gputlm
from gputlm import commands, patterns, program


@pytest.fixture(scope="module")
def schema():
    return json.loads(subprocess.run([os.environ["GPUTLM"], "schema", "workload"], capture_output=True, check=True).stdout)


def keys_of(function):
    return {name.rstrip("_") for name in inspect.signature(function).parameters}


def written_by(function):
    """The keys of what it makes when all arguments are given."""
    made = function(**dict.fromkeys(inspect.signature(function).parameters, "x"))
    return set(made)


def mappings(form):
    """Those among the alternatives of a form."""
    return [form] if "properties" in form else [inner for one in form.get("anyOf", []) for inner in mappings(one)]


def known(form):
    return set().union(*(one["properties"] for one in mappings(form)))


def test_patterns_take_the_keys_of_their_kind(schema):
    for form in mappings(schema["definitions"]["pattern"]):
        kind = form["properties"]["kind"]["const"]
        assert keys_of(getattr(patterns, kind)) | {"kind"} == set(form["properties"]), kind
        assert written_by(getattr(patterns, kind)) == set(form["properties"]), kind


def test_instructions_take_the_keys_of_the_schema(schema):
    forms = schema["definitions"]
    (elements,) = mappings(forms["element"])
    for name in elements["properties"]:
        function = getattr(program, {"int": "int_"}.get(name, name))
        if name in ("fp32", "int", "fp64", "sfu", "tensor", "control"):
            assert keys_of(function) == known(forms["arithmetic"])
        elif name in ("load", "atomic", "store"):
            assert keys_of(function) | {"distance"} == known(forms[name]) | {"distance"}
        elif name != "barrier":
            assert keys_of(function) == set(elements["properties"][name]["properties"])
    assert keys_of(program.variation) == known(forms["kernel"]["properties"]["variation"])


def test_commands_take_the_keys_of_the_schema(schema):
    functions = {"kernel": commands.launch, "host_us": commands.host}
    found = {}
    for form in mappings(schema["definitions"]["call"]):
        action = next(key for key in form["required"] if key not in ("stream", "from", "to", "bytes", "commands"))
        found.setdefault(action, set()).update(form["properties"])
    assert len(found) == 10
    for action, keys in found.items():
        function = functions.get(action) or getattr(commands, action)
        assert written_by(function) == keys, action


def test_applications_and_streams_take_the_keys_of_the_schema(schema):
    for name, made in (
        ("application", gputlm.Application),
        ("traced application", gputlm.TracedApplication),
        ("stream", gputlm.Stream),
    ):
        assert keys_of(made) == known(schema["definitions"][name])
    assert keys_of(gputlm.Kernel) == known(schema["definitions"]["kernel"]) | {"name"}
    assert keys_of(gputlm.Workload) == set(schema["properties"])


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
            commands.copy("device_to_device", 64, from_="buffer", to="buffer", stream="b"),
            commands.synchronize(stream="a"),
            commands.synchronize("device"),
            commands.free("buffer"),
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
    assert len(result.blocks) == 4 * (2 + 2) + 4 + 4 + 1


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
