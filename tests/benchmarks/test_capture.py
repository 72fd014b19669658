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
