// `--probe responses`: distributions, percentiles with their confidence, and the parts of the slowest jobs.

#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Rows of a file without quoted cells.
std::vector<Row> rows_of(const std::string& path) {
  std::istringstream text(read_file(path));
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < cells.size() ? cells[i] : "";
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A task that reads memory beside a kernel that does nothing else, on SMs of its own.
const char* const kMemory = R"(
kernels:
  task: {grid: 8, block: 64, patterns: {p: {kind: random, footprint: 8MiB}}, program: [{loop: {count: 8, body: [{load: {pattern: p, dst: 4}}, {fp32: {dst: 5, src: [4, 5]}}]}}]}
  stress: {grid: 32, block: 256, patterns: {p: {kind: random, footprint: 64MiB}}, program: [{loop: {count: 60, body: [{load: {pattern: p, dst: 4}}, {fp32: {dst: 5, src: [4, 5]}}]}}]}
applications:
  - {name: a, sms: [0-1], streams: [{name: s, launches: [{kernel: task, repeat: 6, period_us: 60}]}]}
  - {name: b, sms: [2-7], streams: [{name: t, launches: [{kernel: stress, release_us: 100, label: stress}]}]}
)";

void expect_sums(const TestFolder& folder, const std::string& out) {
  std::map<std::string, std::uint64_t> response, parts, pieces;
  for (const Row& row : rows_of(folder.path(out + "/jobs.csv")))
    response[row.at("job")] = std::stoull(row.at("response_cycles"));
  for (const Row& row : rows_of(folder.path(out + "/responses_parts.csv"))) {
    parts[row.at("job")] += std::stoull(row.at("cycles"));
    parts[row.at("best_job")] += row.at("job") == row.at("best_job") ? 0 : std::stoull(row.at("best_cycles"));
  }
  for (const Row& row : rows_of(folder.path(out + "/responses_worst.csv")))
    pieces[row.at("job")] += std::stoull(row.at("cycles"));
  ASSERT_FALSE(pieces.empty());
  for (const auto& [job, cycles] : parts) EXPECT_EQ(cycles, response.at(job)) << job;
  for (const auto& [job, cycles] : pieces) EXPECT_EQ(cycles, response.at(job)) << job;
}

TEST(ResponseTimes, OfTheSlowestJobAreExplainedToTheCycle) {
  const TestFolder folder;
  const std::string workloads = GPUTLM_SOURCE_DIR "/workloads/";
  for (const auto& [name, words] : std::map<std::string, std::vector<std::string>>{
           {"service", {workloads + "service.yaml", "--gpu", "xavier"}},
           {"slices",
            {workloads + "time_slices.yaml", "--gpu", "rtx2060", "--set", "work_distributor.application=time_sliced",
             "--set", "work_distributor.time_sliced.instruction_preemption=true"}},
           {"memory", {folder.write("w.yaml", kMemory), "--gpu", "xavier"}}}) {
    std::vector<std::string> command{"run", "--probe", "responses", "--out", folder.path(name)};
    command.insert(command.end(), words.begin(), words.end());
    const Outcome outcome = run_program(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_sums(folder, name);
  }
  std::map<std::string, Row> memory, slices;
  for (const Row& row : rows_of(folder.path("memory/responses_parts.csv"))) memory[row.at("part")] = row;
  for (const Row& row : rows_of(folder.path("slices/responses_parts.csv"))) slices[row.at("part")] = row;
  EXPECT_EQ(memory.at("dram").at("held_up_by"), "stress");
  EXPECT_GT(std::stoull(memory.at("dram").at("cycles")), 2 * std::stoull(memory.at("dram").at("best_cycles")))
      << "the other kernel is at the DRAM too";
  EXPECT_EQ(memory.at("sm_slots").at("held_up_by"), "") << "the other kernel is on other SMs";
  EXPECT_EQ(memory.at("issue").at("held_up_by"), "") << "the other kernel is on other SMs";
  EXPECT_EQ(slices.at("preemption").at("held_up_by"), "planner");
  EXPECT_EQ(slices.at("sm_slots").at("held_up_by"), "detect") << "the other application's kernel is off the SMs";
}

TEST(ResponseTimes, AreDistributedAsJobsSay) {
  const TestFolder folder;
  ASSERT_EQ(run_program({"run", GPUTLM_SOURCE_DIR "/workloads/service.yaml", "--gpu", "xavier", "--probe", "responses",
                         "--out", folder.path("out")})
                .code,
            0);
  std::map<std::string, std::vector<std::uint64_t>> times;
  for (const Row& row : rows_of(folder.path("out/jobs.csv")))
    times[row.at("task")].push_back(std::stoull(row.at("response_cycles")));
  for (auto& [task, all] : times) std::sort(all.begin(), all.end());
  std::map<std::string, std::uint64_t> cdf, histogram;
  for (const Row& row : rows_of(folder.path("out/responses_cdf.csv"))) {
    if (row.at("of") != "task") continue;
    cdf[row.at("name")] += std::stoull(row.at("jobs"));
    const auto& all = times.at(row.at("name"));
    const auto up_to = std::upper_bound(all.begin(), all.end(), std::stoull(row.at("response_cycles"))) - all.begin();
    EXPECT_EQ(std::stoll(row.at("jobs_up_to")), up_to);
    EXPECT_EQ(cdf[row.at("name")], static_cast<std::uint64_t>(up_to));
  }
  for (const Row& row : rows_of(folder.path("out/responses_histogram.csv"))) {
    if (row.at("of") != "task") continue;
    histogram[row.at("name")] += std::stoull(row.at("jobs"));
  }
  unsigned unsupported = 0;
  for (const Row& row : rows_of(folder.path("out/responses_percentiles.csv"))) {
    if (row.at("of") != "task" || row.at("name") != "control") continue;
    EXPECT_EQ(row.at("supported"), row.at("low_cycles").empty() ? "false" : "true");
    unsupported += row.at("low_cycles").empty();
  }
  EXPECT_EQ(unsupported, 3u) << "100 jobs say nothing of p99, p99.9 and p99.99";
  for (const auto& [task, all] : times) {
    EXPECT_EQ(cdf[task], all.size()) << task;
    EXPECT_EQ(histogram[task], all.size()) << task;
  }
}

}  // namespace
}  // namespace gputlm
