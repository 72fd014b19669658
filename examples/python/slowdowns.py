#!/usr/bin/env python3
"""How much two kernels slow each other down under four policies: a table, and a picture where matplotlib is there.

    PYTHONPATH=python GPUTLM=build/release/gputlm python3 examples/python/slowdowns.py [PICTURE.svg]
"""

import sys

import gputlm
from gputlm.patterns import coalesced, random
from gputlm.program import fp32, int_, load, loop, store

# One kernel computes, the other one waits for memory.
compute = gputlm.Kernel(
    "compute", grid=64, block=256, program=[loop(80, [fp32(8, distance=2), int_(2)])]
)
memory = gputlm.Kernel(
    "memory",
    grid=32,
    block=256,
    patterns={"table": random("16MiB"), "out": coalesced()},
    program=[loop(12, [load("table", dst=4), fp32(dst=5, src=[4, 5])]), store("out", src=5)],
)
kernels = [compute, memory]

policies = {
    "leftover": {"work_distributor.kernel_order": "leftover"},
    "mpmax": {"work_distributor.kernel_order": "mpmax"},
    "srtf": {"work_distributor.kernel_order": "srtf"},
    "time slices": {"work_distributor.application": "time_sliced"},
}


def workload(kernels):
    """Each kernel an application of its own."""
    return gputlm.Workload(
        kernels,
        [gputlm.Application(one.name, [gputlm.Stream("s", [one])], time_slice_us=5) for one in kernels],
    )


def cycles(result):
    """From the first release to the end of each application."""
    return {row["name"]: row["end_cycle"] for row in result.data["applications"]}


def slowdowns():
    """By policy and kernel: cycles beside the other one over cycles alone."""
    workloads = [workload([compute]), workload([memory]), workload(kernels)]
    runs = [gputlm.Run(one, gpu="tx2", settings=settings) for settings in policies.values() for one in workloads]
    results = gputlm.run_all(runs)
    table = {}
    for number, policy in enumerate(policies):
        *alone, together = (cycles(result) for result in results[3 * number : 3 * number + 3])
        table[policy] = {kernel.name: together[kernel.name] / one[kernel.name] for kernel, one in zip(kernels, alone)}
    return table


def draw(table, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    for place, kernel in enumerate(kernels):
        axes.bar([x + 0.4 * place for x in range(len(table))], [row[kernel.name] for row in table.values()], 0.38, label=kernel.name)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks([x + 0.2 for x in range(len(table))], list(table))
    axes.set_ylabel("slowdown beside the other")
    axes.legend()
    figure.savefig(path)


def main():
    table = slowdowns()
    print(f"{'policy':12} " + " ".join(f"{kernel.name:>9}" for kernel in kernels))
    for policy, row in table.items():
        print(f"{policy:12} " + " ".join(f"{row[kernel.name]:9.2f}" for kernel in kernels))
    if len(sys.argv) > 1:
        try:
            draw(table, sys.argv[1])
        except ImportError:
            print("without matplotlib there is no picture", file=sys.stderr)


if __name__ == "__main__":
    main()
