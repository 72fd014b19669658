"""The package as its users get it: types, installation, the example."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]


def test_types_are_strict(tmp_path):
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=SOURCE / "python", capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_pip_installs_it_without_a_network(tmp_path):
    pytest.importorskip("pip")
    shutil.copytree(SOURCE / "python", tmp_path / "python")  # a build may leave files there
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target",
         tmp_path / "site", tmp_path / "python"],
        check=True,
    )  # fmt: skip
    said = subprocess.run(
        [sys.executable, "-c", "import gputlm; print(gputlm.__file__, gputlm.version())"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith(str(tmp_path / "site/gputlm/__init__.py"))
    assert (tmp_path / "site/gputlm/py.typed").is_file()


def test_the_example_runs(tmp_path):
    said = subprocess.run(
        [sys.executable, SOURCE / "examples/python/slowdowns.py", tmp_path / "picture.svg"],
        env={**os.environ, "PYTHONPATH": str(SOURCE / "python")},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = re.findall(r"^(.+?) +(\d\.\d\d) +(\d\.\d\d)$", said.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == ["leftover", "mpmax", "srtf", "time slices"]
    assert all(float(slowdown) >= 1 for row in rows for slowdown in row[1:])
    assert (tmp_path / "picture.svg").is_file() or "without matplotlib" in said.stderr


def test_what_the_documentation_shows_runs(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = (SOURCE / "docs/python.md").read_text()
    shown = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(shown) == 3
    names = {}
    for code in shown:
        exec(code, names)
    assert names["result"].complete
    assert (tmp_path / "camera.yaml").is_file()
    assert names["study"].applications.slowdown.min() >= 1
    names["gputlm"].report({"one": names["result"], "the other": names["result"]}, tmp_path / "page.html")
    assert "the other" in (tmp_path / "page.html").read_text()
