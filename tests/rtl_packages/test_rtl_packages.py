"""Three lists name the files of rtl/: filelist.f, FuseSoC's gputlm.core and Bender.yml. Each has all of them, a file after
those that it needs, and Verilator lints each list. Neither FuseSoC nor Bender is a package of Debian: their files are
compared with what their manuals say of the keys that we use (CAPI2, Bender's manifest)."""

import os
import pathlib
import re
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
CORE = yaml.safe_load((RTL / "gputlm.core").read_text(encoding="utf-8"))
BENDER = yaml.safe_load((ROOT / "Bender.yml").read_text(encoding="utf-8"))
LINT_TARGETS = [name for name in CORE["targets"] if name != "default"]


def of_target(target):
    """Names of the files of a target of the core, and of its headers."""
    files, headers = [], []
    for fileset in CORE["targets"][target]["filesets"]:
        for entry in CORE["filesets"][fileset]["files"]:
            if isinstance(entry, str):
                files.append(entry)
            else:
                [(name, options)] = entry.items()
                assert options == {"is_include_file": True}
                headers.append(name)
    return files, headers


def of_bender():
    [group] = BENDER["sources"]
    assert set(group) == {"include_dirs", "files"}
    return [str((ROOT / name).relative_to(RTL)) for name in group["files"]], group["include_dirs"]


def of_filelist():
    return [line for line in (RTL / "filelist.f").read_text(encoding="utf-8").split() if not line.startswith("+")]


LISTS = {"filelist.f": of_filelist(), "gputlm.core": of_target("default")[0], "Bender.yml": of_bender()[0]}


def code(name):
    return re.sub(r"//.*", "", (RTL / name).read_text(encoding="utf-8"))


def verilator(top, *arguments):
    result = subprocess.run([os.environ.get("VERILATOR", "verilator"), "--lint-only", "--top-module", top, *arguments],
                            cwd=RTL, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("names", LISTS.values(), ids=LISTS)
def test_a_list_has_exactly_the_modules_of_the_folder(names):
    assert sorted(names) == sorted(path.name for path in RTL.glob("*.sv"))


@pytest.mark.parametrize("names", LISTS.values(), ids=LISTS)
def test_a_file_stands_after_those_that_it_needs(names):
    modules = {path.stem for path in RTL.glob("*.sv")}
    for i, name in enumerate(names):
        needs = modules & set(re.findall(r"\w+", code(name))) - {pathlib.Path(name).stem}
        assert needs <= {pathlib.Path(earlier).stem for earlier in names[:i]}, name


def test_the_core_has_exactly_the_headers_of_the_folder():
    assert sorted(of_target("default")[1]) == sorted(path.name for path in RTL.glob("*.svh"))


def test_macros_have_a_prefix_that_nobody_else_has():
    for path in [*RTL.glob("*.sv"), *RTL.glob("*.svh")]:
        for macro in re.findall(r"`define\s+(\w+)", code(path.name)):
            assert macro.startswith("GPUTLM_"), path.name


def test_every_top_has_a_lint_target():
    files = of_filelist()
    used = {word for name in files for word in re.findall(r"\w+", code(name)) if word != pathlib.Path(name).stem}
    tops = {pathlib.Path(name).stem for name in files} - used
    assert tops <= {CORE["targets"][target]["toplevel"] for target in LINT_TARGETS}


@pytest.mark.parametrize("target", LINT_TARGETS)
def test_verilator_lints_a_target(target):
    """With the file sets of that target alone."""
    top = CORE["targets"][target]["toplevel"]
    [(tool, options)] = CORE["targets"][target]["tools"].items()
    assert (tool, options["mode"]) == ("verilator", "lint-only")
    assert "-Wall" in options["verilator_options"]
    verilator(top, *options["verilator_options"], "+incdir+.", *of_target(target)[0])
    # FuseSoC hands a parameter to Verilator as -G.
    text = code(top + ".sv")
    for name in CORE["targets"][target]["parameters"]:
        value = re.search(rf"parameter\s+int unsigned\s+{name}\s*=\s*(\d+)", text)
        assert value, f"{top} has no number {name}"
        verilator(top, *options["verilator_options"], f"-G{name}={value[1]}", "+incdir+.", *of_target(target)[0])


@pytest.mark.parametrize("top", sorted({CORE["targets"][target]["toplevel"] for target in LINT_TARGETS}))
def test_verilator_lints_benders_list(top):
    names, folders = of_bender()
    verilator(top, "-Wall", *(f"+incdir+{ROOT / folder}" for folder in folders), *names)


def test_the_core_has_the_form_of_capi2():
    assert (RTL / "gputlm.core").read_text(encoding="utf-8").startswith("CAPI=2:\n")
    assert set(CORE) == {"CAPI=2", "name", "description", "license", "filesets", "parameters", "targets"}
    version = re.search(r"project\(gputlm VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    assert CORE["name"].split(":") == ["gputlm", "rtl", "schedulers", version]
    for fileset in CORE["filesets"].values():
        assert set(fileset) == {"files", "file_type"}
        assert fileset["file_type"] == "systemVerilogSource"
    for parameter in CORE["parameters"].values():
        assert set(parameter) == {"datatype", "paramtype", "description"}
        assert (parameter["datatype"], parameter["paramtype"]) == ("int", "vlogparam")
    for target in CORE["targets"].values():
        assert set(target) <= {"description", "default_tool", "filesets", "toplevel", "parameters", "tools"}
        assert set(target["filesets"]) <= set(CORE["filesets"])
        assert set(target.get("parameters", [])) <= set(CORE["parameters"])
    used = {name for target in CORE["targets"].values() for name in target.get("parameters", [])}
    assert used == set(CORE["parameters"])


def test_the_manifest_has_the_form_of_bender():
    assert set(BENDER) == {"package", "sources"}
    assert set(BENDER["package"]) == {"name", "authors", "description"}
    assert all(isinstance(author, str) for author in BENDER["package"]["authors"])
