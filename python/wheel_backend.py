"""The build backend of this package (PEP 517, PEP 660): needs nothing but Python, so `pip install ./python` asks no package
index. What it makes of pyproject.toml is a wheel of the files of gputlm/ (Python Packaging User Guide, "Binary distribution
format")."""

import base64
import hashlib
import pathlib
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent


def _project():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[project]")[1].split("\n[")[0]
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', text, re.M))


def _metadata(project):
    return (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
        f"License: Apache-2.0\nRequires-Python: {project['requires-python']}\nProvides-Extra: frames\n"
        "Requires-Dist: pandas; extra == 'frames'\nDescription-Content-Type: text/markdown\n\n"
        + (ROOT / project["readme"]).read_text(encoding="utf-8")
    )


def _wheel(folder, files):
    """`files`: content by name."""
    project = _project()
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": _metadata(project).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: gputlm\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    with zipfile.ZipFile(pathlib.Path(folder) / f"{name}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
            wheel.writestr(path, content)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return f"{name}-py3-none-any.whl"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = [path for path in sorted((ROOT / "gputlm").rglob("*")) if path.suffix == ".py" or path.name == "py.typed"]
    return _wheel(wheel_directory, {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {"gputlm.pth": f"{ROOT}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    name = f"{project['name']}-{project['version']}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for part in ("pyproject.toml", "README.md", "wheel_backend.py", "gputlm"):
            archive.add(ROOT / part, f"{name}/{part}", filter=lambda entry: None if "__pycache__" in entry.name else entry)
    return f"{name}.tar.gz"
