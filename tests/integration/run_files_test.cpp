// The files of `gputlm run --out` beside result.json, line by line (docs/result.md).

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
  const auto split = [](const std::string& text) {
    std::vector<std::string> fields;
    std::istringstream input(text + ",");
    for (std::string field; std::getline(input, field, ',');) fields.push_back(field);
    return fields;
  };
  const std::vector<std::string> names = split(line);
  std::set<std::string> seen;
  std::uint64_t last = 0;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = split(line);
    ASSERT_EQ(fields.size(), names.size()) << line;
    std::map<std::string, std::string> of;
    for (std::size_t i = 0; i < names.size(); ++i) of[names[i]] = fields[i];
    const auto& all = result.at("kernels");
    const auto k =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.at("kernel") == of["kernel"]; });
    ASSERT_NE(k, all.end()) << line;
    EXPECT_TRUE(seen.insert(of["kernel"]).second) << line;
    for (const std::string& name : names) {
      if (name == "grid" || name == "block") continue;
      const std::string told = !k->contains(name)        ? ""
                               : k->at(name).is_string() ? k->at(name).get<std::string>()
                                                         : k->at(name).dump();
      EXPECT_EQ(of[name], told) << name;
    }
    EXPECT_EQ(of["priority"], of["kernel"] == "long" ? "-1" : "0");
    EXPECT_EQ(of["grid"], of["kernel"] == "long" ? "10x2x1" : "40x1x1");
    EXPECT_EQ(of["block"], of["kernel"] == "long" ? "32x3x1" : "64x1x1");
    const auto number = [&](const char* name) { return std::stoull(of[name]); };
    EXPECT_EQ(number("response_cycles"), number("notified_cycle") - number("released_cycle"));
    EXPECT_EQ(number("execution_cycles"), number("end_cycle") - number("first_block_cycle"));
    EXPECT_LE(last, number("notified_cycle")) << "in the order in which the host hears of the ends";
    last = number("notified_cycle");
  }
  EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace gputlm
