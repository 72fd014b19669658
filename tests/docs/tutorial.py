#!/usr/bin/env python3
"""Carries out the commands of a page of the documentation, and compares their output.

    tutorial.py [--update] [--bin FOLDER] [--prefix FOLDER] PAGE.md

In the page, in its order, each in an empty folder of its own:
  <!-- file: NAME -->        the code block that follows is that file
  ```console                 lines that begin with `$ ` are run by bash, and must end with exit code 0; those below are what
                             they print to stdout: `...` in a line stands for any text, alone for any lines. A command
                             without lines below it may print what it likes.
  <!-- not run: WHY -->      the block that follows is not run

FOLDERs: that of the program, which goes first in PATH, and what `cmake --install` was given: $PREFIX to the commands.
$WORKLOADS is the folder of that name.
--update writes into the page what was printed where it differs. Exit code 1 if anything differs or fails.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\s*$")
NOTE = re.compile(r"^<!-- (file|not run): (.+) -->$")


def blocks(lines):
    """(language, note, first line, end) of each code block; note: (kind, text) of the comment before it."""
    start, note, language = None, None, ""
    for number, line in enumerate(lines):
        if start is None:
            if NOTE.match(line):
                note = NOTE.match(line).groups()
            elif FENCE.match(line):
                start, language = number + 1, FENCE.match(line).group(1)
            elif line.strip():
                note = None
        elif line.rstrip() == "```":
            yield language, note, start, number
            start, note = None, None
    if start is not None:
        raise SystemExit(f"line {start}: the code block has no end")


def commands(lines, start, end):
    """(command, first line and end of what it prints), a command with a backslash at its end going on."""
    number = start
    while number < end:
        if not lines[number].startswith("$ "):
            raise SystemExit(f"line {number + 1}: found output before a command")
        command = lines[number][2:]
        while command.endswith("\\"):
            number += 1
            command = command[:-1] + lines[number].strip()
        output = number + 1
        number = output
        while number < end and not lines[number].startswith("$ "):
            number += 1
        yield command, output, number


def pattern(expected):
    text = ""
    for line in expected:
        if line == "...":
            text += r"(?:.*\n)*?"
        else:
            text += r".*?".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.compile(text)


def check(page, update, environment):
    lines = page.read_text(encoding="utf-8").splitlines()
    written, replaced, wrong = [], [], 0
    with tempfile.TemporaryDirectory(prefix="gputlm-tutorial-") as folder:
        for language, note, start, end in blocks(lines):
            if note and note[0] == "file":
                path = pathlib.Path(folder, note[1])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(lines[start:end]) + "\n", encoding="utf-8")
                written.append(note[1])
                continue
            if language != "console" or note:
                continue
            for command, output, after in commands(lines, start, end):
                run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                place = f"{page}:{output}: $ {command}"
                if run.returncode != 0:
                    print(f"{place}\nends with exit code {run.returncode}\n{run.stdout}{run.stderr}", file=sys.stderr)
                    wrong += 1
                    continue
                printed = "".join(line.rstrip() + "\n" for line in run.stdout.splitlines())
                expected = lines[output:after]
                if expected and not pattern(expected).fullmatch(printed):
                    if update:
                        replaced.append((output, after, printed.splitlines()))
                    else:
                        print(f"{place}\nprints\n{printed}where the page has\n" + "\n".join(expected), file=sys.stderr)
                        wrong += 1
    for output, after, printed in reversed(replaced):
        lines[output:after] = printed
    if replaced:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{page}: {len(replaced)} outputs updated")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bin", default="")
    parser.add_argument("--prefix", default="")
    parser.add_argument("page", type=pathlib.Path, nargs="+")
    given = parser.parse_args()
    environment = dict(os.environ, PREFIX=given.prefix, WORKLOADS=str(ROOT / "workloads"), SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1", NO_COLOR="1")
    # What the reader's own files say is not for the test: no runs of earlier days, no plugins.
    environment["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="gputlm-tutorial-cache-")
    if given.bin:
        environment["PATH"] = os.path.abspath(given.bin) + ":" + environment["PATH"]
    wrong = sum(check(page, given.update, environment) for page in given.page)
    subprocess.run(["rm", "-rf", environment["XDG_CACHE_HOME"]], check=False)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
