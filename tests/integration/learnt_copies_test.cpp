// Copies that are passed over at a learnt pace (copy_engine.learn), compared with copies that are moved packet by packet.

#include <gtest/gtest.h>

#include <random>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

constexpr const char* kHead = "kernels: {}\nsettings: {sm.model: blocks}\napplications:\n";

/// Streams with copies of all kinds, beside each other and one behind the other. `more`: keys of the application.
std::string mix(std::uint64_t seed, const std::string& name = "a", const std::string& more = "") {
  std::mt19937_64 random(seed);
  std::string text = "  - name: " + name + "\n" + more + "    streams:\n";
  const auto streams = 1 + random() % 3;
  for (std::uint64_t s = 0; s < streams; ++s) {
    text += "      - name: s" + std::to_string(s) + "\n        commands:\n";
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t kib = random() % 3 == 0 ? 4 + random() % 60 : 1024 + random() % 15360;
      const std::uint64_t from = (1 + random() % 8) << 28, to = (17 + random() % 8) << 28;
      const auto kind = random() % 4;
      const char* const kinds[] = {
          "copy: host_to_device, to: ", "copy: device_to_host, from: ", "copy: device_to_device, from: ", "memset: "};
      text += "          - {" + std::string(kinds[kind]);
      const std::string size = std::to_string(kib) + "KiB";
      text += kind == 3   ? size + ", to: " + std::to_string(to)
              : kind == 0 ? std::to_string(to) + ", bytes: " + size
              : kind == 1 ? std::to_string(from) + ", bytes: " + size
                          : std::to_string(from) + ", to: " + std::to_string(to) + ", bytes: " + size;
      text += ", label: s" + std::to_string(s) + "c" + std::to_string(i) + "}\n";
    }
  }
  return text;
}

std::uint64_t passed(const FinishedRun& run) {
  return run.result.at("copying").at("engines").at("passed_over_bytes").get<std::uint64_t>();
}

/// Cycles by which mixes may differ as copies begin that have not been seen beside those that are under way.
constexpr double kBegin = 2500;

/// docs/speed.md has the errors of longer ones.
TEST(LearntCopies, OfRandomMixesEndWhenTheyWouldPacketByPacket) {
  const TestFolder folder;
  std::uint64_t passed_over = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::string workload = folder.write("w.yaml", kHead + mix(seed));
    const auto run = [&](const char* learn) {
      return run_workload(workload, {"--gpu", seed % 2 == 0 ? "a100" : "h100_sxm", "--set", "copy_engine.sample=1MiB",
                                     "--set", std::string("copy_engine.learn=") + learn});
    };
    const FinishedRun exact = run("false"), learnt = run("true");
    const auto all = exact.result.at("cycles").get<double>();
    EXPECT_NEAR(learnt.result.at("cycles").get<double>(), all, 0.02 * all + kBegin) << "seed " << seed;
    ASSERT_EQ(learnt.result.at("copies").size(), exact.result.at("copies").size());
    EXPECT_EQ(passed(exact), 0u);
    passed_over += passed(learnt);
  }
  EXPECT_GT(passed_over, 0u);
}

/// Cycle in which the last copy of an application has ended.
double last_end(const FinishedRun& run, const std::string& application) {
  double end = 0;
  for (const auto& copy : run.result.at("copies")) {
    if (copy.at("application") == application) end = std::max(end, copy.at("end_cycle").get<double>());
  }
  return end;
}

/// An instance's copies over the link to the host are passed over while those of the other one are not on it.
TEST(LearntCopies, OfInstancesOnOneLinkEndWhenTheyWouldPacketByPacketForEveryWindowAndThread) {
  const TestFolder folder;
  std::uint64_t passed_over = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    // The second instance copies little, and late.
    const std::string workload = folder.write(
        "w.yaml", "instances: {x: {profile: 4g}, y: {profile: 3g}}\n" + (kHead + mix(seed, "a", "    instance: x\n")) +
                      "  - name: b\n    instance: y\n    threads:\n      - name: t\n        calls:\n"
                      "          - {host_us: " +
                      std::to_string(50 * seed) +
                      "}\n"
                      "          - {copy: host_to_device, to: 0, bytes: 2MiB, stream: s}\n"
                      "          - {host_us: 100}\n"
                      "          - {copy: device_to_host, from: 0, bytes: 64KiB, stream: s}\n"
                      "    streams: [{name: s}]\n");
    const auto run = [&](const std::vector<std::string>& more) {
      std::vector<std::string> options{"--gpu", "h100_sxm", "--set", "copy_engine.sample=1MiB"};
      options.insert(options.end(), more.begin(), more.end());
      return run_workload(workload, options);
    };
    const FinishedRun exact = run({"--set", "copy_engine.learn=false"}), learnt = run({});
    for (const char* application : {"a", "b"}) {
      const double end = last_end(exact, application);
      EXPECT_NEAR(last_end(learnt, application), end, 0.02 * end + kBegin) << application << ", seed " << seed;
    }
    EXPECT_EQ(passed(exact), 0u);
    passed_over += passed(learnt);
    for (const char* other : {"--window=1", "--window=7", "--threads=2"})
      EXPECT_EQ(run({other}).result_text, learnt.result_text) << other;
  }
  EXPECT_GT(passed_over, 0u);
}

TEST(LearntCopies, OfAnInstanceArePassedOverAgainWhenTheOtherHasLeftTheLink) {
  const TestFolder folder;
  const std::string workload =
      folder.write("w.yaml", std::string("instances: {x: {profile: 4g}, y: {profile: 3g}}\n") + kHead +
                                 "  - name: a\n    instance: x\n    streams:\n"
                                 "      - {name: s, commands: [{copy: host_to_device, to: 0, bytes: 64MiB}]}\n"
                                 "  - name: b\n    instance: y\n    streams: [{name: s}]\n    threads:\n"
                                 "      - name: t\n        calls:\n          - {host_us: 300}\n"
                                 "          - {copy: host_to_device, to: 0, bytes: 2MiB, stream: s}\n");
  const auto run = [&](const std::string& learn) {
    return run_workload(
        workload, {"--gpu", "h100_sxm", "--set", "copy_engine.sample=1MiB", "--set", "copy_engine.learn=" + learn});
  };
  const FinishedRun exact = run("false"), learnt = run("true");
  for (const char* application : {"a", "b"})
    EXPECT_NEAR(last_end(learnt, application), last_end(exact, application), 0.01 * last_end(exact, application));
  EXPECT_GT(static_cast<double>(passed(learnt)), 0.85 * (64 << 20));
}

}  // namespace
}  // namespace gputlm
