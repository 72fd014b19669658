// Copies that are passed over at a learnt pace (copy_engine.learn), compared with copies that are moved packet by packet.

#include <gtest/gtest.h>

#include <random>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

/// Streams with copies of all kinds, beside each other and one behind the other.
std::string mix(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text = "kernels: {}\nsettings: {sm.model: blocks}\napplications:\n  - name: a\n    streams:\n";
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
    const std::string workload = folder.write("w.yaml", mix(seed));
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

}  // namespace
}  // namespace gputlm
