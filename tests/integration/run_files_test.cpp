// The files of `gputlm run --out` beside result.json: what each line says (docs/result.md).

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

/// Two streams whose blocks are of different length, more than fit at once.
const char* const kTwoStreams = R"(
kernels:
  short: {grid: 40, block: 64, program: [loop: {count: 20, body: [fp32, int]}]}
  long: {grid: [10, 2], block: [32, 3], registers: 40, shared_memory: 4KiB, program: [loop: {count: 50, body: [fp32]}]}
applications:
- name: a
  streams:
  - {name: s, launches: [{kernel: short, deadline_us: 1000}, {kernel: short, deadline_us: 0.001}]}
  - {name: t, priority: -1, launches: [long]}
)";

std::string two_streams(const TestFolder& folder) { return folder.write("w.yaml", kTwoStreams); }

TEST(BlocksCsv, ABlockTakesTheLowestSlotThatIsFreeOnItsSm) {
  const TestFolder folder;
  auto rows = run_workload(two_streams(folder), {"--set", "sms=2"}).blocks;
  ASSERT_EQ(rows.size(), 100u);
  std::sort(rows.begin(), rows.end(),
            [](const BlockRow& a, const BlockRow& b) { return std::tie(a.start, a.slot) < std::tie(b.start, b.slot); });
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> until;  // by SM and slot
  std::uint64_t highest = 0;
  for (const BlockRow& row : rows) {
    auto& slots = until[row.sm];
    std::uint64_t lowest = 0;
    while (slots.count(lowest) && slots[lowest] >= row.start) ++lowest;  // what ends in a cycle leaves after it
    EXPECT_EQ(row.slot, lowest) << row.kernel << " block " << row.block;
    slots[row.slot] = row.end;
    highest = std::max(highest, row.slot);
  }
  EXPECT_GT(highest, 3u);
}

TEST(BlocksCsv, ALineEndsWithItsThreadsStreamAndApplication) {
  const TestFolder folder;
  for (const BlockRow& row : run_workload(two_streams(folder)).blocks) {
    EXPECT_EQ(row.threads, row.kernel == "long" ? 96u : 64u);
    EXPECT_EQ(row.stream, row.kernel == "long" ? "t" : "s");
    EXPECT_EQ(row.application, "a");
  }
}

TEST(KernelsCsv, HasALineALaunchThatSaysWhatTheResultSays) {
  const TestFolder folder;
  ASSERT_EQ(run_program({"run", two_streams(folder), "--out", folder.path("out")}).code, 0);
  const auto result = nlohmann::json::parse(read_file(folder.path("out/result.json")));
  std::istringstream lines(read_file(folder.path("out/kernels.csv")));
  std::string line;
  std::getline(lines, line);
  std::set<std::string> seen;
  std::uint64_t last = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> f;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
    ASSERT_EQ(f.size(), 19u) << line;
    const auto& all = result.at("kernels");
    const auto k = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.at("label") == f[0]; });
    ASSERT_NE(k, all.end()) << line;
    EXPECT_TRUE(seen.insert(f[0]).second) << line;
    EXPECT_EQ(f[1], k->at("application"));
    EXPECT_EQ(f[2], k->at("stream"));
    EXPECT_EQ(f[3], f[0] == "long" ? "-1" : "0");
    EXPECT_EQ(f[4], f[0] == "long" ? "10x2x1" : "40x1x1");
    EXPECT_EQ(f[5], f[0] == "long" ? "32x3x1" : "64x1x1");
    const auto number = [&](std::size_t field) { return std::stoull(f[field]); };
    EXPECT_EQ(number(6), k->at("registers"));
    EXPECT_EQ(number(7), k->at("shared_memory_bytes"));
    EXPECT_EQ(number(8), k->at("release_cycle"));
    EXPECT_EQ(number(9), k->at("launch_cycle"));
    EXPECT_EQ(number(10), k->at("arrival_cycle"));
    EXPECT_EQ(number(11), k->at("first_block_cycle"));
    EXPECT_EQ(number(12), k->at("end_cycle"));
    EXPECT_EQ(number(13), k->at("notified_cycle"));
    EXPECT_EQ(number(14), number(13) - number(8));
    if (k->contains("deadline_cycles")) {
      EXPECT_EQ(number(15), k->at("deadline_cycles"));
      EXPECT_EQ(f[16], k->at("deadline_met") ? "true" : "false");
    } else {
      EXPECT_EQ(f[15] + f[16], "");
    }
    EXPECT_EQ(number(17), k->at("instructions"));
    EXPECT_NEAR(std::stod(f[18]), k->at("ipc").get<double>(), 0.0005);
    EXPECT_LE(last, number(13)) << "in the order in which the host hears of the ends";
    last = number(13);
  }
  EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace gputlm
