"""Runs: inputs, results, ends."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gputlm
from gputlm import commands

SOURCE = Path(__file__).resolve().parents[2]


def test_a_result_has_what_the_program_wrote(tmp_path, workload):
    result = gputlm.run(workload, gpu="xavier", settings={"sm.warp_scheduler": "gto", "sm.fp_int_shared": True}, seed=7, out=tmp_path / "out")
    assert json.loads((tmp_path / "out/result.json").read_text()) == result.data
    assert (result.complete, result.state, result.gpu, result.seed, result.warnings) == (True, "complete", "xavier", 7, [])
    assert result.configuration["sm"]["warp_scheduler"] == "gto"
    assert result.configuration["sm"]["fp_int_shared"] is True
    assert result.performance["wall_seconds"] >= 0
    assert "complete" in repr(result)


def test_the_files_of_a_result_go_with_it_unless_they_are_kept(tmp_path, workload):
    result = gputlm.run(workload)
    folder = result.folder
    kept = result.save(tmp_path / "kept")
    assert folder.is_dir()
    del result
    assert not folder.exists()
    assert kept.complete


def test_a_gpu_may_be_a_preset_a_file_or_its_contents(tmp_path, workload):
    (tmp_path / "gpu.yaml").write_text("extends: xavier\nsm.l1.bytes: 16KiB\n")
    from_file = gputlm.run(workload, gpu=tmp_path / "gpu.yaml")
    from_contents = gputlm.run(workload, gpu={"extends": "xavier", "sm": {"l1": {"bytes": "16KiB"}}})
    for result in (from_file, from_contents):
        assert result.configuration["sm"]["l1"]["bytes"] == 16384
    again = gputlm.run(workload, gpu=from_file.configuration)
    assert again.configuration == from_file.configuration


def test_an_error_has_the_message_of_the_program(workload):
    with pytest.raises(gputlm.InputError, match=r"^--set sm.warp=3: no parameter 'sm.warp'.* 'sm.warps'"):
        gputlm.run(workload, settings={"sm.warp": 3})
    workload.applications[0].streams[0].launches = ["kk"]
    with pytest.raises(gputlm.InputError, match=r"<stdin>:\d+: .*no kernel is named 'kk'; did you mean 'k'\?"):
        gputlm.run(workload)
    with pytest.raises(gputlm.InputError, match="none.yaml: .*cannot be opened"):
        gputlm.run("none.yaml")


def test_a_deadlock_is_an_error_with_a_result(kernel):
    streams = [gputlm.Stream("zero", default=True), gputlm.Stream("s")]
    # By the order in which the threads come, each stream waits for the other one.
    threads = [
        gputlm.Thread("a", [commands.host(1), commands.launch(kernel, stream="zero"), commands.record("e", stream="zero")]),
        gputlm.Thread("b", [commands.wait("e", stream="s")]),
    ]
    workload = gputlm.Workload([kernel], [gputlm.Application("a", streams, threads=threads)])
    for run in (lambda: gputlm.run(workload), lambda: gputlm.run_all([gputlm.Run(workload)])):
        with pytest.raises(gputlm.DeadlockError, match="deadlock at cycle") as error:
            run()
        assert error.value.result.state == "deadlocked"
        assert error.value.result.data["waiting"]


def test_a_run_up_to_a_cycle_is_incomplete(endless):
    result = gputlm.run(endless, max_cycles=1000)
    assert not result.complete
    assert result.state == "cycle limit reached"


def test_progress_is_told_of(endless):
    class Enough(Exception):
        pass

    seen = []

    def look(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        gputlm.run(endless, progress=look)
    assert seen[0].cycle < seen[2].cycle
    assert seen[0].blocks == 1000000
    assert "of 1000000 blocks" in seen[0].text


def test_text_of_a_run_with_progress_is_that_without(workload):
    for progress in (None, lambda _: None):
        with pytest.raises(gputlm.InputError, match=r"^--set sms=0: sms: found '0', allowed: 1 to 256$"):
            gputlm.run(workload, settings={"sms": 0}, progress=progress)


def children_of(pid):
    return [
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and (path / "stat").exists() and int((path / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid
    ]


@contextlib.contextmanager
def python_with_runs(code):
    """Python in a process of its own, as soon as the program runs in it. Neither outlives the test, nor us if we are killed."""
    command = [sys.executable, "-c", code]
    if shutil.which("setpriv"):
        command = ["setpriv", "--pdeathsig", "KILL", "--", *command]
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(SOURCE / "python")},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while not children_of(process.pid):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        time.sleep(0.1)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize("call", ["gputlm.run(w)", "gputlm.run_all([gputlm.Run(w)] * 3, jobs=2)"])
def test_an_interrupt_ends_the_program(call, endless, tmp_path):
    endless.save(tmp_path / "endless.yaml")
    with python_with_runs(f"import gputlm; w = {str(tmp_path / 'endless.yaml')!r}; {call}") as process:
        children = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv of util-linux is not there")
def test_no_run_outlives_python(endless, tmp_path):
    endless.save(tmp_path / "endless.yaml")
    with python_with_runs(f"import gputlm; gputlm.run({str(tmp_path / 'endless.yaml')!r})") as process:
        (child,) = children_of(process.pid)
        process.kill()
        process.wait()
        for _ in range(1500):
            if not Path(f"/proc/{child}").exists():
                return
            time.sleep(0.02)
        pytest.fail("half a minute later it still runs")


def test_a_run_that_somebody_ends_is_interrupted(endless):
    def end(_):
        os.kill(children_of(os.getpid())[0], signal.SIGTERM)

    with pytest.raises(gputlm.Interrupted, match="interrupted at cycle") as error:
        gputlm.run(endless, progress=end)
    assert error.value.result.state == "interrupted"


def test_a_program_that_is_not_there_is_told_of(monkeypatch, workload):
    with pytest.raises(gputlm.ProgramError, match="there is no program '/nowhere/gputlm': install"):
        gputlm.run(workload, program="/nowhere/gputlm")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("GPUTLM")
    with pytest.raises(gputlm.ProgramError, match="there is no program 'gputlm': install"):
        gputlm.run(workload)


def test_another_end_of_the_program_is_an_error(tmp_path, workload):
    for script, message in (("echo oh >&2; exit 70", "exit code 70: oh"), ("kill -9 $$", "signal 9: ")):
        program = tmp_path / "gputlm"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        with pytest.raises(gputlm.ProgramError, match=message):
            gputlm.run(workload, program=program)


def test_traces_run_by_their_paths():
    result = gputlm.run([SOURCE / "workloads/stream.yaml"], max_cycles=100)
    assert result.cycles > 0


def test_the_version_is_that_of_the_program():
    project = (SOURCE / "python/pyproject.toml").read_text()
    assert f'version = "{gputlm.version().split()[1]}"' in project
    assert f"version: {gputlm.version().split()[1]}\n" in (SOURCE / "CITATION.cff").read_text()
