"""gputlm run CONFIGURATION: configurations of cuda_scheduling_examiner of every kind, and known results of some."""

import csv
import json
import os
import random
import subprocess
from pathlib import Path

import pytest
import result_files

PROGRAM = os.environ.get("GPUTLM", "build/release/gputlm")
COUNT = int(os.environ.get("EXAMINER_COUNT", "2"))
EXAMPLES = Path(__file__).parents[2] / "workloads" / "examiner"
HOP = 1e-5  # of the host and the GPU, generously, in seconds


def configuration(benchmarks, **more):
    return {"name": "test", "max_iterations": 1, "max_time": 0, "cuda_device": 0, **more, "benchmarks": benchmarks}


def benchmark(plugin, info=None, threads=256, blocks=4, **more):
    entry = {"filename": f"./bin/{plugin}.so", "thread_count": threads, "block_count": blocks, "data_size": 0}
    if info is not None:
        entry["additional_info"] = info
    return {**entry, **more}


def spin(milliseconds, threads=256, blocks=4, **more):
    return benchmark("timer_spin", int(milliseconds * 1e6), threads, blocks, **more)


def start(tmp_path, config, *arguments):
    path = tmp_path / "config.json"
    path.write_text(config if isinstance(config, str) else json.dumps(config, indent=2))
    command = [PROGRAM, "run", str(path), "--out", str(tmp_path / "out"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run(tmp_path, config, *arguments):
    done = start(tmp_path, config, *arguments)
    assert done.returncode == 0, done.stderr
    return result_files.read(tmp_path / "out" / "results")


def compare(tmp_path):
    """The run beside its own result files."""
    command = [PROGRAM, "compare", str(tmp_path / "out"), str(tmp_path / "out" / "results"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def one_of(files, number):
    return next(file for name, file in files.items() if name.endswith(f"_{number}.json"))


def overlap(a, b):
    return any(x[0] < y[1] and y[0] < x[1] for x in result_files.blocks(a) for y in result_files.blocks(b))


# Ten of each kind.


def shape(rng):
    return {"threads": rng.choice([32, 64, 100, 256, 512, 1024]), "blocks": rng.randint(1, 40)}


def multikernel(rng):
    return [
        {
            "kernel_label": f"K{i}",
            "duration": rng.randint(1000, 50_000_000),
            "block_count": rng.randint(1, 20),
            "thread_count": rng.choice([32, 256, 1024]),
            "delay": rng.choice([0, 0.001, 0.02]),
            "shared_memory_size": rng.choice([0, 4096, 8192, 10240]),
            "copy_in_count": rng.choice([0, 1000]),
            "copy_out_count": rng.choice([0, 500]),
        }
        for i in range(rng.randint(1, 5))
    ]


def stream_action(rng):
    kinds = {
        "kernel": lambda: {
            "type": rng.choice(["timer_spin", "counter_spin"]),
            "duration": rng.randint(100, 1000),
            "shared_memory_size": rng.choice([0, 4096]),
        },
        "malloc": lambda: {"size": 4096, "host": rng.random() < 0.5},
        "free": lambda: {"host": rng.random() < 0.5},
        "memset": lambda: {"size": rng.randint(1, 1 << 16), "async": rng.random() < 0.5},
        "memcpy": lambda: {
            "size": rng.randint(1, 1 << 16),
            "async": rng.random() < 0.5,
            "direction": rng.choice(["deviceToDevice", "deviceToHost", "hostToDevice"]),
        },
        "synchronize": lambda: {"device": rng.random() < 0.5},
    }
    actions = []
    for i in range(rng.randint(2, 8)):
        kind = rng.choice(list(kinds))
        action = {"type": kind, "label": f"{kind} {i}", "parameters": kinds[kind]()}
        if rng.random() < 0.3:
            action["delay"] = 0.001
        actions.append(action)
    return {"use_null_stream": rng.random() < 0.5, "actions": actions}


KINDS = {
    "timer_spin": lambda rng: benchmark("timer_spin", rng.choice([None, 1000, "500000", 30_000_000]), **shape(rng)),
    "timer_spin_default_stream": lambda rng: benchmark("timer_spin_default_stream", 2_000_000, **shape(rng)),
    "counter_spin": lambda rng: benchmark("counter_spin", rng.choice([100, 1000]), **shape(rng)),
    "sharedmem_timer_spin": lambda rng: benchmark(
        "sharedmem_timer_spin",
        {"duration": rng.randint(1, 10_000_000), "shared_memory_size": rng.choice([4096, 8192, 10240])},
        **shape(rng),
    ),
    "mandelbrot": lambda rng: benchmark(
        "mandelbrot", rng.choice([10, 50]), rng.choice([32, 128]), 0, data_size=rng.randint(1, 5000)
    ),
    "matrix_multiply": lambda rng: benchmark(
        "matrix_multiply",
        {"matrix_width": rng.randint(1, 70), "skip_copy": rng.random() < 0.5},
        rng.choice([[16, 16], [8, 4], 32]),
        1,
    ),
    "random_walk": lambda rng: benchmark("random_walk", rng.randint(0, 500), 64, 3, data_size=rng.randint(8, 1 << 20)),
    "inorder_walk": lambda rng: benchmark("inorder_walk", rng.randint(0, 500), 64, 3, data_size=rng.randint(8, 1 << 20)),
    "cpu_random_walk": lambda rng: benchmark(
        "cpu_random_walk", {"steps": rng.randint(0, 1000), "step_ns": rng.choice([0.5, 90])}, 0, 0, data_size=4096
    ),
    "cpu_inorder_walk": lambda rng: benchmark("cpu_inorder_walk", rng.randint(0, 1000), 0, 0, data_size=4096),
    "vector_add": lambda rng: benchmark("vector_add", {"vector_length": rng.randint(1, 20_000)}, 256, 1),
    "multikernel": lambda rng: benchmark("multikernel", multikernel(rng), 0, 0),
    "stream_action": lambda rng: benchmark("stream_action", stream_action(rng), **shape(rng)),
    "task_host": lambda rng: benchmark(
        "task_host",
        configuration([KINDS["timer_spin"](rng), KINDS["multikernel"](rng)], base_result_directory="results/inner"),
        0,
        0,
    ),
}


@pytest.mark.parametrize("number", range(COUNT))
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_runs_and_its_files_keep_the_viewers_rules(tmp_path, kind, number):
    rng = random.Random(f"{kind} {number}")
    rounds = 1 if kind == "task_host" else rng.randint(1, 3)
    entries = [KINDS[kind](rng) for _ in range(1 if kind == "task_host" else rng.randint(1, 3))]
    for entry in entries:
        entry["release_time"] = rng.choice([0, 0.005])
        if rng.random() < 0.5:
            entry["stream_priority"] = rng.choice([0, -1])
    options = {"use_processes": rng.random() < 0.3, "do_warmup": rng.random() < 0.3, "pin_cpus": rng.random() < 0.5}
    config = configuration(entries, **options, max_iterations=rounds, sync_every_iteration=rng.random() < 0.3)
    files = run(tmp_path, config)
    assert len(files) == len(entries) + (2 if kind == "task_host" else 0)
    for name, file in files.items():
        inner = kind == "task_host" and not name.startswith("task_host")
        assert len(result_files.iterations(file)) == rounds
        assert ("TID" in file) == (inner or not options["use_processes"])
    if any(kernels for file in files.values() for _, kernels in result_files.iterations(file)):
        compared = compare(tmp_path)
        assert compared["broken_rules"] == [] and compared["measured_only"] == []


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_examples_run(tmp_path, example):
    scale = ["--time-scale", "20000"] if example.stem == "memory" else []
    assert run(tmp_path, example.read_text(), *scale)


# What is known of some scenarios.


def test_blocks_of_a_high_priority_go_before_those_that_wait(tmp_path):
    low = spin(20, 1024, 90, stream_priority=0)
    high = spin(10, 1024, 30, stream_priority=-1, release_time=0.01)
    files = run(tmp_path, configuration([low, high]))
    low, high = (sorted(result_files.blocks(one_of(files, i))) for i in (0, 1))
    assert sum(start < high[0][0] for start, *_ in low) == 30, "those that run are not preempted"
    assert sum(start > high[-1][0] for start, *_ in low) == 60, "the others wait for all of the high priority"


def test_a_low_priority_starves_while_high_ones_come_again_and_again(tmp_path):
    high = [spin(10, 1024, 30, stream_priority=-1, max_iterations=5, release_time=t) for t in (0.001, 0.002)]
    files = run(tmp_path, configuration([*high, spin(10, 1024, 30, stream_priority=0, release_time=0.005)]))
    last = max(start for i in (0, 1) for start, *_ in result_files.blocks(one_of(files, i)))
    assert min(start for start, *_ in result_files.blocks(one_of(files, 2))) > last - 0.0101


def test_the_null_stream_serializes_with_streams_that_have_no_priority(tmp_path):
    null = benchmark("timer_spin_default_stream", 20_000_000, 256, 1, release_time=0.005)
    files = run(tmp_path, configuration([spin(20), null, spin(20, release_time=0.01)]))
    first, null, last = (one_of(files, i) for i in range(3))
    assert not overlap(first, null) and not overlap(null, last)
    assert min(result_files.blocks(first)) < min(result_files.blocks(null)) < min(result_files.blocks(last))


def test_streams_with_a_priority_take_no_part_in_the_order_of_the_null_stream(tmp_path):
    null = benchmark("timer_spin_default_stream", 20_000_000, 256, 1, release_time=0.005)
    files = run(tmp_path, configuration([spin(20, stream_priority=0), null]))
    assert overlap(one_of(files, 0), one_of(files, 1))


def test_threads_run_at_once_processes_in_turns_and_processes_under_mps_at_once(tmp_path):
    entries = [spin(2, 512, 15), spin(2, 512, 15)]
    cases = {
        "threads": (configuration(entries), True),
        "processes": (configuration(entries, use_processes=True), False),
        "mps": (configuration([{**e, "mps_thread_percentage": 100} for e in entries], use_processes=True), True),
    }
    for name, (config, together) in cases.items():
        (tmp_path / name).mkdir()
        files = run(tmp_path / name, config)
        assert overlap(one_of(files, 0), one_of(files, 1)) == together, name


def test_mps_percentages_are_shares_of_the_sms(tmp_path):
    entries = [spin(2, 1024, 60, mps_thread_percentage=percent) for percent in (75, 25)]
    files = run(tmp_path, configuration(entries, use_processes=True))
    sms = [{sm for _, _, sm, _ in result_files.blocks(one_of(files, i))} for i in (0, 1)]
    total = one_of(files, 0)["max_resident_threads"] // result_files.SM_THREADS
    assert [len(s) for s in sms] == [total * 75 // 100, total * 25 // 100]


def test_sm_masks_disable_tpcs_and_inverted_ones_enable_them(tmp_path):
    kernels = [
        {"kernel_label": "K", "duration": 1000, "block_count": 4, "thread_count": 32, "sm_mask": "~0x8"},
        {"kernel_label": "L", "duration": 1000, "block_count": 4, "thread_count": 32},
    ]
    entries = [spin(1, 32, 60, sm_mask=mask) for mask in ("0x3", "~0x3")]
    entries.append(benchmark("multikernel", kernels, sm_mask="~0x1"))
    files = run(tmp_path, configuration(entries))
    without, only, each = (result_files.iterations(one_of(files, i))[0][1] for i in range(3))
    total = one_of(files, 0)["max_resident_threads"] // result_files.SM_THREADS
    assert set(without[0]["block_smids"]) == set(range(4, total))
    assert set(only[0]["block_smids"]) == {0, 1, 2, 3}
    assert set(each[0]["block_smids"]) == {6, 7}, "a kernel's own mask goes before its stream's"
    assert set(each[1]["block_smids"]) == {0, 1}


def test_iterations_begin_together_where_they_are_synchronized(tmp_path):
    config = configuration([spin(10), spin(3)], max_iterations=4)
    for synchronized in (True, False):
        (tmp_path / str(synchronized)).mkdir()
        files = run(tmp_path / str(synchronized), {**config, "sync_every_iteration": synchronized})
        starts = [[cpu["cpu_times"][0] for cpu, _ in result_files.iterations(one_of(files, i))] for i in (0, 1)]
        assert (starts[0] == starts[1]) == synchronized


def test_as_many_iterations_are_begun_as_fit_into_max_time(tmp_path):
    files = run(tmp_path, configuration([spin(10), spin(30, max_time=0.05)], max_iterations=0, max_time=0.095))
    assert len(result_files.iterations(one_of(files, 0))) == 10
    assert len(result_files.iterations(one_of(files, 1))) == 2


def test_releases_and_delays_are_kept(tmp_path):
    kernels = [
        {"kernel_label": label, "duration": 1_000_000, "block_count": 1, "thread_count": 32, "delay": delay}
        for label, delay in (("K1", 0), ("K2", 0.02))
    ]
    files = run(tmp_path, configuration([spin(1, release_time=0.03), benchmark("multikernel", kernels, 0, 0)]))
    assert result_files.iterations(one_of(files, 0))[0][0]["cpu_times"][0] == pytest.approx(0.03, abs=HOP)
    first, second = result_files.iterations(one_of(files, 1))[0][1]
    assert second["cuda_launch_times"][0] - first["block_times"][1] == pytest.approx(0.02, abs=HOP)


def test_warm_ups_are_not_recorded_and_come_before_the_release(tmp_path):
    files = run(tmp_path, configuration([spin(5), spin(10)], do_warmup=True))
    for i in (0, 1):
        recorded = result_files.iterations(one_of(files, i))
        assert len(recorded) == 1
        assert recorded[0][0]["cpu_times"][0] == pytest.approx(0.04, abs=10 * HOP)


def test_a_time_scale_is_undone_in_the_files(tmp_path):
    times = []
    for scale in ("1", "100"):
        (tmp_path / scale).mkdir()
        files = run(tmp_path / scale, configuration([spin(50), spin(20, release_time=0.01)]), "--time-scale", scale)
        times.append([list(result_files.blocks(one_of(files, i)))[0][:2] for i in (0, 1)])
    for real, scaled in zip(*times):
        assert scaled == pytest.approx(real, abs=100 * HOP)


def test_a_task_host_is_a_process_with_threads(tmp_path):
    def host(name):
        inner = configuration([spin(5, log_name=f"{name}{i}.json") for i in (0, 1)])
        return benchmark("task_host", inner, 0, 0, label=name)

    files = run(tmp_path, configuration([host("a"), host("b")], use_processes=True))
    assert len({files[f"{name}{i}.json"]["PID"] for name in "ab" for i in (0, 1)}) == 2
    assert overlap(files["a0.json"], files["a1.json"])
    assert not any(overlap(files[f"a{i}.json"], files[f"b{j}.json"]) for i in (0, 1) for j in (0, 1))
    cpu, kernels = result_files.iterations(files["task_host_0.json"])[0]
    ends = [result_files.iterations(files[f"a{i}.json"])[0][0]["cpu_times"][1] for i in (0, 1)]
    assert kernels == [] and cpu["execute_times"][1] == max(ends)


# What is wrong, lost or without effect.


def message(tmp_path, config, *arguments):
    done = start(tmp_path, config, *arguments)
    assert done.returncode == 2 and not (tmp_path / "out" / "result.json").exists()
    assert len(done.stderr) <= 2048
    return done.stderr.replace(str(tmp_path) + "/", "").strip()


def test_walks_of_the_host_take_its_time_and_none_of_the_gpu(tmp_path):
    walk = benchmark("cpu_random_walk", None, 0, 0, data_size=256 << 20)
    told = benchmark("cpu_random_walk", {"steps": 5000, "step_ns": 80}, 0, 0, data_size=4096)
    small = benchmark("cpu_random_walk", 1000, 0, 0, data_size=1 << 20)
    in_order = benchmark("cpu_inorder_walk", None, 0, 0, data_size=256 << 20)
    config = configuration([walk, told, small, in_order, spin(5)], max_iterations=2)
    done = start(tmp_path, config)
    assert done.returncode == 0
    files = result_files.read(tmp_path / "out" / "results")
    # A sixteenth of 256 MiB is in the cache, at 10 ns a step; the others take 100 ns.
    for number, seconds in ((0, 94.375e-3), (1, 0.4e-3), (2, 0.01e-3), (3, 2e-3)):
        iterations = result_files.iterations(one_of(files, number))
        assert len(iterations) == 2 and all(kernels == [] for _, kernels in iterations)
        for cpu, _ in iterations:
            assert cpu["cpu_times"][1] - cpu["cpu_times"][0] == pytest.approx(seconds, abs=1e-7)
    assert one_of(files, 0)["benchmark_name"] == "CPU random walk"
    (_, [kernel]), _ = result_files.iterations(one_of(files, 4))
    assert kernel["block_times"][1] == pytest.approx(5e-3, abs=HOP), "the GPU knows nothing of it"
    told_of = [line for line in done.stderr.splitlines() if "which is assumed" in line]
    assert len(told_of) == 3 and "94.375 ns" in told_of[0], "where step_ns is given nothing is assumed"


def test_mistakes_are_told_with_their_line(tmp_path):
    good = spin(1)
    cases = [
        (configuration([{**good, "filename": "./bin/timer_spn.so"}]),
         "config.json:8: benchmarks[0].filename: no plug-in is called 'timer_spn'; did you mean 'timer_spin'?; "
         "allowed: counter_spin, cpu_inorder_walk, cpu_random_walk, inorder_walk, mandelbrot, matrix_multiply, multikernel, "
         "random_walk, sharedmem_timer_spin, "
         "stream_action, timer_spin, timer_spin_default_stream, vector_add, task_host"),
        (configuration([good], max_iterations=0),
         "config.json:7: benchmarks[0]: found max_iterations 0 and max_time 0, which never ends, allowed: one of them "
         "above 0"),
        (configuration([{**good, "thread_count": 0}]),
         "config.json:9: benchmarks[0].thread_count: found 0 threads, allowed: 1 to 1024"),
        (configuration([benchmark("cpu_random_walk", None, 0, 0)]),
         "config.json:11: benchmarks[0].data_size: found 0, allowed: 8 or more"),
        (configuration([benchmark("cpu_random_walk", {"steps": 10**12, "step_ns": 90}, 0, 0, data_size=8)]),
         "config.json:7: benchmarks[0]: found 1000000000000 steps of 90 ns on the host, allowed: five hours in all"),
        (configuration([{**good, "sm_mask": "0xg"}]),
         "config.json:13: benchmarks[0].sm_mask: found '0xg', allowed: up to 16 hexadecimal digits, as in 0x3 or ~0x3"),
        (configuration([{**good, "log_name": "a.json"}] * 2),
         "config.json:21: benchmarks[1].log_name: another benchmark writes results/a.json, too; allowed: a log_name "
         "for each"),
        ('{"name": "x",\n "benchmarks": [}', "config.json:2: is no JSON: found `\"benchmarks\": [}`"),
        ('{"name": "x",\n"benchmarks": []}', "config.json:1: key 'max_iterations' is missing"),
        ('{"name": "x", "max_iterations": 1.5\n, "benchmarks": []}',
         "config.json:1: max_iterations: found 1.5, allowed: a whole number from 0 to 4294967295"),
    ]
    for config, expected in cases:
        assert message(tmp_path, config) == "gputlm: " + expected
    assert message(tmp_path, configuration([good]), "--time-scale", "0") == (
        "gputlm: --time-scale: found '0', allowed: 1 to 1000000000")


def test_numbers_may_be_written_as_the_tools_parser_takes_them(tmp_path):
    config = configuration([benchmark("timer_spin", 2e6, 256.0, 1)], max_iterations=2.0, max_time=-1)
    first, second = result_files.iterations(one_of(run(tmp_path, config), 0))
    assert first[1][0]["thread_count"] == 256
    assert first[1][0]["block_times"][1] - first[1][0]["block_times"][0] == pytest.approx(2e-3, abs=HOP)


def test_walks_take_as_many_steps_as_the_tool_where_none_are_given(tmp_path):
    for kind in ("random_walk", "inorder_walk"):
        lengths = []
        for number, info in enumerate((None, 1000)):
            folder = tmp_path / f"{kind}{number}"
            folder.mkdir()
            files = run(folder, configuration([benchmark(kind, info, 32, 1, data_size=1 << 16)]))
            lengths.append(next(result_files.blocks(one_of(files, 0)))[:2])
        assert lengths[0] == lengths[1]


def test_products_of_matrices_have_blocks_of_two_dimensions(tmp_path):
    info = {"matrix_width": 64, "skip_copy": True}
    for threads, block, blocks in (([16, 8], 128, 32), (256, 32, 128)):
        folder = tmp_path / str(block)
        folder.mkdir()
        files = run(folder, configuration([benchmark("matrix_multiply", info, threads, 1)]))
        [(_, [kernel])] = result_files.iterations(one_of(files, 0))
        assert (kernel["thread_count"], kernel["block_count"]) == (block, blocks)


def test_only_the_last_kernel_of_a_multikernel_is_waited_for(tmp_path):
    kernels = [{"kernel_label": f"K{i}", "duration": 1000, "block_count": 1, "thread_count": 32} for i in range(3)]
    kernels[1]["delay"] = 0.001
    files = run(tmp_path, configuration([benchmark("multikernel", kernels, 0, 0)]))
    [(_, entries)] = result_files.iterations(one_of(files, 0))
    assert [entry["cuda_launch_times"][2] > 0 for entry in entries] == [False, False, True]


def test_masks_are_those_of_the_streams_that_have_them(tmp_path):
    mask = "~0x1"  # SMs 0 and 1
    kernel = {"type": "kernel", "label": "K", "parameters": {"duration": 1000, "block_count": 8, "thread_count": 32}}
    entries = [
        benchmark("timer_spin_default_stream", 1000, 32, 8, sm_mask=mask),
        benchmark("stream_action", {"actions": [kernel]}, sm_mask=mask),
        benchmark("timer_spin", 1000, 32, 8, sm_mask=mask),
    ]
    done = start(tmp_path, configuration(entries))
    assert done.returncode == 0 and done.stderr.count("sm_mask has no effect") == 2
    files = result_files.read(tmp_path / "out" / "results")
    sms = [{sm for _, _, sm, _ in result_files.blocks(one_of(files, i))} for i in range(3)]
    assert [len(each) for each in sms] == [8, 8, 2]


def test_priorities_are_those_that_recent_gpus_have(tmp_path):
    entries = [spin(20, 1024, 90, stream_priority=0), spin(10, 1024, 30, stream_priority=-5, release_time=0.01)]
    other = tmp_path / "with two"
    other.mkdir()
    files = run(tmp_path, configuration(entries), "--set", "work_distributor.priorities=6")
    low, high = (sorted(result_files.blocks(one_of(files, i))) for i in (0, 1))
    assert sum(start > high[-1][0] for start, *_ in low) == 60, "those that wait go after the high priority"
    assert "found priority -5, allowed: -1 to 0" in message(other, configuration(entries))


def test_what_has_no_effect_is_named(tmp_path):
    entry = {**spin(1), "stream_priorty": -1, "cpu_core": 3, "mps_thread_percentage": 50, "stream_priority": 7}
    done = start(tmp_path, configuration([entry], cuda_device=1, hello=True))
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    for part in ("'stream_priorty' is not known and has no effect; did you mean 'stream_priority'?", "'hello'",
                 "cuda_device 1", "cpu_core", "mps_thread_percentage", "stream_priority 7 is not a priority of a GPU, -5 to 0"):
        assert any(part in line for line in warnings), part


def test_the_time_scale_is_for_configurations_only(tmp_path):
    workload = EXAMPLES.parent / "stream.yaml"
    command = [PROGRAM, "run", str(workload), "--time-scale", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "allowed with: cuda_scheduling_examiner configuration" in done.stderr


def test_the_same_bytes_come_out_whatever_the_window(tmp_path):
    rng = random.Random("window")
    entries = [KINDS["stream_action"](rng), benchmark("random_walk", 20, 64, 3, data_size=1 << 16), spin(0.1)]
    config = configuration(entries, max_iterations=0, max_time=0.0003, do_warmup=True)
    texts = []
    for window in ("1", "7", "0"):
        (tmp_path / window).mkdir()
        run(tmp_path / window, config, "--window", window)
        out = tmp_path / window / "out"
        texts.append({p.relative_to(out): p.read_text() for p in out.rglob("*.json") if p.name != "performance.json"})
    assert texts[0] == texts[1] == texts[2]


def test_damaged_configurations_end_in_a_result_or_a_message(tmp_path):
    rng = random.Random("damage")
    texts = [path.read_text() for path in sorted(EXAMPLES.glob("*.json"))]
    for _ in range(20 * COUNT):
        text = list(rng.choice(texts))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at] = rng.choice(['"', "{", "}", "[", "]", ",", ":", "0", "-", "9e9", "null", "\x01", ""])
        done = start(tmp_path, "".join(text), "--time-scale", "100000", "--max-cycles", "20000")
        assert done.returncode in (0, 2), done.stderr
        assert len(done.stderr) <= 4096


def test_a_sweep_sets_what_a_configuration_asks_for(tmp_path):
    config = configuration([spin(2, 512, 15), spin(2, 512, 15)], use_processes=True)
    run(tmp_path, config)
    (tmp_path / "sweep.yaml").write_text("workloads: [config.json]\n")
    command = [PROGRAM, "sweep", str(tmp_path / "sweep.yaml"), "--out", str(tmp_path / "sweep")]
    subprocess.run(command, capture_output=True, check=True)
    cycles = json.loads((tmp_path / "out" / "result.json").read_text())["cycles"]
    with open(tmp_path / "sweep" / "applications.csv", encoding="utf-8") as file:
        assert {int(row["run_cycles"]) for row in csv.DictReader(file)} == {cycles}
