"""The schemas of `gputlm schema` against the readers of the program: a schema refuses nothing that the reader takes, and
what only the reader refuses is of a kind that docs/schemas.md lists.

GPUTLM and GPUTLM_VERDICTS name the program and tests/schemas/verdicts.cpp. GPUTLM_MUTANTS: how many for each document.
"""

import copy
import json
import os
import random
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

SOURCE = Path(__file__).resolve().parents[2]
DOCUMENTS = SOURCE / "tests/schemas/documents"
KINDS = ("workload", "gpu", "dram", "study")
MUTANTS = int(os.environ.get("GPUTLM_MUTANTS", "20"))

# What a schema cannot say, by what the reader says. docs/schemas.md has the same list in words.
BEYOND_A_SCHEMA = [
    # Names that must be somewhere else, or nowhere else; files that must be there.
    r"no (kernel|stream of the application|managed memory|address pattern of this kernel) is named|is not allocated",
    r"names (of events )?must differ|labels must differ|is allocated already|is recorded a second time",
    r"is given twice|found a second value",
    # What belongs together in a kernel and its launches.
    r"do not divide the grid of|of a cluster must|a cluster of \d+ blocks|programmatic_dependent_launch",
    # What is in a trace.
    r"numbers of launches from 1 on|but the trace has launch|has neither a launch list|names no kernel trace",
    r"cannot be (opened|read)|no preset '",
    # What is in a capture.
    r"\.capture: .*(the selected part is empty|the devices with kernels in|no (process|range|thread) is called|is no capture)",
    # What is in another workload file.
    r"\.workload: .*(the file has (several applications|managed memory)|is a trace there|the application itself comes from)",
    r"\.application: the file has no application '",
    # What is in a text of a study, and that a workload is one.
    r"/small:\d+: |'workloads' does not name it",
    # What is in a profile.
    r"\.profile(\[\d+\])?: .*has no table of Nsight Compute",
    # What is in a table of releases.
    r"has no column '|found a release \d+ us after the first",
    # What the streams of an application do, all together.
    r"a second stream of the application is its default stream",
    r"no thread calls stream|a thread calls stream|no call records|wait for each other",
    r"nothing is launched|launches nothing that could|neither a kernel nor a copy in the job",
    r"the jobs of task '[^']*' have different (deadlines|min_interarrival_us|criticalities)|\(min_interarrival_us\)",
    # What of a job is beyond its budget, and whose jobs have one.
    r"none of the job's commands is 'beyond_budget'|only jobs of criticality hi may go beyond|launch beyond the budget",
    r"the launch has no 'wcet_us' with 'hi'|does more than spin|found less than (lo|shortest_)",
    # What a set of tasks adds up to.
    r"found more than the number of tasks|no set of \d+ tasks with a utilisation|the set has \d+ jobs",
    # Sums, products, orders and multiples of several values.
    r"threads, but at most|blocks, but at most 2\^32|more than \d+ values",
    r"the last release would be|found a release before the previous one",
    r"\.phase: found|\.last: found|allowed: the id of an? |warps \d+ to \d+ of a block",
    r"addresses have 47 bits|go below 0|beyond 2\^47|no addresses are left|, but '\w+' has \d+( bytes)?$|but at most 2\^47",
    r"multiple of the access width|the time is 0, but must be positive",
    r"distance is \d+, but at most|past register 254|nested (more|too deep)|more than \d+ instructions",
    r"units, but \d+, one for each block|stands once in a program",
    # Who is in a cluster, and what its blocks can divide.
    r"of the cluster, but it has \d+|memory of the cluster|cannot fetch equal parts|but multiples of 16 are allowed",
    # A size with a unit, or a name, that is too large.
    r"found '[^']*(KiB|MiB|GiB)'",
    r"allowed: text of 1 to 200 bytes",
    # Parameters that contradict each other.
    r"(must|may) .*; found ",
]


class Loader(yaml.SafeLoader):
    """Numbers as in YAML 1.2, which editors read: 3.6e9 is one."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$"), list("-+.0123456789")
)


def load(text):
    return yaml.load(text, Loader)


def output_of(*command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout


@pytest.fixture(scope="session")
def schemas():
    return {kind: json.loads(output_of(os.environ["GPUTLM"], "schema", kind)) for kind in KINDS}


def verdicts(kind, documents):
    """What the reader says of each: (accepted, message)."""
    lines = "".join(
        json.dumps({"kind": kind, "text": json.dumps(document, ensure_ascii=False)}) + "\n" for document in documents
    )
    said = [json.loads(line) for line in output_of(os.environ["GPUTLM_VERDICTS"], text=lines).splitlines()]
    return [(one["accepted"], one["message"]) for one in said]


def documents(kind):
    return [(path, load(path.read_text())) for path in sorted((DOCUMENTS / kind).glob("*.yaml"))]


def check_agreement(schema, kind, candidates):
    """Counts how many both refuse, and how many only the reader does."""
    validator = jsonschema.Draft7Validator(schema)
    both = reader_only = 0
    wrong = []
    for candidate, (accepted, message) in zip(candidates, verdicts(kind, candidates)):
        allowed = validator.is_valid(candidate)
        if accepted and not allowed:
            why = jsonschema.exceptions.best_match(validator.iter_errors(candidate)).message
            wrong.append(f"the reader takes what the schema refuses: {why}\n{json.dumps(candidate)}")
        elif allowed and not accepted:
            reader_only += 1
            if not any(re.search(beyond, message) for beyond in BEYOND_A_SCHEMA):
                wrong.append(f"the schema takes what the reader refuses: {message}\n{json.dumps(candidate)}")
        elif not allowed:
            both += 1
    assert not wrong, f"{len(wrong)} disagreements:\n" + "\n".join(wrong[:10])
    return both, reader_only


# --- The command ---


def test_an_unknown_kind_is_told_of():
    said = subprocess.run([os.environ["GPUTLM"], "schema", "gpus"], capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr == "gputlm: there is no schema 'gpus'; did you mean 'gpu'? allowed: dram, gpu, study, workload\n"


def test_a_folder_takes_all_schemas(schemas, tmp_path):
    output_of(os.environ["GPUTLM"], "schema", "--out", str(tmp_path / "schema"))
    written = {path.name: json.loads(path.read_text()) for path in (tmp_path / "schema").iterdir()}
    assert written == {f"{kind}.json": schemas[kind] for kind in KINDS}


# --- Files that are right ---


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_itself(schemas, kind):
    jsonschema.Draft7Validator.check_schema(schemas[kind])


def shipped(kind):
    if kind == "gpu":
        return sorted((SOURCE / "platform/input/presets").glob("*.yaml"))
    if kind == "dram":
        return sorted((SOURCE / "platform/input/presets/dram").glob("*.yaml"))
    files = sorted((SOURCE / "workloads").rglob("*.yaml")) + sorted((SOURCE / "examples").rglob("*.yaml"))
    key = "workloads" if kind == "study" else "kernels"
    return [path for path in files if key in load(path.read_text())]


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_file_is_taken_by_its_schema(schemas, kind):
    files = shipped(kind)
    assert files
    for path in files:
        jsonschema.Draft7Validator(schemas[kind]).validate(load(path.read_text()))


def test_the_configuration_of_a_result_is_a_gpu_file(schemas):
    workload = SOURCE / "examples/probes/workload.yaml"
    result = json.loads(output_of(os.environ["GPUTLM"], "run", str(workload), "--json", "--gpu", "tx2"))
    jsonschema.Draft7Validator(schemas["gpu"]).validate(result["configuration"])


# --- The same keys ---


def resolve(schema, root):
    while "$ref" in schema:
        schema = root["definitions"][schema["$ref"].split("/")[-1]]
    return schema


def forms_for(schema, instance, root):
    """The forms without alternatives that the instance is taken by."""
    schema = resolve(schema, root)
    if "anyOf" not in schema:
        return [schema]
    alternatives = [
        one
        for one in schema["anyOf"]
        if jsonschema.Draft7Validator({"definitions": root["definitions"], "allOf": [one]}).is_valid(instance)
    ]
    return [form for one in alternatives for form in forms_for(one, instance, root)]


def mappings(schema, instance, root, path=()):
    """Every mapping of the instance, with its path and the form that takes it."""
    for form in forms_for(schema, instance, root):
        if isinstance(instance, dict):
            yield path, instance, form
            for key, value in instance.items():
                inner = form.get("properties", {}).get(key, form.get("additionalProperties"))
                if isinstance(inner, dict):
                    yield from mappings(inner, value, root, path + (key,))
        elif isinstance(instance, list):
            for index, value in enumerate(instance):
                items = form.get("items", {})
                yield from mappings(items[index] if isinstance(items, list) else items, value, root, path + (index,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def with_another_key(document, place, form):
    changed = copy.deepcopy(document)
    inner = at(changed, place)
    if form.get("maxProperties") == 1:  # an instruction
        inner.clear()
    inner["z" * 20] = [1] if place[-1:] == ("vary",) else 1
    return changed


@pytest.mark.parametrize("kind", ["workload", "study"])
def test_schema_and_reader_know_the_same_keys(schemas, kind):
    """Of each mapping of the documents: the reader lists the keys that it knows when it meets another."""
    schema, seen = schemas[kind], set()
    for path, document in documents(kind):
        found = [
            (place, form)
            for place, _, form in mappings(schema, document, schema)
            if form.get("additionalProperties") is False  # else keys are free
        ]
        said = verdicts(kind, [with_another_key(document, place, form) for place, form in found])
        for (place, form), (accepted, message) in zip(found, said):
            assert not accepted
            known = set(form["properties"])
            seen.add(frozenset(known))
            if kind == "study" and place and place[-1] in ("set", "vary"):
                assert "no parameter 'zzzz" in message
                continue
            if form.get("maxProperties") == 1:
                known |= {"barrier", "cluster_barrier", "cluster_arrive", "cluster_arrive_relaxed", "cluster_wait"}  # which are in no part for some warps
            listed = re.search(r"unknown (?:key|instruction) '.*'; allowed: (.*)$", message)
            assert listed, f"{path.name}, {place}: {message}"
            listed = set(listed.group(1).split(", "))
            assert known <= listed, f"{path.name}, {place}"
            refused = {"stream", "deadline_us", "dst", "work", "beyond_budget", "relaunch"}  # with a reason
            assert listed - known <= refused, f"{path.name}, {place}"
    forms = {frozenset(form["properties"]) for form in every_mapping(schema)}
    assert forms == seen, "mappings of the schema that no document has"


def every_mapping(schema):
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False:
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            yield from every_mapping(inner)


def test_the_documents_have_every_key_of_workloads(schemas):
    used = set()
    for _, document in documents("workload"):
        for _, mapping, _ in mappings(schemas["workload"], document, schemas["workload"]):
            used |= set(mapping)
    known = set().union(*(form["properties"] for form in every_mapping(schemas["workload"])))
    assert known - used == set()


def test_the_schema_of_gpus_has_every_parameter_nested_and_with_dots(schemas):
    listed = json.loads(output_of(os.environ["GPUTLM"], "list", "parameters", "--json"))["parameters"]
    validator = jsonschema.Draft7Validator(schemas["gpu"])
    assert len(listed) > 100
    for parameter in listed:
        key, value = parameter["key"], parameter["value"]
        validator.validate({key: value})
        nested = value
        for step in reversed(key.split(".")):
            nested = {step: nested}
        validator.validate(nested)
        assert not validator.is_valid({key: {}}) and not validator.is_valid({key + "_": value})


# --- Files that are wrong ---

VALUES = [None, True, False, -1, 0, 1, 2, 3, 0.5, 1e30, "x", "", "k", "s", "4KiB", "0-1", "a\tb", [], [1], [1, 2, 3, 4], {}, {"x": 1}]


def bounds(schema):
    """Numbers at the bounds of the schema's forms, and just beyond; its names."""
    found = set()
    if isinstance(schema, dict):
        for key in ("minimum", "maximum", "multipleOf"):
            if isinstance(schema.get(key), (int, float)) and abs(schema[key]) < 2**60:
                found |= {schema[key] - 1, schema[key], schema[key] + 1}
        found |= {name for name in schema.get("enum", []) if isinstance(name, (str, int))}
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            found |= bounds(inner)
    # A whole number that is written as 4.0 is one for a schema, but not for the reader.
    return {int(one) if isinstance(one, float) and one == int(one) else one for one in found}


def numbers_in(form, root):
    """The forms of numbers among the alternatives of a form."""
    form = resolve(form, root)
    if "maximum" in form:
        yield form
    for one in form.get("anyOf", []):
        yield from numbers_in(one, root)


@pytest.mark.parametrize("kind", ["workload", "gpu", "dram"])
def test_reader_and_schema_have_the_same_bounds(schemas, kind):
    """Each number of the documents at its bounds and just beyond."""
    schema, candidates, seen = schemas[kind], [], set()
    for _, document in documents(kind):
        for place, mapping, form in mappings(schema, document, schema):
            for key in mapping:
                for number in numbers_in(form.get("properties", {}).get(key, {}), schema):
                    least, most = number["minimum"], number["maximum"]
                    if (key, least, most) in seen:
                        continue
                    seen.add((key, least, most))
                    for value in (least - 1, least, most, most + 1) if most < 2**60 else (least - 1, least):
                        changed = copy.deepcopy(document)
                        at(changed, place)[key] = int(value) if value == int(value) else value
                        candidates.append(changed)
    assert len(seen) > 3
    check_agreement(schema, kind, candidates)


@pytest.mark.parametrize("kind", ["workload", "study"])
def test_reader_and_schema_need_the_same_keys(schemas, kind):
    """Each key of the documents left out, and in turn with a mapping, a list and nothing as its value."""
    schema, candidates, seen = schemas[kind], [], set()
    for _, document in documents(kind):
        for place, mapping, form in mappings(schema, document, schema):
            of = frozenset(form.get("properties", {}))
            for key in mapping:
                if (of, key) in seen:
                    continue
                seen.add((of, key))
                changed = copy.deepcopy(document)
                del at(changed, place)[key]
                candidates.append(changed)
                changed = copy.deepcopy(document)
                at(changed, place)[key] = ({}, [], None)[len(seen) % 3]
                candidates.append(changed)
    check_agreement(schema, kind, candidates)


def places(document, path=()):
    if path:
        yield path
    inner = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for step, value in inner:
        yield from places(value, path + (step,))


def mutant(document, numbers, draw):
    changed = copy.deepcopy(document)
    path = draw.choice(list(places(document)))
    parent, step = at(changed, path[:-1]), path[-1]
    kind = draw.choice(("value", "value", "value", "bound", "bound", "drop", "rename", "add", "twice"))
    if kind == "value":
        parent[step] = copy.deepcopy(draw.choice(VALUES))
    elif kind == "bound":
        parent[step] = draw.choice(numbers)
    elif kind == "drop":
        del parent[step]
    elif kind == "rename" and isinstance(parent, dict):
        parent[draw.choice(("zzzz", *(str(other) for other in parent)))] = parent.pop(step)
    elif kind == "twice" and isinstance(parent, list):
        parent.insert(step, copy.deepcopy(parent[step]))
    else:
        where = parent[step] if isinstance(parent[step], dict) else parent
        if isinstance(where, dict):
            where[draw.choice(("zzzz", "name", "label", "stream", "deadline_us", "repeat", "phase", "dst", "distance"))] = 1
        else:
            where.append(draw.choice(VALUES))
    return changed


@pytest.mark.parametrize("kind", KINDS)
def test_reader_and_schema_agree_on_mutants(schemas, kind):
    schema = schemas[kind]
    numbers = sorted(bounds(schema), key=str)
    both = reader_only = 0
    for path, document in documents(kind):
        draw = random.Random(path.name)
        some = MUTANTS if kind == "workload" else 5 * MUTANTS
        counts = check_agreement(schema, kind, [mutant(document, numbers, draw) for _ in range(some)])
        both, reader_only = both + counts[0], reader_only + counts[1]
    print(f"{kind}: both refuse {both}, only the reader {reader_only}")
    assert both > 3 * reader_only, "most of what is wrong is seen by the schema"


def texts_of_tests():
    """Workload files, good and bad, in the raw strings of the program's tests."""
    for path in sorted((SOURCE / "tests").rglob("*.cpp")):
        for text in re.findall(r'R"\w*\((.*?)\)\w*"', path.read_text(), re.DOTALL):
            try:
                document = load(text)
            except yaml.YAMLError:
                continue
            if isinstance(document, dict) and ("kernels" in document or "applications" in document):
                yield document


def test_reader_and_schema_agree_on_the_files_of_the_tests(schemas):
    texts = list(texts_of_tests())
    assert len(texts) > 15
    check_agreement(schemas["workload"], "workload", texts)
