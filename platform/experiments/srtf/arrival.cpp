/// Section 6.2.5 of srtf: the second kernel arrives when the first has executed for a quarter, or half, of its runtime.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/matrix.h"
#include "platform/lab/reference.h"

namespace gputlm {

GPUTLM_REGISTER {
  experiments().add({{"srtf/arrival", 505},
                     "The same when the second kernel arrives late (section 6.2.5)",
                     [](const ExperimentOptions& options) { return srtf_arrival(options); }});
}

ExperimentReport srtf_arrival(const ExperimentOptions& options, const std::string& order) {
  const Reference& paper = reference("srtf");
  SrtfRuns runs(srtf_kernels(options), options);
  const Matrix all = matrix("srtf/arrival", options.quick);
  const std::vector<std::string> orders = all.values("work_distributor.kernel_order", "srtf", order);
  constexpr std::size_t kFifo = 0, kMpmax = 1, kSrtf = 2, kAdaptive = 3;
  ExperimentReport report;
  std::vector<SrtfTable> tables;
  for (const unsigned percent : all.numbers("arrival in per cent")) {
    tables.push_back(
        run_srtf_table(runs, orders, [&](std::size_t first) { return runs.alone_cycles(first) * percent / 100; }));
    report.text += fmt::format("The second kernel arrives after {} % of the first one's runtime\n", percent) +
                   summary_text(tables.back());
    if (!options.out.empty()) write_srtf_files(tables.back(), fmt::format("{}/srtf-arrival-{}", options.out, percent));
    const SrtfTable& t = tables.back();
    const auto best = [&](auto metric) {
      return (t.*metric)(kSrtf) >= std::max({(t.*metric)(kFifo), (t.*metric)(kMpmax), (t.*metric)(kAdaptive)});
    };
    const bool lowest = t.antt(kSrtf) <= std::min({t.antt(kFifo), t.antt(kMpmax), t.antt(kAdaptive)});
    const bool fairer = t.strictf(kSrtf) >= std::max(t.strictf(kFifo), t.strictf(kMpmax));
    const auto name = [&](const char* what) { return fmt::format("{} %: {}", percent, what); };
    const auto word = [](bool yes) { return yes ? "yes" : "no"; };
    report.figures.push_back({name("srtf has the highest STP of those that can be built"),
                              paper.at("arrival.srtf_has_highest_stp"), word(best(&SrtfTable::stp)), Band::exact(),
                              ""});
    report.figures.push_back({name("srtf has the lowest ANTT of those that can be built"),
                              paper.at("arrival.srtf_performs_well"), word(lowest), Band::trend("yes", lowest), ""});
    report.figures.push_back({name("srtf is fairer than fifo and mpmax"), paper.at("arrival.srtf_performs_well"),
                              word(fairer), Band::trend("yes", fairer), ""});
  }
  const auto gap = [&](const SrtfTable& t, auto metric) {
    std::vector<double> values;
    for (std::size_t row = 0; row < orders.size(); ++row) values.push_back((t.*metric)(row));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most - *least;
  };
  const auto add_gap = [&](const char* what, auto metric) {
    const double early = gap(tables[0], metric), late = gap(tables[1], metric);
    report.figures.push_back({fmt::format("between the kernel orders: {} apart", what), paper.at("arrival.gaps"),
                              fmt::format("{:.3f}, {:.3f}", early, late), Band::trend("shrinks", late < early), ""});
  };
  add_gap("STP", &SrtfTable::stp);
  add_gap("ANTT", &SrtfTable::antt);
  add_gap("fairness", &SrtfTable::strictf);
  return report;
}

}  // namespace gputlm
