"""Checks the output of the comparisons of benchmarks/ and scripts/same-results. Programs, compilers, simulators
and valgrind are scripts that stand in for them."""
import json
import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def call(tool, *words, **variables):
    environment = {"PATH": os.environ["PATH"], **{k: str(v) for k, v in variables.items()}}
    done = subprocess.run([str(SOURCE / tool), *map(str, words)], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def guard(tmp_path):
    """benchmarks/instructions with a record of 1,000,000 instructions and a valgrind that counts $COUNT."""
    tools = tmp_path / "bin"
    tools.mkdir()
    script(tools / "valgrind", 'for word in "$@"; do case $word in --cachegrind-out-file=*) out=${word#*=};; esac; done\n'
           'printf "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\\nsummary: $COUNT 1 2 3 40 5 6 2 1\\n" >"$out"\n')
    build = tmp_path / "build"
    build.mkdir()
    script(build / "compiler", 'echo "g++ $VERSION"; echo more\n')
    script(build / "gputlm", "exit 1\n")
    (build / "CMakeCache.txt").write_text(f"CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CXX_COMPILER:FILEPATH={build}/compiler\n"
                                          "CMAKE_CXX_FLAGS_RELEASE:STRING=-O2\n")
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"build": "g++ 12, -O2", "runs": [
        {"name": name, "command": f"run {name}.yaml", "instructions": 1_000_000} for name in ("one", "two")]}))

    def run(*words, count=1_000_000, version="12", path=f"{tools}:{os.environ['PATH']}"):
        return call("benchmarks/instructions", "--build", build, "--record", record, *words, COUNT=count, VERSION=version,
                    PATH=path)
    run.record, run.build = record, build
    return run


@pytest.mark.parametrize("count, code, word", [(1_000_000, 0, "+0.0 %"), (1_019_000, 0, "+1.9 %"), (981_000, 0, "-1.9 %"),
                                               (1_021_000, 1, "one: more instructions"),
                                               (979_000, 1, "one: fewer instructions")])
def test_instructions_are_judged_both_ways(guard, count, code, word):
    found, text = guard(count=count)
    assert found == code and word in text
    assert ("--update one two" in text) == (code == 1)


def test_instructions_are_written_down_on_demand(guard):
    assert guard("--update", "two", count=2_000_000)[0] == 0
    one, two = json.loads(guard.record.read_text())["runs"]
    assert one["instructions"] == 1_000_000 and two["instructions"] == 2_000_000
    assert two["misses"] == {"data_l1": 42, "data_last_level": 6, "instructions_l1": 1}
    assert guard("two", count=2_000_000)[0] == 0
    assert guard("one", count=2_000_000)[0] == 1


def test_instructions_of_another_compiler_are_not_compared(guard):
    code, text = guard(version="13", count=5)
    assert code == 77 and "g++ 12, -O2" in text and "g++ 13, -O2" in text
    assert guard("--update", "one", version="13")[0] == 2, "the rest of the record would be the other compiler's"
    assert guard("--update", version="13", count=5)[0] == 0
    assert guard(version="13", count=5)[0] == 0


def test_instructions_are_not_counted_where_that_cannot_be(guard, tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    for tool in ("env", "python3"):
        (alone / tool).symlink_to(Path("/usr/bin") / tool)
    code, text = guard(path=alone)
    assert code == 77 and "valgrind is missing" in text
    cache = guard.build / "CMakeCache.txt"
    cache.write_text(cache.read_text().replace("Release", "RelWithDebInfo", 1))
    code, text = guard()
    assert code == 77 and "RelWithDebInfo" in text


@pytest.fixture
def program(tmp_path):
    """A gputlm whose results depend on $FAULTY's value where that option is given."""
    return script(tmp_path / "gputlm", r'''
case "$*" in
  "list gpus") printf 'gpu\nsmall\n'; exit;;
  "list policies") printf 'parameter policy\nsm.warp_scheduler lrr\n'; exit;;
  "list experiments") printf 'name\na/b\na/c\n'; exit;;
  "run --help") echo "--window --threads"; exit;;
  "reproduce --help") echo "--window"; exit;;
esac
result=same
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2;;
    --window) [ "$2" != 9 ] || { echo "--window: found 9, allowed: less" >&2; exit 2; };;
  esac
  [ "$1 $2" != "$FAULTY" ] || result=other
  shift
done
echo "$result" >"$out/result.json"
date +%N >"$out/performance.json"
''')


def test_same_results_are_told_from_others(program):
    code, text = call("scripts/same-results", program, "--random", 4)
    assert code == 0, text
    rows = {line.split()[0]: line.split() for line in text.splitlines()[1:]}
    assert rows["experiments"][1:3] == ["2", "6"] and "no such option" in text
    assert rows["random"][2:4] == ["4", "24"], "windows 1, 3, default with 1 and 2 threads"
    code, text = call("scripts/same-results", program, "--random", 4, FAULTY="--threads 2")
    assert code == 1 and "random-1: window=1 threads=2 differs from window=1 threads=1 in result.json" in text
    assert "a-b:" not in text, "experiments have no threads"
    code, text = call("scripts/same-results", program, "--random", 1, FAULTY="--window 3")
    assert code == 1 and "a-b: window=3 differs from window=1 in result.json, stdout" not in text
    assert "a-b: window=3 differs from window=1 in result.json" in text


def test_programs_are_compared_too(program, tmp_path):
    other = script(tmp_path / "other", f'FAULTY="--gpu small" exec {program} "$@"\n')
    code, text = call("scripts/same-results", program, program, "--random", 2)
    assert code == 0 and text.splitlines()[1].split()[1:3] == ["2", "12"], text
    code, text = call("scripts/same-results", program, other, "--random", 2, "--axis", "threads=1")
    assert code == 1 and f"random-1: program={other} threads=1 differs from program={program} threads=1" in text, text
    assert "a-b:" not in text


def test_windows_that_a_gpu_does_not_have_are_left_out(program):
    code, text = call("scripts/same-results", program, "--random", 2, "--experiments", "none", "--axis", "window=1,9,default")
    assert code == 0 and "refused" in text
    assert text.splitlines()[1].split()[2:4] == ["2", "4"]


def test_beside_others_nothing_is_compared_where_nothing_is_installed():
    code, text = call("benchmarks/beside")
    assert code == 77 and "ACCEL_SIM, RAMULATOR, DRAMSYS, DRAMSIM3" in text and "nothing to compare with" in text


def test_beside_others_ratios_are_of_pairs(tmp_path):
    ours = script(tmp_path / "ours", "i=0; while [ $i -lt 8000 ]; do i=$((i+1)); done\n")
    other = script(tmp_path / "other", '[ -s "$1" ] || exit 3\ni=0; while [ $i -lt 60000 ]; do i=$((i+1)); done\n')
    code, text = call("benchmarks/beside", "--program", ours, "--pairs", 3, RAMULATOR=f"{other} {{trace}}")
    assert code == 0, text
    rows = [line for line in text.splitlines() if line.startswith("RAMULATOR")]
    assert len(rows) == 2
    for row in rows:
        pairs, median, least, most = row.split()[-4:]
        assert pairs == "3" and 2 < float(least) <= float(median) <= float(most)
    code, text = call("benchmarks/beside", "--program", ours, "--pairs", 1, RAMULATOR="false")
    assert code == 2 and "exit code 1: false" in text
