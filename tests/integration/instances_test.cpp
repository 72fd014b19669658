// Instances of a GPU: an instance runs as if the others were empty, except for shared resources.

#include <gmock/gmock.h>

#include <optional>
#include <regex>

#include "tests/integration/program.h"
#include "tests/integration/random_workload.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

std::string replaced(const std::string& text, const std::string& what, const std::string& by) {
  return std::regex_replace(text, std::regex(what), by);
}

/// The kernels and applications of a random workload, whose names begin with `name`, in an instance.
struct Programs {
  Programs(std::uint64_t seed, const std::string& name, const std::string& instance) {
    std::string text = RandomWorkload(seed).text();
    text = replaced(text, "\\bk(\\d)", name + "$1");
    text = replaced(text, "(- name: )a(\\d\n)", "$1" + name + "$2    instance: " + instance + "\n");
    const std::size_t begin = text.find("kernels:\n") + 9, end = text.find("applications:\n");
    kernels = text.substr(begin, end - begin);
    applications = text.substr(end + 14);
  }
  std::string kernels, applications;
};

/// Copies beside them: within the device, or from the host.
std::string copying(const std::string& name, const std::string& instance, const std::string& keys, bool from_host) {
  return "  - name: " + name + "\n    instance: " + instance + keys +
         "\n    streams:\n      - name: s\n        commands:\n" +
         (from_host ? "          - {copy: host_to_device, to: 0x20000000, bytes: 256KiB}\n"
                    : "          - {copy: device_to_device, label: " + name +
                          "_c, from: 0x20000000, to: 0x21000000, bytes: 96KiB}\n"
                          "          - {memset: 64KiB, label: " +
                          name + "_m, to: 0x22000000}\n");
}

/// The subject has one GPC of three; `neighbours` are in the other instance. Without them, there is one that copies a
/// little: results know applications and streams by their numbers.
std::string workload(const Programs& subject, const std::optional<Programs>& neighbours) {
  return "instances:\n  own: {gpcs: 1, channels: 1}\n  other: {gpcs: 2, channels: 3}\n"
         "managed: {data: {bytes: 1MiB}}\nkernels:\n" +
         subject.kernels + (neighbours ? neighbours->kernels : "") + "applications:\n" +
         copying("n_first", "other", neighbours ? "\n    sm_percent: 50\n    time_slice_us: 1" : "",
                 neighbours.has_value()) +
         subject.applications + copying("t_copies", "own", "", false) + (neighbours ? neighbours->applications : "");
}

/// All that a run says of the subject's launches, copies and blocks; ids are numbers of the run, not of the subject.
std::string of_subject(const FinishedRun& run) {
  std::string text;
  const auto is_ours = [](const std::string& application) { return application[0] == 't'; };
  for (const char* list : {"kernels", "copies"}) {
    for (Json entry : run.result.value(list, Json::array())) {
      if (!is_ours(entry.at("application"))) continue;
      entry.erase("id");
      text += entry.dump() + "\n";
    }
  }
  for (const Json& application : run.result.at("applications")) {
    if (is_ours(application.at("name"))) text += application.value("engine", Json()).dump() + "\n";
  }
  for (const BlockRow& b : run.blocks) {
    if (!is_ours(b.application)) continue;
    text += b.kernel + " " + std::to_string(b.block) + " " + std::to_string(b.sm) + " " + std::to_string(b.start) +
            " " + std::to_string(b.end) + " " + std::to_string(b.slot) + "\n";
  }
  return text;
}

/// A small GPU of three GPCs, with policies and queues as they come.
Options random_gpu(std::uint64_t seed) {
  RandomWorkload random(seed);
  Options options = random.settings();
  const auto set = [&](const std::string& setting) { options.insert(options.end(), {"--set", setting}); };
  set("sms=6");
  set("sms_per_gpc=2");
  set("dram.channels=4");
  set("l2.partitions=" + random.one_of({"1", "2"}));
  set("work_distributor.application=" + random.one_of({"concurrent", "exclusive", "time_sliced", "partitioned"}));
  set("work_distributor.time_sliced.instruction_preemption=" + random.one_of({"true", "false"}));
  set("work_distributor.kernel_order=" + random.one_of({"leftover", "srtf", "fifo"}));
  set("copy_engine.sm_bytes=" + random.one_of({"0", "1024"}));
  if (random.one_of({"0", "1"}) == "1") {
    set("mmu.enabled=true");
    set("host_link.lanes=0");  // over which pages would migrate: it is shared
  } else {
    set("host_link.lanes=" + random.one_of({"0", "16"}));
  }
  return options;
}

class InstancesBesideRandomNeighbours : public testing::TestWithParam<std::uint64_t> {};

TEST_P(InstancesBesideRandomNeighbours, NotAByteOfAnInstanceChanges) {
  const std::uint64_t seed = GetParam();
  const TestFolder folder;
  const Options gpu = random_gpu(seed);
  const Programs subject(seed, "t", "own");
  const std::string alone = of_subject(run_workload(folder.write("alone.yaml", workload(subject, std::nullopt)), gpu));
  EXPECT_GT(alone.size(), 1000u);
  for (std::uint64_t other : {1000 + seed, 2000 + seed}) {
    const std::string text = workload(subject, Programs(other, "n", "other"));
    EXPECT_EQ(of_subject(run_workload(folder.write("beside.yaml", text), gpu)), alone) << "neighbours " << other;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, InstancesBesideRandomNeighbours, testing::Range<std::uint64_t>(1, 13));

const Options kThreeGpcs{"--set", "sms=6", "--set", "sms_per_gpc=2", "--set", "dram.channels=4"};

TEST(Instances, MeetInATlbThatTheySay) {
  const TestFolder folder;
  Options with_mmu = kThreeGpcs;
  with_mmu.insert(with_mmu.end(),
                  {"--set", "mmu.enabled=true", "--set", "mmu.tlb_entries=16", "--set", "host_link.lanes=0"});
  const auto text = [](bool neighbour, bool shared) {
    const std::string tlb = shared ? ", shared_tlb: true" : "";
    return "instances:\n  own: {gpcs: 1, channels: 1" + tlb + "}\n  other: {gpcs: 2, channels: 3" + tlb +
           "}\nkernels:\n  k: {grid: 8, block: 64, patterns: {r: {kind: random, footprint: 4MiB}}, program: [{loop: "
           "{count: 20, body: [{load: {pattern: r, dst: 4, src: 4}}]}}]}\n"
           "applications:\n  - {name: t, instance: own, streams: [{name: s, launches: [{kernel: k, label: t}]}]}\n" +
           (neighbour ? "  - {name: n, instance: other, streams: [{name: s, launches: [{kernel: k, label: n}]}]}\n"
                      : "");
  };
  const auto result = [&](bool neighbour, bool shared) {
    return of_subject(run_workload(folder.write("w.yaml", text(neighbour, shared)), with_mmu));
  };
  EXPECT_EQ(result(true, false), result(false, false));
  EXPECT_NE(result(true, true), result(false, true));
}

/// The first instance's SMs have the numbers of a GPU of that size.
TEST(Instances, AreGpusOfTheirSize) {
  const TestFolder folder;
  const std::string rest =
      "kernels:\n  k: {grid: 30, block: 128, patterns: {r: {kind: random, footprint: 4MiB}}, "
      "program: [{loop: {count: 5, body: [{load: {pattern: r, dst: 4}}, int]}}]}\n";
  const auto run = [&](const std::string& head, const std::string& key, const Options& options) {
    return of_subject(run_workload(folder.write("w.yaml", head + rest + "applications:\n  - {name: t, " + key +
                                                              "streams: [{name: s, launches: [k]}]}\n"),
                                   options));
  };
  const Options small{"--set", "sms=4",           "--set", "sms_per_gpc=2",
                      "--set", "dram.channels=2", "--set", "l2.bytes=512KiB"};
  const Options large{"--set", "sms=6", "--set", "sms_per_gpc=2", "--set", "dram.channels=4", "--set", "l2.bytes=1MiB"};
  EXPECT_EQ(run("instances: {own: {gpcs: 2, channels: 2}}\n", "instance: own, ", large), run("", "", small));
  EXPECT_NE(run("instances: {own: {gpcs: 2, channels: 1}}\n", "instance: own, ", large), run("", "", small));
}

TEST(Instances, DivideTheirSmsAmongTheirOwnApplications) {
  const TestFolder folder;
  const auto application = [](const std::string& name, const std::string& instance) {
    return "  - {name: " + name + ", instance: " + instance +
           ", sm_percent: 50, streams: [{name: s, launches: [k]}]}\n";
  };
  Options options = kThreeGpcs;
  options.insert(options.end(), {"--set", "work_distributor.application=partitioned"});
  const FinishedRun run =
      run_workload(folder.write("w.yaml",
                                "instances: {own: {gpcs: 1, channels: 1}, other: {gpcs: 2, channels: 3}}\n"
                                "kernels:\n  k: {grid: 9, block: 64, program: [int]}\napplications:\n" +
                                    application("n", "other") + application("t", "own")),
                   options);
  for (const BlockRow& block : run.blocks) {
    if (block.application == "t") {
      EXPECT_EQ(block.sm, 0u);
    } else {
      EXPECT_THAT(block.sm, testing::AnyOf(2u, 3u));
    }
  }
}

/// A copy that nobody disturbs is shortened (copy_engine.detail): a neighbour's kernel does not disturb it.
TEST(Instances, LetNoNeighbourDisturbACopyWithinThem) {
  const TestFolder folder;
  const std::string head =
      "instances: {own: {gpcs: 1, channels: 1}, other: {gpcs: 2, channels: 3}}\n"
      "kernels:\n  k: {grid: 60, block: 64, program: [{loop: {count: 900, body: [fp32]}}]}\napplications:\n"
      "  - {name: t, instance: own, streams: [{name: s, commands: [{host_us: 3}, {copy: device_to_device, label: c, "
      "from: "
      "0x10000000, "
      "to: 0x20000000, bytes: 12MiB, blocking: true}]}]}\n";
  const std::string neighbour = "  - {name: n, instance: other, streams: [{name: s, launches: [k]}]}\n";
  Options options = kThreeGpcs;
  options.insert(options.end(), {"--set", "copy_engine.detail=4MiB"});
  const FinishedRun alone = run_workload(folder.write("alone.yaml", head), options);
  const FinishedRun beside = run_workload(folder.write("beside.yaml", head + neighbour), options);
  EXPECT_EQ(of_subject(beside), of_subject(alone));
  for (const FinishedRun* run : {&alone, &beside})
    EXPECT_GT(run->result.at("copying").at("engines").at("passed_over_bytes").get<std::uint64_t>(), 0u);
}

/// What instances are for, on the GPU that has them: cycles of a task of random reads, alone and beside a hog.
TEST(Instances, KeepAHogOfMemoryAwayFromATaskOnAnA100) {
  const TestFolder folder;
  // The workload with a fifth of the hog's blocks: as it is, it takes half a minute (docs/instances.md has its figures).
  const std::string both = replaced(read_file(workload_file("instances.yaml")), "grid: 512", "grid: 100");
  const std::string alone = both.substr(0, both.find("  - name: hog\n"));
  const auto without = [](const std::string& text) {
    return replaced(replaced(text, "instances:\n  task: 3g\n  hog: 4g\n", ""), "    instance: (task|hog)\n", "");
  };
  const auto cycles = [&](const std::string& text) {
    const FinishedRun run = run_workload(folder.write("w.yaml", text), {"--gpu", "a100"});
    const Json& task = run.result.at("kernels").at(0);
    EXPECT_EQ(task.at("kernel"), "task");
    return task.at("end_cycle").get<double>() - task.at("first_block_cycle").get<double>();
  };
  EXPECT_LT(cycles(both), 1.02 * cycles(alone));
  EXPECT_GT(cycles(without(both)), 1.02 * cycles(without(alone)));
}

/// Files are in the order of time regardless of the window and the threads; blocks of both end within the same windows.
TEST(Instances, LeaveTheSameFilesWhateverTheWindow) {
  const TestFolder folder;
  const std::string file = folder.write(
      "w.yaml",
      "instances: {own: {gpcs: 1, channels: 1}, other: {gpcs: 2, channels: 3}}\nkernels:\n  k: {grid: 400, block: 64, "
      "variation: {spread: 0.5}, program: [{loop: {count: 9, varies: true, body: [fp32, int]}}]}\napplications:\n"
      "  - {name: a, instance: own, streams: [{name: s, launches: [{kernel: k, repeat: 2}]}]}\n"
      "  - {name: b, instance: other, streams: [{name: s, launches: [{kernel: k, repeat: 3}]}]}\n");
  Options options = kThreeGpcs;
  options.insert(options.end(), {"--set", "work_distributor.application=time_sliced", "--set",
                                 "work_distributor.time_sliced.time_slice_us=5", "--set", "mmu.enabled=true", "--probe",
                                 "slices", "--series", "2us"});
  const auto run = [&](const std::string& out, const Options& more) {
    Options all{"run", file, "--out", folder.path(out)};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_program(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  run("one", {});
  run("short", {"--window", "7"});
  run("threads", {"--threads", "2"});
  for (const char* name : {"blocks.csv", "predictions.csv", "slices.csv", "series.csv", "series_work_distributor.csv",
                           "kernels.csv", "timeline.json", "result.json"}) {
    const std::string one = read_file(folder.path(std::string("one/") + name));
    EXPECT_FALSE(one.empty());
    for (const char* other : {"short/", "threads/"})
      EXPECT_TRUE(read_file(folder.path(std::string(other) + name)) == one) << other << name;
  }
}

TEST(Instances, OfAGpuFileAreInTheResultWhichIsAGpuFile) {
  const TestFolder folder;
  const std::string gpu = folder.write(
      "gpu.yaml", "extends: rtx2060\nsms: 6\nsms_per_gpc: 2\ndram.channels: 8\ninstances: {a: 2g, b: 1g}\n");
  const std::string work = folder.write("w.yaml",
                                        "kernels:\n  k: {grid: 9, block: 64, program: [int]}\napplications:\n"
                                        "  - {name: x, instance: b, streams: [{name: s, launches: [k]}]}\n");
  const FinishedRun run = run_workload(work, {"--gpu", gpu});
  const Json& instances = run.result.at("instances");
  ASSERT_EQ(instances.size(), 2u);
  EXPECT_EQ(instances[0].at("sms"), "0-3");
  EXPECT_EQ(instances[1].at("sms"), "4-5");
  EXPECT_EQ(instances[0].at("channels"), 2);
  EXPECT_EQ(run.result.at("configuration").at("instances").at("a").at("profile"), "2g");
  for (const BlockRow& block : run.blocks) EXPECT_THAT(block.sm, testing::AnyOf(4, 5));
  const std::string again = folder.write("again.json", run.result.at("configuration").dump());
  EXPECT_EQ(run_workload(work, {"--gpu", again}).blocks_text, run.blocks_text);
}

TEST(Instances, RefuseWhatTheirMemoryCannotHold) {
  const TestFolder folder;
  const auto run = [&](const std::string& calls) {
    return run_program({"run",
                        folder.write("w.yaml",
                                     "instances: {a: {gpcs: 1, channels: 1, memory: 4MiB}}\n"
                                     "kernels: {k: {grid: 1, block: 32, program: [int]}}\n"
                                     "applications:\n  - name: x\n    instance: a\n    streams:\n"
                                     "      - name: s\n        commands: [" +
                                         calls + ", k]\n"),
                        "--gpu", "gtx480"});
  };
  EXPECT_THAT(
      run("{malloc: b, bytes: 3MiB}, {malloc: c, bytes: 2MiB}").err,
      HasSubstr("w.yaml:4: application x: thread s: found 5242880 bytes allocated at once, allowed: 4194304, of "
                "gtx480, instance a"));
  EXPECT_THAT(
      run("{copy: host_to_device, to: 0x10000000, bytes: 5MiB}").err,
      HasSubstr("w.yaml:8: copy copy#1: found 5242880 bytes, allowed: 4194304, the memory of gtx480, instance a"));
  EXPECT_EQ(run("{malloc: b, bytes: 3MiB}, {free: b}, {malloc: c, bytes: 2MiB}").code, 0);
}

TEST(Instances, ThatTheGpuDoesNotHaveAreRefused) {
  const TestFolder folder;
  const auto refusal = [&](const std::string& instances, const std::string& key) {
    const std::string file = folder.write(
        "w.yaml", instances + "kernels:\n  k: {grid: 9, block: 64, program: [int]}\napplications:\n  - name: x\n" +
                      key + "    streams: [{name: s, launches: [k]}]\n");
    const Outcome outcome = run_program({"run", file, "--gpu", "a100"});
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("instances: {a: 5g}\n", "    instance: a\n"),
              AllOf(HasSubstr("w.yaml:1: instance a: found profile '5g'"), HasSubstr("1g (1g.10gb)"),
                    HasSubstr("7g (7g.80gb)")));
  EXPECT_THAT(refusal("instances: {a: 1g.5gb}\n", "    instance: a\n"), HasSubstr("found profile '1g.5gb'"));
  EXPECT_THAT(refusal("instances: {a: 4g, b: 4g}\n", "    instance: a\n"), HasSubstr("7 GPCs of a100 together"));
  EXPECT_THAT(refusal("instances: {a: 3g, b: 3g, c: 1g}\n", "    instance: a\n"),
              HasSubstr("80 channels of a100 together"));
  EXPECT_THAT(refusal("instances: {a: {gpcs: 1}}\n", "    instance: a\n"),
              HasSubstr("needs 'profile', or 'gpcs' and 'channels'"));
  EXPECT_THAT(refusal("instances: {a: {gpcs: 2, sms: 33, channels: 8}}\n", "    instance: a\n"),
              HasSubstr("instance a: found 33 SMs, allowed: up to 32"));
  EXPECT_THAT(refusal("instances: {a: {gpcs: 6, channels: 8}, b: 1g}\n", "    instance: a\n"),
              HasSubstr("instance b: needs SM 110, allowed: 108 SMs of a100 together"));
  EXPECT_THAT(refusal("instances: {a: 3g}\n", "    instance: b\n"), HasSubstr("found instance 'b', allowed: a"));
  EXPECT_THAT(refusal("instances: {a: 3g}\n", ""), HasSubstr("found no 'instance', allowed: a"));
  EXPECT_THAT(refusal("", "    instance: a\n"), HasSubstr("found instance 'a', allowed: none"));
  EXPECT_THAT(refusal("instances: {a: 3g}\n", "    instance: a\n    sms: [44]\n"),
              HasSubstr("a100, instance a, 0 to 41"));
}

}  // namespace
}  // namespace gputlm
