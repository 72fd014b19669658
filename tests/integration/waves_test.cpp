// `gputlm run --waves`: a value change dump that viewers of waveforms read (IEEE 1364-2005, 18.2), with the values that
// other files have.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"
#include "tlm/base/time.h"

namespace gputlm {
namespace {

/// Reads strictly: whatever the standard does not allow fails.
struct Dump {
  explicit Dump(const std::string& text) { read(text); }
  void read(const std::string& text) {
    std::istringstream words(text);
    std::vector<std::string> scopes;
    std::map<std::string, std::string> names;  // by code
    std::string word, name, code, end;
    while (words >> word && word != "$enddefinitions") {
      if (word == "$timescale") {
        words >> timescale >> name >> end;
        timescale += name;
      } else if (word == "$scope") {
        words >> word >> name >> end;
        EXPECT_EQ(word, "module");
        scopes.push_back(name);
      } else if (word == "$upscope") {
        words >> end;
        ASSERT_FALSE(scopes.empty());
        scopes.pop_back();
      } else {
        ASSERT_EQ(word, "$var");
        std::string type, bits;
        words >> type >> bits >> code >> name >> end;
        EXPECT_EQ(type + bits, "wire32");
        std::string path;
        for (const std::string& scope : scopes) path += scope + ".";
        EXPECT_TRUE(names.emplace(code, path + name).second) << "one code, one signal";
      }
      ASSERT_EQ(end, "$end");
    }
    EXPECT_TRUE(scopes.empty());
    words >> end;
    ASSERT_EQ(end, "$end");
    std::uint64_t now = 0;
    bool begun = false;
    while (words >> word) {
      if (word == "$dumpvars" || word == "$end") continue;
      if (word[0] == '#') {
        const std::uint64_t at = std::stoull(word.substr(1));
        EXPECT_TRUE(!begun || at > now) << "time goes on";
        now = at;
        begun = true;
        continue;
      }
      ASSERT_EQ(word[0], 'b');
      words >> code;
      ASSERT_EQ(names.count(code), 1u);
      values[names[code]][now] = std::stoull(word.substr(1), nullptr, 2);
    }
    last = now;
    for (const auto& [key, signal] : names) EXPECT_EQ(values[signal].count(0), 1u) << "it has a value from the start";
  }
  std::uint64_t at(const std::string& signal, std::uint64_t time) const {
    return std::prev(values.at(signal).upper_bound(time))->second;
  }

  std::string timescale;
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> values;  ///< by signal and time
  std::uint64_t last = 0;
};

const char* const kWorkload = R"(
kernels: {k: {grid: 30, block: 96, patterns: {p: {kind: coalesced}}, program: [{load: p}, {fp32: 4}, {store: p}]}}
applications:
- {name: one app, streams: [{name: s, launches: [k, k]}]}
- {name: b, streams: [{name: s, launches: [k]}]}
)";

struct WavesRun {
  explicit WavesRun(const std::string& signals, const std::vector<std::string>& options = {}, int code = 0) {
    std::vector<std::string> words{
        "run", folder.write("w.yaml", kWorkload), "--set", "sms=4", "--out", folder.path("out"), "--waves", signals};
    words.insert(words.end(), options.begin(), options.end());
    outcome = run_program(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    if (code == 0) text = read_file(folder.path("out/waves.vcd"));
  }
  TestFolder folder;
  Outcome outcome;
  std::string text;
};

TEST(Waves, SayWhatIsResidentAtAnyTime) {
  const WavesRun run("sm_*.blocks,sm_2.warps,application.*.threads");
  const Dump dump(run.text);
  EXPECT_EQ(dump.timescale, "1ps");
  EXPECT_EQ(dump.values.size(), 4u + 1 + 2);
  const auto result = nlohmann::json::parse(read_file(run.folder.path("out/result.json")));
  const Clock clock = Clock::from_mhz(result.at("configuration").at("core_mhz").get<double>());
  const auto rows = read_blocks(run.folder.path("out/blocks.csv"));
  std::set<Cycle> times;
  for (const BlockRow& row : rows) times.insert({row.start, row.end, (row.start + row.end) / 2});
  for (const Cycle cycle : times) {
    std::map<std::string, std::uint64_t> there;
    for (const BlockRow& row : rows) {
      if (row.start > cycle || cycle >= row.end) continue;
      ++there["sm_" + std::to_string(row.sm) + ".blocks"];
      if (row.application == "b") there["application.b.threads"] += row.threads;
      if (row.application == "one app") there["application.one_app.threads"] += row.threads;
    }
    for (const auto& [signal, values] : dump.values) {
      if (signal == "sm_2.warps") {
        EXPECT_LE(dump.at(signal, clock.edge(cycle) / 1000), 3 * there["sm_2.blocks"]);
      } else {
        EXPECT_EQ(dump.at(signal, clock.edge(cycle) / 1000), there[signal]) << signal << " in cycle " << cycle;
      }
    }
  }
}

TEST(Waves, CountWhatTheResultCounts) {
  const WavesRun run("l2_*,dram_*,stream.*");
  const Dump dump(run.text);
  std::map<std::string, std::uint64_t> sums;
  for (const auto& [signal, values] : dump.values) {
    sums[signal.substr(signal.rfind('.') + 1)] += values.rbegin()->second;
  }
  const auto result = nlohmann::json::parse(read_file(run.folder.path("out/result.json")));
  const auto& dram = result.at("dram").at("total");
  EXPECT_EQ(sums["reads"], dram.at("reads"));
  EXPECT_EQ(sums["writes"], dram.at("writes"));
  EXPECT_EQ(sums["activates"], dram.at("activates"));
  EXPECT_EQ(sums["open_rows"], dram.at("activates").get<std::uint64_t>() - dram.at("precharges").get<std::uint64_t>());
  const auto& l2 = result.at("l2").at("total");
  EXPECT_EQ(sums["hits"] + sums["misses"], l2.at("reads").get<std::uint64_t>() + l2.at("writes").get<std::uint64_t>());
  EXPECT_EQ(sums["waiting"] + sums["under_way"], 0u);
  EXPECT_GT(dump.values.at("stream.one_app.s.under_way").size(), 1u);
}

TEST(Waves, AreTheSameWhateverTheWindow) {
  const std::string largest = WavesRun("*").text;
  EXPECT_GT(largest.size(), 1000u);
  for (const char* window : {"1", "4"}) {
    EXPECT_TRUE(WavesRun("*", {"--window", window}).text == largest) << window;
  }
}

TEST(Waves, RefuseWhatNoSignalIsCalled) {
  const WavesRun run("sm_0.blocks,sm_9.blocks", {}, 2);
  EXPECT_THAT(run.outcome.err, testing::HasSubstr("--waves: no signal is called 'sm_9.blocks'; there are"));
}

}  // namespace
}  // namespace gputlm
