/// How streams and applications share the SMs (cuda-hierarchy, sections III-B and V-A), as schedules of blocks that wait for
/// a given time; the papers' time unit, a second, becomes a hundred microseconds.
#include <fmt/format.h>

#include <algorithm>

#include "platform/input/workload_file.h"
#include "platform/lab/chart.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr double kUnitUs = 100;
constexpr unsigned kAtOnce = 8;  // blocks of 512 threads that fit on its two SMs

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Kernels in the order in which their generations (as many blocks as the GPU holds) began; one name each.
std::string generations(const RunResult& result, const Workload& workload) {
  std::vector<BlockRecord> blocks = result.blocks;
  std::sort(blocks.begin(), blocks.end(), [](const BlockRecord& a, const BlockRecord& b) {
    return std::tie(a.start, a.kernel, a.block) < std::tie(b.start, b.kernel, b.block);
  });
  std::string text;
  for (std::size_t i = 0; i < blocks.size(); i += kAtOnce) {
    const std::string& label = workload.launches[result.kernels[blocks[i].kernel].command].label;
    for (std::size_t j = i; j < std::min(i + kAtOnce, blocks.size()); ++j) {
      if (blocks[j].kernel != blocks[i].kernel) return "mixed";
    }
    text += (text.empty() ? "" : " ") + label;
  }
  return text;
}

/// Start of the kernel's block of this number, in units.
double start_of(const RunResult& result, KernelId kernel, std::uint32_t block, double mhz) {
  const auto found = std::find_if(result.blocks.begin(), result.blocks.end(),
                                  [=](const BlockRecord& b) { return b.kernel == kernel && b.block == block; });
  return static_cast<double>(found->start - result.kernels[0].first_block) / mhz / kUnitUs;
}

/// Cycles in which blocks of both applications run.
Cycle together(const std::vector<ScheduledBlock>& blocks) {
  std::vector<std::tuple<Cycle, int, std::size_t>> all;
  for (const ScheduledBlock& block : blocks) {
    all.emplace_back(block.from, 1, block.series);
    all.emplace_back(block.until, -1, block.series);
  }
  std::sort(all.begin(), all.end());
  int running[2] = {0, 0};
  Cycle sum = 0, last = 0;
  for (const auto& [at, change, application] : all) {
    if (running[0] > 0 && running[1] > 0) sum += at - last;
    last = at;
    running[application] += change;
  }
  return sum;
}

bool copy_overlaps(const RunResult& result, const std::vector<ScheduledBlock>& blocks) {
  const CopyRecord& copy = result.copies.at(0);
  return std::any_of(blocks.begin(), blocks.end(), [&](const ScheduledBlock& block) {
    return block.series == 0 && block.from < copy.ended && block.until > copy.started;
  });
}

ExperimentReport streams(const Study& all, const ExperimentOptions& options) {
  const ParameterSettings ordered{{"work_distributor.kernel_order", options.policy("leftover")}};
  const auto run_of = [&](const std::string& text, const ParameterSettings& settings) {
    return Run{all.config_with(settings), load_workload_text(text, "cuda-hierarchy/streams", 1)};
  };
  RunSet<std::string> runs;
  runs.add("three kernels", run_of(all.text("three kernels"), ordered));
  runs.add("same priority", run_of(replaced(all.text("full SMs"), "PRIORITY", "0"), ordered));
  runs.add("higher priority", run_of(replaced(all.text("full SMs"), "PRIORITY", "-1"), ordered));
  runs.add("default stream", run_of(all.text("default stream"), ordered));
  for (const char* application : {"concurrent", "exclusive", "time_sliced"})
    runs.add(application, run_of(all.text("two applications"), {{"work_distributor.application", application}}));
  runs.run(options.jobs());

  ExperimentReport report{"cuda-hierarchy"};
  const double mhz = runs.request("three kernels").config.core_mhz;
  const unsigned sms = runs.request("three kernels").config.sms;
  const auto cycles = [mhz](double units) { return static_cast<Cycle>(units * kUnitUs * mhz); };
  const auto picture = [&](const std::string& key, const std::string& letters, double units) {
    const RunResult& result = runs.result(key);
    const Cycle begin = result.kernels[0].first_block;
    return schedule_text(schedule_of(launch_outcomes(result)), letters, sms, begin, begin + cycles(units),
                         cycles(0.125));
  };

  const RunResult& three = runs.result("three kernels");
  report.text = "K1, of low priority, at 0; K2 at 0.5 and K3 at 2.5 units, both of high priority; a column is 1/8\n" +
                picture("three kernels", "123", 6.5);
  report.equal("generations of blocks", "streams.generations",
               generations(three, runs.request("three kernels").workload));
  report.number("the rest of K1 begins, in units", "streams.rest_of_low", start_of(three, 0, kAtOnce, mhz), 2,
                Band::within(0.05));
  report.charts = {
      {schedule_chart(schedule_of(launch_outcomes(three)), {{"K1, low", ""}, {"K2, high", ""}, {"K3, high", ""}}, sms,
                      0, three.kernels[0].first_block + cycles(6.5), mhz)}};

  report.text +=
      "\nK1 has all SMs full when K2 comes, 1.3 units later, at the same priority (above) and at a higher one\n" +
      picture("same priority", "12", 5.5) + "\n" + picture("higher priority", "12", 5.5);
  report.number("full SMs: K2 of higher priority begins, in units", "streams.high_begins",
                start_of(runs.result("higher priority"), 1, 0, mhz), 2, Band::within(0.05),
                "at the boundary of K1's blocks");
  for (const auto& [key, fact] :
       {std::pair{"same priority", "same_priority"}, {"higher priority", "higher_priority"}}) {
    report.equal(fmt::format("full SMs: generations of blocks, {}", key), fmt::format("streams.{}", fact),
                 generations(runs.result(key), runs.request(key).workload));
  }

  const auto in_order = launch_outcomes(runs.result("default stream"));
  const bool beside = in_order[1].first_block < in_order[0].end || in_order[2].first_block < in_order[1].end;
  report.equal("default stream: runs beside others", "default_stream.beside_others", beside ? "sometimes" : "never");

  for (const std::string application : {"exclusive", "time_sliced"}) {
    const RunResult& result = runs.result(application);
    const std::vector<ScheduledBlock> blocks =
        schedule_of(result, applications_by_launch(runs.request(application).workload), false);
    const Cycle begin = result.kernels[0].first_block;
    const auto since = [&](Cycle at) { return static_cast<double>(at) / mhz / kUnitUs; };
    report.text += fmt::format("\nApplications a and b, {}; the copy of b is from {:.2f} to {:.2f} units\n{}",
                               application, since(result.copies.at(0).started), since(result.copies.at(0).ended),
                               schedule_text(blocks, "ab", sms, begin, begin + cycles(7), cycles(0.125)));
    report.equal(application + ": cycles with blocks of both applications", "applications.blocks_of_both",
                 std::to_string(together(blocks)));
    report.equal(application + ": one copies while the other computes", "applications.copy_overlaps",
                 copy_overlaps(result, blocks) ? "yes" : "no");
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/streams", streams); }

}  // namespace
}  // namespace gputlm
