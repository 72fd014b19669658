"""Result files of cuda_scheduling_examiner, read by the rules of that tool's viewers."""

import json
from pathlib import Path

SM_THREADS = 2048  # the viewers divide max_resident_threads by it


def read(folder):
    """The result files of a run, by name, checked."""
    files = {path.name: json.loads(path.read_text()) for path in sorted(Path(folder).rglob("*.json"))}
    for name, benchmark in files.items():
        check(name, benchmark)
    check_residency(files)
    return files


def iterations(benchmark):
    """The iterations of a benchmark: the CPU entry and the kernels behind it."""
    found = []
    for entry in benchmark["times"][1:]:
        if "cpu_times" in entry:
            found.append((entry, []))
        else:
            found[-1][1].append(entry)
    return found


def blocks(benchmark):
    """All blocks as (start, end, sm, threads)."""
    for _, kernels in iterations(benchmark):
        for kernel in kernels:
            times = kernel["block_times"]
            for i, sm in enumerate(kernel["block_smids"]):
                yield times[2 * i], times[2 * i + 1], sm, kernel["thread_count"]


def check(name, benchmark):
    for key in ("scenario_name", "benchmark_name", "max_resident_threads", "data_size", "release_time", "PID", "times"):
        assert key in benchmark, f"{name} has no {key}"
    assert benchmark["times"][0] == {}, "the first entry is empty"
    assert benchmark["max_resident_threads"] % SM_THREADS == 0
    sms = benchmark["max_resident_threads"] // SM_THREADS
    last = 0.0
    for cpu, kernels in iterations(benchmark):
        points = cpu["copy_in_times"] + cpu["execute_times"] + cpu["copy_out_times"]
        assert points == sorted(points), f"{name}: {cpu}"
        assert cpu["cpu_times"] == [points[0], points[-1]]
        assert points[0] >= last, f"{name}: iterations overlap"
        last = points[-1]
        for kernel in kernels:
            before, after, synchronized = kernel["cuda_launch_times"]
            assert before <= after and (synchronized == 0 or after < synchronized)
            assert len(kernel["block_times"]) == 2 * kernel["block_count"] == 2 * len(kernel["block_smids"])
            assert kernel["block_count"] > 0 and 1 <= kernel["thread_count"] <= 1024
            assert kernel["shared_memory"] >= 0 and isinstance(kernel["kernel_name"], str)
            assert all(0 <= sm < sms for sm in kernel["block_smids"])
            for start, end in zip(kernel["block_times"][::2], kernel["block_times"][1::2]):
                assert before <= start < end <= cpu["execute_times"][1]


def check_residency(files):
    """No more threads at a time than the GPU, or an SM, holds."""
    if not files:
        return
    most = next(iter(files.values()))["max_resident_threads"]
    events = []
    for benchmark in files.values():
        for start, end, sm, threads in blocks(benchmark):
            events += [(start, 1, threads, sm), (end, 0, -threads, sm)]
    total, of_sm = 0, {}
    for _, _, threads, sm in sorted(events):  # at the same time, ends first
        total += threads
        of_sm[sm] = of_sm.get(sm, 0) + threads
        assert 0 <= total <= most and 0 <= of_sm[sm] <= SM_THREADS
    assert total == 0
