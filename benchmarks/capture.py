"""A capture of Nsight Systems as `nsys export --type sqlite` writes it, made up: a program that alternates between large
kernels of many small blocks and small ones, one after the other in a stream; and copies within the device in another.

  python3 benchmarks/capture.py capture.sqlite --large 335 --small 977 --blocks 116000 --copies 100
"""
import argparse
import random
import sqlite3

TABLES = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, smCount INTEGER, cuDevice INTEGER, maxShmemPerSm INTEGER,
  maxRegistersPerSm INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
  gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL,
  blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
  dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
  copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, processId INTEGER NOT NULL,
  contextId INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, processId INTEGER NOT NULL, contextId INTEGER NOT NULL,
  priority INTEGER NOT NULL, flag INTEGER NOT NULL);
"""
PROCESS = 100 << 24
CALL_BEFORE = 9_000  # ns from the host's call to the kernel's start
NS_A_BLOCK = (4.3, 8.6)  # a large kernel takes so much for each of its blocks
COPIED = [4096, 65536, 1 << 20, 5 << 20, 20 << 20, 33 << 20]  # bytes
BYTES_A_NS = 600  # of a copy within the device


def durations(large, small, blocks, seed):
    """Blocks and nanoseconds of each kernel. A large one has 96 to 100 % of `blocks`."""
    numbers = random.Random(seed)
    kinds = [True] * large + [False] * small
    numbers.shuffle(kinds)
    for is_large in kinds:
        if is_large:
            grid = numbers.randint(blocks * 96 // 100, blocks)
            yield grid, max(3_000, int(grid * numbers.uniform(*NS_A_BLOCK)))
        else:
            yield numbers.choice([1, 27, 500, 1000]), numbers.randint(3_000, 40_000)


def write(path, large, small, blocks, seed=1, copies=0):
    """Writes the capture; returns how many blocks it has, and the kernels' durations in ns."""
    with sqlite3.connect(path) as database:
        database.executescript(TABLES)
        database.execute("INSERT INTO TARGET_INFO_GPU VALUES (0, 'A100', 108, 0, 167936, 65536, 64, 32)")
        gaps = random.Random(seed + 1)
        start, kernels = CALL_BEFORE + 1_000, list(durations(large, small, blocks, seed))
        for i, (grid, ns) in enumerate(kernels, 1):
            database.execute("INSERT INTO StringIds VALUES (?, ?)", (i, f"kernel_{i % 40}"))
            database.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, ?, ?, 32, ?, 1, 1, 128, 1, 1, 0, 0, NULL)",
                (start, start + ns, i, PROCESS, i, i, grid))
            call = start - CALL_BEFORE
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 0)",
                             (call, call + 1, PROCESS | 1, i))
            start += ns + gaps.randint(1_000, 8_000)
        sizes, end = random.Random(seed + 2), 0
        for i in range(copies):
            size = sizes.choice(COPIED)
            begin = max(end, CALL_BEFORE + start * i // copies)
            end = begin + 2_000 + size // BYTES_A_NS
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, 1, 8, NULL, ?, ?, 8, 2, 2)",
                             (begin, end, PROCESS, size))
    return sum(grid for grid, _ in kernels), [ns for _, ns in kernels]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path")
    parser.add_argument("--large", type=int, default=335, help="kernels of many blocks [335]")
    parser.add_argument("--small", type=int, default=977, help="kernels of 1 to 1000 blocks [977]")
    parser.add_argument("--blocks", type=int, default=116_000, help="of a large kernel, at most [116000]")
    parser.add_argument("--copies", type=int, default=0, help="within the device, 4 KiB to 33 MiB each [0]")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    blocks, _ = write(given.path, given.large, given.small, given.blocks, given.seed, given.copies)
    print(f"{given.path}: {given.large + given.small} kernels, {blocks} blocks, {given.copies} copies")


if __name__ == "__main__":
    main()
