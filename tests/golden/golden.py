#!/usr/bin/env python3
"""Compares the results of a fixed set of runs (scripts/result-hashes) with those on record in results.txt.

  golden.py PROGRAM [--update] [--folder FOLDER]

A line a run: its name, a digest of the times (cycles, and every table of blocks, kernels, commands) and one of the counters. A
change that is to change no result leaves both; a new counter changes the second alone. The configuration is in neither: a new
parameter changes no result.
Exit codes: 0 all are as on record, or the record was written; 1 some differ, and their names and files are printed.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORD = pathlib.Path(__file__).resolve().parent / "results.txt"
# What is asked for, and by which program.
NO_RESULT = {"schema", "version", "configuration", "input", "files", "policies"}
TIMES = {"state", "complete", "cycles", "nanoseconds", "launches", "launches_ended"}


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def digests(folder: pathlib.Path) -> tuple[str, str]:
    (file,) = [folder / name for name in ("result.json", "memory.json") if (folder / name).exists()]
    result = json.loads(file.read_text().replace(f"{ROOT}/", ""))  # warnings name files
    times = {key: value for key, value in result.items() if key in TIMES}
    times["tables"] = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.csv")}
    return digest(times), digest({key: value for key, value in result.items() if key not in TIMES | NO_RESULT})


def runs(program: str, folder: pathlib.Path) -> dict[str, tuple[str, str]]:
    subprocess.run([ROOT / "scripts/result-hashes", program, folder], check=True, stderr=subprocess.DEVNULL)
    names = [line.split()[0] for line in (folder / "commands").read_text().splitlines()]
    return {name: digests(folder / name) for name in names}


def recorded() -> dict[str, tuple[str, str]]:
    lines = (line.split() for line in RECORD.read_text().splitlines())
    return {name: (times, counters) for name, times, counters in lines}


def differences(made: dict[str, tuple[str, str]], record: dict[str, tuple[str, str]]) -> list[str]:
    said = []
    for name in sorted(made.keys() | record.keys()):
        if name not in record:
            said.append(f"{name}: is not on record")
        elif name not in made:
            # A build without Verilator has no policies in hardware.
            if "@rtl" not in name:
                said.append(f"{name}: is on record, and no run has this name")
        elif made[name][0] != record[name][0]:
            said.append(f"{name}: other times")
        elif made[name][1] != record[name][1]:
            said.append(f"{name}: other counters, the same times")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true", help="write the record")
    parser.add_argument("--folder", help="keep the results there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        made = runs(options.program, pathlib.Path(options.folder or temporary))
    if options.update:
        RECORD.write_text("".join(f"{name} {times} {counters}\n" for name, (times, counters) in sorted(made.items())))
        return 0
    said = differences(made, recorded())
    print(f"{len(made)} runs, {len(said)} differ from {RECORD.relative_to(ROOT)}")
    if said:
        print("\n".join(said))
        print(f"If that is meant: {pathlib.Path(__file__).relative_to(ROOT)} PROGRAM --update")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
