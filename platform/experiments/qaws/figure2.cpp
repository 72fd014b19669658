/// Figure 2 of qaws: two kernels that alone do not fill the GPU, and which of them meets its deadline in one stream, with a
/// stream of higher priority, side by side under a warp scheduler that does not know kernels, and under QAWS.
///
/// The paper draws neither kernels nor deadlines to scale. Here both kernels have 160 blocks of eight warps, of which an SM
/// holds one each (a block of K1 has more than half of the shared memory, one of K2 more than half of the registers:
/// "enforced to occupy max 50% of the GPU each"), so each kernel has two rounds of blocks. A warp repeatedly computes five
/// dependent FFMA and five dependent IADD, which leaves half of both pipes idle when a kernel is alone. The deadlines are
/// chosen so that the four cases differ: 1.2 times the time of K1 alone, and 1.47 times that of K2, just before K2 would end
/// in the second case.
///
/// GPGPU-Sim has no preemption (section II-B), and the second case consists of "sequential kernels": two applications in time
/// slices, where the slice of the first ends as soon as the second arrives, at a block boundary.
#include <fmt/format.h>

#include "platform/input/workload_file.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr double kK1Deadline = 1.2, kK2Deadline = 1.47;  ///< deadlines over the times alone

struct Case {
  const char* name;
  const char* key;           ///< key in reference.yaml
  const char* applications;  ///< name of a text of the plan
  const char* context;       ///< value of work_distributor.application
  bool qaws;
};

constexpr Case kCases[] = {
    {"1: one stream", "figure2.one_stream", "one stream", "concurrent", false},
    {"2: preemption at block boundaries", "figure2.preemption", "time slices", "time_sliced", false},
    {"3: side by side, LRR", "figure2.standard_warp_scheduler", "two applications", "partitioned", false},
    {"4: side by side, QAWS", "figure2.qaws", "two applications", "partitioned", true},
};

ExperimentReport figure2(const Study& all, const ExperimentOptions& options) {
  const auto run_of = [&](const std::string& applications, const std::string& context, const std::string& policy) {
    return Run{all.config_with({{"work_distributor.application", context}, {"sm.warp_scheduler", policy}}),
               load_workload_text(all.text("kernels") + applications, "figure 2", options.seed)};
  };
  RunSet<std::string> runs;
  for (const char* kernel : {"k1", "k2"}) {
    const std::string alone =
        fmt::format("applications:\n  - {{name: a, streams: [{{name: s, launches: [{}]}}]}}\n", kernel);
    runs.add(kernel, run_of(alone, "concurrent", "lrr"));
  }
  for (const Case& c : kCases)
    runs.add(c.name, run_of(all.text(c.applications), c.context, c.qaws ? options.policy("qaws") : "lrr"));
  runs.run(options.jobs());
  const auto outcomes = [&](const std::string& name) { return launch_outcomes(runs.result(name)); };
  const auto response = [](const LaunchOutcome& o) { return static_cast<double>(o.end - o.released); };
  const double alone_1 = response(outcomes("k1").at(0)), alone_2 = response(outcomes("k2").at(0));

  ExperimentReport report{"qaws"};
  Table times({{"case"}, {"k1", "", "Over K1 alone", "K1", 3}, {"k2", "", "Over K2 alone", "K2", 3}});
  times.add({"deadline", kK1Deadline, kK2Deadline});
  for (const Case& c : kCases) {
    const auto launches = outcomes(c.name);
    const double k1 = response(launches.at(0)) / alone_1, k2 = response(launches.at(1)) / alone_2;
    times.add({c.name, k1, k2});
    const bool first = k1 <= kK1Deadline, second = k2 <= kK2Deadline;
    report.equal(c.name, c.key, first && second ? "K1 and K2" : first ? "K1" : second ? "K2" : "none");
  }
  report.tables = {{"Response times over those alone, from the release to the end of the last block", times}};
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/figure2", figure2); }

}  // namespace
}  // namespace gputlm
