"""The made-up captures of benchmarks/replay run, and their kernels last as they say."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import capture  # noqa: E402


def test_kernels_last_as_captured(tmp_path):
    path = tmp_path / "capture.sqlite"
    blocks, measured = capture.write(path, large=6, small=14, blocks=50_000)
    assert blocks > 6 * 48_000
    run = subprocess.run([os.environ["GPUTLM"], "run", path, "--gpu", "a100", "--json"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "sm.model=blocks: all kernels only spin" in run.stderr
    result = json.loads(run.stdout)
    parameters = result["configuration"]["work_distributor"]
    around = parameters["kernel_launch_latency"] + parameters["kernel_completion_latency"]
    assert len(result["kernels"]) == len(measured)
    for kernel, ns in zip(result["kernels"], measured):
        cycles = kernel["end_cycle"] - kernel["first_block_cycle"] + around
        assert abs(cycles * 1000 / result["configuration"]["core_mhz"] / ns - 1) < 0.001, kernel["kernel"]


def copies_of(tmp_path, *settings):
    path = tmp_path / "copies.sqlite"
    path.unlink(missing_ok=True)
    capture.write(path, large=1, small=160, blocks=10_000, copies=16)
    run = subprocess.run([os.environ["GPUTLM"], "run", path, "--gpu", "rtx2060", "--json", *settings], capture_output=True,
                         text=True)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert len(result["copies"]) == 16
    passed_over = result["copying"]["engines"]["passed_over_bytes"]
    return [copy["end_cycle"] - copy["start_cycle"] for copy in result["copies"]], passed_over


def test_copies_that_learn_take_as_long(tmp_path):
    """docs/speed.md has larger ones."""
    learnt, passed_over = copies_of(tmp_path)
    moved, nothing = copies_of(tmp_path, "--set", "copy_engine.learn=false")
    assert passed_over > 0 and nothing == 0
    assert abs(sum(learnt) / sum(moved) - 1) < 0.03
    for a, b in zip(learnt, moved):
        assert abs(a - b) < 0.25 * b, (a, b)
