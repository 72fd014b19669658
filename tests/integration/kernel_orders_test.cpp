// Kernel orders decide when and where blocks run, not their work; and their runtime predictions are reported.

#include <cmath>
#include <map>
#include <set>

#include "tests/integration/program.h"
#include "tests/integration/random_workload.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using Options = std::vector<std::string>;

const Options kOrders = {"leftover", "fifo", "mpmax", "srtf", "srtf_adaptive", "srtf_zero_sampling", "sjf", "ljf"};

Options with_order(Options options, const std::string& order) {
  options.insert(options.end(), {"--set", "work_distributor.kernel_order=" + order});
  return options;
}

/// What a launch executed, and which of its blocks ran; it does not depend on when and where.
struct Work {
  std::uint64_t instructions = 0, thread_instructions = 0, loads = 0, stores = 0, shared = 0;
  std::set<std::uint64_t> blocks;
  bool operator==(const Work& o) const {
    return std::tie(instructions, thread_instructions, loads, stores, shared, blocks) ==
           std::tie(o.instructions, o.thread_instructions, o.loads, o.stores, o.shared, o.blocks);
  }
};

std::map<std::string, Work> work_of(const FinishedRun& run) {
  std::map<std::string, Work> work;
  for (const Json& kernel : run.result.at("kernels")) {
    Work& w = work[kernel.at("kernel")];
    w.instructions = kernel.at("instructions");
    w.thread_instructions = kernel.at("thread_instructions");
    w.loads = kernel.at("memory").at("global_loads");
    w.stores = kernel.at("memory").at("global_stores");
    w.shared = kernel.at("memory").at("shared_accesses");
  }
  for (const BlockRow& row : run.blocks)
    EXPECT_TRUE(work.at(row.kernel).blocks.insert(row.block).second)
        << row.kernel << " block " << row.block << " twice";
  for (const Json& kernel : run.result.at("kernels")) {
    const Json& grid = kernel.at("grid");
    EXPECT_EQ(work.at(kernel.at("kernel")).blocks.size(),
              grid[0].get<std::size_t>() * grid[1].get<std::size_t>() * grid[2].get<std::size_t>());
  }
  return work;
}

class KernelOrders : public testing::TestWithParam<unsigned> {};

TEST_P(KernelOrders, ExecuteTheSameForEveryPolicyAndAreTheSameForEveryWindow) {
  const TestFolder folder;
  RandomWorkload random(GetParam());
  const std::string input = folder.write("random.yaml", random.text());
  Options options = random.settings();
  options.insert(options.end(), {"--gpu", random.one_of({"gtx480", "xavier", "rtx2060"})});
  std::map<std::string, Work> expected;
  for (const std::string& order : kOrders) {
    Options run_options = with_order(options, order);
    run_options.insert(run_options.end(), {"--window", "1"});
    const FinishedRun first = run_workload(input, run_options);
    ASSERT_EQ(first.outcome.code, 0);
    if (expected.empty()) expected = work_of(first);
    EXPECT_TRUE(work_of(first) == expected) << order;
    for (const char* window : {"4", "0"}) {
      run_options.back() = window;
      const FinishedRun other = run_workload(input, run_options);
      ASSERT_EQ(other.blocks_text, first.blocks_text) << order << ", window " << window;
      ASSERT_EQ(other.predictions_text, first.predictions_text) << order << ", window " << window;
      ASSERT_EQ(other.result_text, first.result_text) << order << ", window " << window;
    }
  }
  if (HasFailure()) ADD_FAILURE() << "the workload was:\n" << read_file(input) << testing::PrintToString(options);
}

INSTANTIATE_TEST_SUITE_P(Random, KernelOrders, testing::Range(101u, 104u));
INSTANTIATE_TEST_SUITE_P(Nightly, KernelOrders, testing::Range(104u, 121u));

/// Two kernels of which the second, shorter one comes when the first has filled the GPU.
constexpr const char* kPair = R"(
kernels:
  long: {grid: 200, block: 256, program: [{loop: {count: 400, body: [{fp32: {distance: 1, count: 4}}]}}]}
  short: {grid: 60, block: 256, program: [{loop: {count: 40, body: [{fp32: {distance: 1, count: 4}}]}}]}
applications:
  - {name: a, streams: [{name: s, launches: [{kernel: long, alone_cycles: 60000}]}]}
  - {name: b, streams: [{name: s, launches: [{kernel: short, alone_cycles: 3000, release_us: 1}]}]}
)";

std::uint64_t end_of(const FinishedRun& run, const std::string& label) {
  for (const Json& kernel : run.result.at("kernels"))
    if (kernel.at("kernel") == label) return kernel.at("end_cycle");
  throw std::runtime_error("no kernel " + label);
}

TEST(KernelOrders, LetAShortKernelPassALongOneAsFarAsTheyMay) {
  const TestFolder folder;
  const std::string input = folder.write("pair.yaml", kPair);
  std::map<std::string, std::uint64_t> end, end_of_long;
  for (const std::string& order : kOrders) {
    const FinishedRun run = run_workload(input, with_order({"--gpu", "gtx480", "--set", "sms=5"}, order));
    end[order] = end_of(run, "short");
    end_of_long[order] = end_of(run, "long");
  }
  EXPECT_EQ(end["fifo"], end["leftover"]);
  EXPECT_EQ(end["sjf"], end["fifo"]);  // not preemptive: the long kernel has begun
  EXPECT_EQ(end["ljf"], end["fifo"]);
  EXPECT_LT(end["srtf_zero_sampling"], end["srtf"]);  // no sampling delay
  EXPECT_LT(end["srtf"], end["mpmax"]);
  EXPECT_LT(end["mpmax"], end["fifo"]);
  EXPECT_EQ(end["srtf_adaptive"], end["srtf"]);  // so much shorter that the long kernel hardly waits
  EXPECT_GE(end_of_long["srtf"], end_of_long["fifo"]);
}

TEST(KernelOrders, OnGtx480AKernelHasFilledTheGpuWhenAnotherComesAHundredCyclesLater) {
  const TestFolder folder;
  std::string text = kPair;
  text.replace(text.find("release_us: 1"), 13, "release_us: 0.143");  // 100 cycles at 700 MHz
  const FinishedRun run = run_workload(folder.write("pair.yaml", text), {"--gpu", "gtx480"});
  std::vector<std::uint64_t> starts;
  for (const BlockRow& row : run.blocks)
    if (row.kernel == "long") starts.push_back(row.start);
  std::sort(starts.begin(), starts.end());
  ASSERT_EQ(starts.size(), 200u);
  EXPECT_EQ(starts[4 * 15 - 1] - starts[0], 3u);  // four blocks of 256 threads an SM, one to each in a cycle
  const Json& kernels = run.result.at("kernels");
  EXPECT_EQ(kernels[1].at("arrived_cycle").get<std::uint64_t>(),
            kernels[0].at("arrived_cycle").get<std::uint64_t>() + 101);
}

TEST(KernelOrders, OraclesRefuseALaunchWithoutItsRuntimeBeforeTheRun) {
  const TestFolder folder;
  std::string text = kPair;
  const std::string told = ", alone_cycles: 3000";
  text.erase(text.find(told), told.size());
  const std::string input = folder.write("w.yaml", text);
  for (const std::string& order : kOrders) {
    const bool oracle = order == "sjf" || order == "ljf" || order == "srtf_zero_sampling";
    const Outcome outcome = run_program({"run", input, "--gpu", "gtx480", "--set",
                                         "work_distributor.kernel_order=" + order, "--out", folder.path(order)});
    EXPECT_EQ(outcome.code, oracle ? 2 : 0) << order;
    EXPECT_EQ(folder.files(order).empty(), oracle) << order;
    if (!oracle) continue;
    EXPECT_NE(outcome.err.find("w.yaml:7: launch short: found no alone_cycles"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("work_distributor.kernel_order=" + order), std::string::npos) << outcome.err;
  }
  for (const char* bad : {"0", "-5", "x", "1.5", "1000000000000001"}) {
    std::string wrong = kPair;
    wrong.replace(wrong.find("3000"), 4, bad);
    const Outcome outcome = run_program({"run", folder.write("bad.yaml", wrong), "--gpu", "gtx480"});
    EXPECT_EQ(outcome.code, 2) << bad;
    EXPECT_NE(outcome.err.find("bad.yaml:7: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("alone_cycles"), std::string::npos) << outcome.err;
  }
}

/// What one line of predictions.csv says; without the last two where the kernel has not ended.
struct PredictionRow {
  std::string kernel, over_actual;
  std::uint64_t sm = 0, cycle = 0, first = 0, done = 0, total = 0, t = 0, predicted = 0, actual = 0;
};

std::vector<PredictionRow> read_predictions(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "kernel,sm,cycle,first_of_slice,done_blocks,total_blocks,t_cycles,predicted_cycles,actual_cycles,"
            "predicted_over_actual");
  std::vector<PredictionRow> rows;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    EXPECT_EQ(fields.size(), 10u) << line;
    const auto number = [&](std::size_t i) { return fields[i].empty() ? 0 : std::stoull(fields[i]); };
    rows.push_back(
        {fields[0], fields[9], number(1), number(2), number(3), number(4), number(5), number(6), number(7), number(8)});
  }
  return rows;
}

TEST(Predictions, AreOneABlockWithWhatHappenedAndSummedUpInTheResult) {
  const TestFolder folder;
  const std::string input = folder.write("pair.yaml", kPair);
  for (const std::string order : {"fifo", "srtf", "mpmax"}) {
    const FinishedRun run = run_workload(input, with_order({"--gpu", "gtx480", "--set", "sms=5"}, order));
    const std::vector<PredictionRow> rows = read_predictions(run.predictions_text);
    ASSERT_EQ(rows.size(), run.blocks.size());
    std::map<std::pair<std::string, std::uint64_t>, std::vector<PredictionRow>> by_sm;
    for (const PredictionRow& row : rows) {
      EXPECT_NEAR(std::stod(row.over_actual), static_cast<double>(row.predicted) / static_cast<double>(row.actual),
                  0.00051);
      EXPECT_GE(row.predicted, row.t);
      by_sm[{row.kernel, row.sm}].push_back(row);
    }
    for (const Json& kernel : run.result.at("kernels")) {
      double least = 1e9, most = 0, sum = 0, last_sum = 0;
      unsigned sms = 0;
      for (const auto& [where, made] : by_sm) {
        if (where.first != kernel.at("kernel")) continue;
        ++sms;
        EXPECT_EQ(made.front().first, 1u);
        EXPECT_EQ(made.back().done, made.size());
        const auto over_actual = [](const PredictionRow& row) {
          return static_cast<double>(row.predicted) / static_cast<double>(row.actual);
        };
        sum += over_actual(made.front());
        least = std::min(least, over_actual(made.front()));
        most = std::max(most, over_actual(made.front()));
        last_sum += over_actual(*std::find_if(made.rbegin(), made.rend(), [](const auto& row) { return row.first; }));
      }
      const Json& summary = kernel.at("prediction");
      EXPECT_EQ(summary.at("sms"), sms);
      EXPECT_DOUBLE_EQ(summary.at("first_over_actual").at("min"), least);
      EXPECT_DOUBLE_EQ(summary.at("first_over_actual").at("max"), most);
      EXPECT_DOUBLE_EQ(summary.at("first_over_actual").at("mean"), sum / sms);
      EXPECT_DOUBLE_EQ(summary.at("last_slice_over_actual").at("mean"), last_sum / sms);
    }
  }
}

TEST(Predictions, OfAKernelThatDidNotEndHaveNothingToBeComparedWith) {
  const TestFolder folder;
  const FinishedRun run =
      run_workload(folder.write("pair.yaml", kPair), {"--gpu", "gtx480", "--set", "sms=5", "--max-cycles", "40000"});
  ASSERT_EQ(run.result.at("kernels").size(), 0u);
  const std::vector<PredictionRow> rows = read_predictions(run.predictions_text);
  EXPECT_GT(rows.size(), 10u);
  EXPECT_EQ(rows.size(), run.blocks.size());
  for (const PredictionRow& row : rows) {
    EXPECT_EQ(row.over_actual, "");
    EXPECT_EQ(row.actual, 0u);
    EXPECT_GT(row.predicted, 0u);
  }
}

}  // namespace
}  // namespace gputlm
