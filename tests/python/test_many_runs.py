"""Several runs at once, and sweeps."""

import pytest

import gputlm


def runs(kernel, grids):
    return [
        gputlm.Run(gputlm.Workload.side_by_side([gputlm.Kernel("k", grid, 64, kernel.program)]), gpu="tx2") for grid in grids
    ]


def test_results_are_in_the_order_of_the_runs(kernel):
    seen = []
    results = gputlm.run_all(runs(kernel, [400, 4, 40]), jobs=3, progress=lambda done, of: seen.append((done, of)))
    assert [len(result.blocks) for result in results] == [400, 4, 40]
    assert seen == sorted(seen) and seen[-1] == (3, 3)


def test_an_error_ends_the_other_runs(kernel, endless):
    with pytest.raises(gputlm.InputError, match="^run 4: --set sms=0: sms: found '0'"):
        gputlm.run_all([gputlm.Run(endless)] * 3 + [gputlm.Run(endless, settings={"sms": 0})] + [gputlm.Run(endless)], jobs=4)


def test_finished_runs_are_kept(tmp_path, workload, kernel):
    def folders():
        return {path.name for path in (tmp_path / "kept").iterdir()}

    (tmp_path / "w.yaml").write_text(workload.to_json())
    (tmp_path / "gpu.yaml").write_text("extends: tx2\n")
    several = [
        gputlm.Run(workload, gpu="tx2"),
        gputlm.Run(workload, gpu="tx2", seed=2),
        gputlm.Run(workload, gpu="tx2", settings={"sm.warp_scheduler": "gto"}),
        gputlm.Run(workload, gpu="xavier"),
        gputlm.Run(workload, gpu=tmp_path / "gpu.yaml"),
        gputlm.Run(workload, gpu={"extends": "tx2"}),
        gputlm.Run(tmp_path / "w.yaml", gpu="tx2"),
    ]
    first = gputlm.run_all(several, keep=tmp_path / "kept")
    before = folders()
    again = gputlm.run_all(several, keep=tmp_path / "kept")
    assert folders() == before
    assert [one.performance for one in first] == [one.performance for one in again], "how long they took"
    assert [one.cycles for one in first] == [gputlm.run(one.workload, gpu=one.gpu, settings=one.settings, seed=one.seed).cycles for one in several]
    # A workload in a file and one that is built are the same; all others differ.
    assert len(before) == len(several) - 1
    (tmp_path / "gpu.yaml").write_text("extends: xavier\n")
    (changed,) = gputlm.run_all([several[4]], keep=tmp_path / "kept")
    assert changed.configuration["sms"] == 8
    assert len(folders()) == len(before) + 1


@pytest.mark.parametrize("variant", ["", "#one"])
def test_a_kept_run_is_of_what_its_files_name(tmp_path, kernel, variant):
    (tmp_path / "sub").mkdir()
    outer = tmp_path / "outer.yaml"
    outer.write_text("applications: [{workload: sub/inner.yaml}]\nvariants: {one: {}}\n")

    def blocks(grid):
        inner = gputlm.Workload.side_by_side([gputlm.Kernel("k", grid, 64, kernel.program)])
        (tmp_path / "sub" / "inner.yaml").write_text(inner.to_json())
        (result,) = gputlm.run_all([gputlm.Run(f"{outer}{variant}", gpu="tx2")], keep=tmp_path / "kept")
        return len(result.blocks)

    assert [blocks(8), blocks(8), blocks(40)] == [8, 8, 40]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_runs_have_all_that_a_run_has(workload, endless):
    one, ended = gputlm.run_all([
        gputlm.Run(workload, probes=["commands"], series="1us", options=["--check-protocol"]),
        gputlm.Run(endless, max_cycles=1000),
    ])
    assert len(one.blocks) == 8 and len(one.series) > 0 and (one.folder / "commands.csv").is_file()
    assert not ended.complete


def test_a_sweep_is_that_of_the_program(frames, tmp_path, kernel, workload):
    two = gputlm.Workload.side_by_side([kernel, gputlm.Kernel("other", 4, 64, kernel.program)])
    result = gputlm.sweep(
        {"one": workload, "two": two},
        gpus=["tx2"],
        settings={"work_distributor.dispatch_width": 2},
        vary={"work_distributor.kernel_order": ["leftover", "srtf"]},
        seeds=[1, 2],
        alone=True,
        options=["--cache", str(tmp_path / "cache")],
    )
    table = result.applications
    assert len(table) == 2 * 2 * (1 + 2)
    assert list(table["application"])[:6] == ["k", "k", "k", "other", "k", "other"]
    assert set(table["work_distributor.kernel_order"]) == {"leftover", "srtf"}
    assert len(result.launches) == len(table)
    of_workloads = "SELECT workload, COUNT(*) AS runs FROM runs JOIN points USING (point) WHERE seed = ? GROUP BY workload"
    runs = result.query(of_workloads, [2])
    assert list(runs.columns) == ["workload", "runs"]
    assert list(runs["workload"]) == ["one.yaml", "two.yaml"]
    with pytest.raises(gputlm.Error, match="there is no nothing.csv; there are applications.csv, launches.csv"):
        result.table("nothing")


def test_a_sweep_that_is_wrong_has_the_message_of_the_program(tmp_path, workload):
    with pytest.raises(gputlm.InputError, match=r"sweep.yaml:\d+: .*'no_such'"):
        gputlm.sweep({"w": workload}, vary={"sm.warp_scheduler": ["no_such"]}, options=["--cache", str(tmp_path)])


def test_sharing_is_that_of_the_program(tmp_path, kernel):
    programs = {name: gputlm.Workload.side_by_side([gputlm.Kernel("k", grid, 64, kernel.program)]) for name, grid in (("a", 400), ("b", 40))}
    shared = gputlm.share(programs, gpu="xavier", ways=["streams", "apart"], keys={"b.priority": 0}, out=tmp_path / "out",
                          more_ways={"apart": {"applications": [{"name": "a", "sms": "0-5"}, {"name": "b", "sms": "6-7"}]}})
    ways = list(shared.ways["way"])
    assert ways == ["alone", "alone", "streams", "streams", "apart", "apart"]
    assert list(shared.ways["throughput_over_alone"])[:2] == [1, 1]
    assert set(shared.losses["program"]) <= {"a", "b"}
    with pytest.raises(gputlm.InputError, match="no way 'msp'"):
        gputlm.share(programs, ways=["msp"])
