/// Section 6.2.5 of srtf: the second kernel arrives after a quarter, or half, of the first one's runtime.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/srtf/table.h"
#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

ExperimentReport arrival(const Study& all, const ExperimentOptions& options) {
  SrtfRuns runs(srtf_kernels(options), options);
  const std::vector<std::string> orders = all.values("work_distributor.kernel_order");
  constexpr std::size_t kFifo = 0, kMpmax = 1, kSrtf = 2, kAdaptive = 3;
  ExperimentReport report{"srtf"};
  std::vector<SrtfTable> tables;
  for (const unsigned percent : all.numbers("arrival in per cent")) {
    const SrtfTable& t = tables.emplace_back(
        run_srtf_table(runs, orders, [&](std::size_t first) { return runs.alone_cycles(first) * percent / 100; }));
    add_srtf_table(report, t, fmt::format("{}-percent", percent),
                   fmt::format(", the second kernel after {} % of the first one's runtime", percent));
    const auto name = [&](const char* what) { return fmt::format("{} %: {}", percent, what); };
    const bool lowest = t.antt(kSrtf) <= std::min({t.antt(kFifo), t.antt(kMpmax), t.antt(kAdaptive)});
    const bool fairer = t.strictf(kSrtf) >= std::max(t.strictf(kFifo), t.strictf(kMpmax));
    report.yes(name("srtf has the highest STP of those that can be built"), "arrival.srtf_has_highest_stp",
               t.stp(kSrtf) >= std::max({t.stp(kFifo), t.stp(kMpmax), t.stp(kAdaptive)}));
    const auto well = [&](const char* what, bool holds) {
      report.trend(name(what), "arrival.srtf_performs_well", holds ? "yes" : "no", "yes", holds);
    };
    well("srtf has the lowest ANTT of those that can be built", lowest);
    well("srtf is fairer than fifo and mpmax", fairer);
  }
  const auto add_gap = [&](const char* what, auto metric) {
    const auto gap = [&](const SrtfTable& t) {
      std::vector<double> values;
      for (std::size_t row = 0; row < orders.size(); ++row) values.push_back((t.*metric)(row));
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      return *most - *least;
    };
    const double early = gap(tables[0]), late = gap(tables[1]);
    report.trend(fmt::format("between the kernel orders: {} apart", what), "arrival.gaps",
                 fmt::format("{:.3f}, {:.3f}", early, late), "shrinks", late < early);
  };
  add_gap("STP", &SrtfTable::stp);
  add_gap("ANTT", &SrtfTable::antt);
  add_gap("fairness", &SrtfTable::strictf);
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/arrival", arrival, {"arrival in per cent"}); }

}  // namespace
}  // namespace gputlm
