// Counters over time: the counts of each interval are exact, and add up to the result.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

/// A line of a file: its fields by column; columns that it leaves empty are not there.
using Line = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields{""};
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back().push_back(c);
    }
  }
  return fields;
}

std::vector<Line> read_lines(const std::string& text) {
  std::istringstream input(text);
  std::string line;
  std::getline(input, line);
  const std::vector<std::string> header = split(line);
  std::vector<Line> lines;
  while (std::getline(input, line)) {
    const std::vector<std::string> fields = split(line);
    EXPECT_EQ(fields.size(), header.size()) << line;
    lines.emplace_back();
    for (std::size_t i = 0; i < std::min(fields.size(), header.size()); ++i) {
      if (!fields[i].empty()) lines.back()[header[i]] = fields[i];
    }
  }
  return lines;
}

/// Sums of all columns over the intervals and units, by application; "" is what is no application's.
std::map<std::string, std::map<std::string, std::int64_t>> sums(const std::vector<Line>& lines) {
  const std::set<std::string> no_counters{"start_cycle", "interval_cycles", "unit", "application"};
  std::map<std::string, std::map<std::string, std::int64_t>> all;
  for (const Line& line : lines) {
    const std::string application = line.count("application") ? line.at("application") : "";
    for (const auto& [column, value] : line) {
      if (!no_counters.count(column)) all[application][column] += std::stoll(value);
    }
  }
  return all;
}

/// A run with a series: its files by name.
struct Series {
  std::map<std::string, std::string> files;
  Json result;
  std::vector<Line> lines(const std::string& file) const { return read_lines(files.at(file)); }
};

Series run(const std::string& input, const std::string& series, const Options& more) {
  const TestFolder folder;
  Options arguments{"run", input, "--out", folder.path("out"), "--series", series};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  Series run;
  for (const std::string& name : folder.files("out")) {
    if (name != "performance.json") run.files[name] = read_file(folder.path("out/" + name));
  }
  run.result = Json::parse(run.files.at("result.json"));
  return run;
}

/// The counter of a dotted path.
std::int64_t at(const Json& json, const std::string& path) {
  const Json* found = &json;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) found = &found->at(name);
  return found->get<std::int64_t>();
}

std::int64_t total(const Json& parts, const std::string& path) {
  std::int64_t sum = 0;
  for (const Json& part : parts) sum += at(part, path);
  return sum;
}

/// What result.json says of a column of series.csv; none: it says nothing.
std::optional<std::int64_t> of_result(const Json& result, const std::string& column, const std::string& application) {
  const std::size_t dot = column.find('.');
  const std::string of = column.substr(0, dot), name = column.substr(dot + 1);
  const std::string own = "applications.";
  if (!application.empty()) {
    const Json& all = result.at("applications");
    const Json& mine =
        *std::find_if(all.begin(), all.end(), [&](const Json& one) { return one.at("name") == application; });
    if (of == "block") return at(mine, name);
    if (of == "execution_engine") return mine.contains("engine") ? at(mine.at("engine"), name) : 0;
    if (of == "dram_channel") return at(result.at("dram").at("applications").at(application), name.substr(own.size()));
    return std::nullopt;
  }
  if (of == "sm") return total(result.at("sms"), name);
  if (of == "sm_tlb") return at(result.at("mmu").at("sm_tlbs"), name);
  if (of == "mmu") return at(result.at("mmu"), name);
  if (of == "switch") return at(result.at("noc"), name);
  if (of == "l2_slice") return at(result.at("l2").at("total"), name);
  if (of == "dram_channel") return at(result.at("dram").at("total"), name);
  if (of == "copy_engines") return at(result.at("copying").at("engines"), name);
  if (of == "host_link") return at(result.at("copying").at("link"), name);
  if (of == "host_memory") return at(result.at("copying").at("host_memory"), name);
  return std::nullopt;
}

void expect_sums_of_result(const Series& run) {
  unsigned compared = 0;
  for (const auto& [application, columns] : sums(run.lines("series.csv"))) {
    for (const auto& [column, sum] : columns) {
      const auto expected = of_result(run.result, column, application);
      if (!expected) continue;
      EXPECT_EQ(sum, *expected) << column << " of " << application;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

/// Two applications that compute and use memory, taken off the SMs again and again; one of them copies.
const char* const kTimeSliced = R"(
kernels:
  k:
    grid: 24
    block: 200
    patterns: {table: {kind: random, footprint: 1MiB}}
    program:
      - loop: {count: 8, body: [{fp32: 10}, {load: {pattern: table, dst: 4}}, {fp32: {src: [4], dst: 5}}, barrier]}
applications:
  - name: a
    time_slice_us: 6
    streams: [{name: s, launches: [k]}]
  - name: b
    time_slice_us: 6
    streams:
      - {name: t, launches: [k]}
      - {name: u, commands: [{copy: host_to_device, to: 0x10000000, bytes: 256KiB}]}
)";
const Options kPreempted{"--gpu", "xavier",
                         "--set", "sms=4",
                         "--set", "sms_per_gpc=2",
                         "--set", "work_distributor.application=time_sliced",
                         "--set", "work_distributor.time_sliced.instruction_preemption=true"};

TEST(Series, AddUpToTheResult) { expect_sums_of_result(run(workload_file("mixed.yaml"), "1us", {"--gpu", "xavier"})); }

TEST(Series, AddUpToTheResultWhereBlocksAreTakenOffAndMemoryIsCopied) {
  const TestFolder folder;
  const Series series = run(folder.write("w.yaml", kTimeSliced), "700ns", kPreempted);
  expect_sums_of_result(series);
  const auto all = sums(series.lines("series.csv"));
  EXPECT_GT(all.at("a").at("block.stall_warp_cycles.preempted"), 0);
  EXPECT_GE(all.at("").at("copy_engines.device_written_bytes"), 256 * 1024);
}

TEST(Series, AddUpToTheResultWherePagesMigrate) {
  expect_sums_of_result(
      run(workload_file("unified_memory.yaml"), "5us", {"--gpu", "titan_v", "--set", "mmu.enabled=true"}));
}

TEST(Series, SayTheSameOfEachIntervalWhateverTheWindow) {
  const TestFolder folder;
  const std::string sliced = folder.write("w.yaml", kTimeSliced);
  for (const auto& [input, options] :
       {std::make_pair(workload_file("mixed.yaml"), Options{"--gpu", "xavier"}), std::make_pair(sliced, kPreempted)}) {
    const auto with = [&, input = input, options = options](const std::string& window) {
      Options more = options;
      more.insert(more.end(), {"--window", window});
      return run(input, "333cycles", more).files;
    };
    const auto one = with("1");
    EXPECT_EQ(one.count("series_sm.csv"), 1u);
    EXPECT_EQ(with("4"), one);
    EXPECT_EQ(with("0"), one);
  }
}

TEST(Series, ChangeNothingElse) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kTimeSliced);
  Series with = run(input, "50cycles:gpu", kPreempted);
  const FinishedRun without = run_workload(input, kPreempted);
  EXPECT_EQ(with.files.at("blocks.csv"), without.blocks_text);
  with.result.erase("files");
  Json other = without.result;
  other.erase("files");
  EXPECT_EQ(with.result, other);
}

TEST(Series, CountEveryCycleOfAWarpWhenItPasses) {
  const TestFolder folder;
  Options options = kPreempted;
  options.insert(options.end(), {"--max-cycles", "12000"});
  const Series series = run(folder.write("w.yaml", kTimeSliced), "1cycles:gpu", options);
  std::int64_t preempted = 0, most = 0;
  for (const Line& line : series.lines("series.csv")) {
    if (!line.count("application")) continue;
    std::int64_t cycles = std::stoll(line.at("block.instructions"));
    for (const auto& [column, value] : line) {
      if (column.rfind("block.stall_warp_cycles.", 0) != 0) continue;
      ASSERT_GE(std::stoll(value), 0) << column << " in cycle " << line.at("start_cycle");
      (column == "block.stall_warp_cycles.preempted" ? preempted : cycles) += std::stoll(value);
    }
    ASSERT_LE(cycles, std::stoll(line.at("occupancy.warp_cycles"))) << "in cycle " << line.at("start_cycle");
    most = std::max(most, cycles);
  }
  EXPECT_GT(most, 100) << "warps are resident";
  EXPECT_GT(preempted, 0);
}

TEST(Series, OfUnitsAddUpToThoseOfTheGpu) {
  const Series series = run(workload_file("mixed.yaml"), "2us:sm,dram", {"--gpu", "xavier"});
  EXPECT_EQ(series.files.count("series_l2.csv"), 0u) << "only those that are named";
  const auto all = sums(series.lines("series.csv"));
  std::size_t columns = 0;
  for (const char* file : {"series_sm.csv", "series_dram.csv"}) {
    for (const auto& [application, of_units] : sums(series.lines(file))) {
      for (const auto& [column, sum] : of_units) {
        EXPECT_EQ(sum, all.at(application).at(column)) << column;
        ++columns;
      }
    }
  }
  EXPECT_GT(columns, 100u);
}

TEST(Series, SayOfOccupancyWhatBlocksCsvSays) {
  const Series series = run(workload_file("mixed.yaml"), "1us:gpu", {"--gpu", "xavier"});
  std::int64_t cycles = 0, occupancy = 0;
  for (const Line& block : series.lines("blocks.csv"))
    cycles += std::stoll(block.at("end_cycle")) - std::stoll(block.at("start_cycle"));
  for (const auto& [application, columns] : sums(series.lines("series.csv"))) {
    const auto found = columns.find("occupancy.block_cycles");
    if (found != columns.end()) occupancy += found->second;
  }
  EXPECT_EQ(occupancy, cycles);
}

TEST(Series, HaveIntervalsThatFollowEachOtherToTheEndOfTheRun) {
  const Series series = run(workload_file("mixed.yaml"), "1000cycles:gpu", {"--gpu", "xavier"});
  std::uint64_t next = 0;
  for (const Line& line : series.lines("series.csv")) {
    if (line.count("application")) continue;
    EXPECT_EQ(std::stoull(line.at("start_cycle")), next);
    EXPECT_LE(std::stoull(line.at("interval_cycles")), 1000u);
    next += std::stoull(line.at("interval_cycles"));
  }
  EXPECT_GE(next, series.result.at("cycles").get<std::uint64_t>());
}

TEST(Series, RefuseAPeriodOrAKindThatIsNone) {
  const auto message = [](const std::string& value) {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", workload_file("compute.yaml"), "--max-cycles", "10", "--out", folder.path("out"), "--series", value});
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(message("1"), HasSubstr("--series: found '1', allowed: 1us, 500ns, 2ms or 1000cycles"));
  EXPECT_THAT(message("us"), HasSubstr("--series: found 'us', allowed"));
  EXPECT_THAT(message("0ns"), HasSubstr("--series: found '0ns', allowed: 1ns to 1000000ns"));
  EXPECT_THAT(message("1000001ms"), HasSubstr("allowed: 1ms to 1000000ms"));
  EXPECT_THAT(message("1us:dran"),
              AllOf(HasSubstr("no kind of unit is called 'dran'"), HasSubstr("did you mean 'dram'")));
  EXPECT_THAT(message("1us:"), HasSubstr("no kind of unit is called ''"));
}

}  // namespace
}  // namespace gputlm
