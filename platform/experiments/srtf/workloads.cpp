/// Table 5 of srtf: every pair of ERCBench kernels, in both orders, under every kernel order; with the same per workload
/// (figures 14 to 16), the study that motivates it (figure 1), SRTF without sampling (section 6.2.2) and the worst
/// turnaround times (section 6.2.3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

/// Of table 5, and section 6.2.2's.
constexpr std::array<const char*, 6> kOrders{"fifo", "mpmax", "srtf", "srtf_adaptive", "sjf", "srtf_zero_sampling"};
constexpr std::size_t kFifo = 0, kMpmax = 1, kSrtf = 2, kAdaptive = 3, kSjf = 4, kZero = 5;
constexpr double kWithin = 0.10;
constexpr double kWorstWithin = 0.30;

/// Figures beside the paper's. With `quick`, not all of its workloads are there, so that none is judged by its number.
class Figures {
 public:
  explicit Figures(bool quick) : quick_(quick) {}
  void within(double share, std::string name, const std::string& key, double ours) {
    figures_.push_back({std::move(name), paper_.at(key), Quantity::number(ours, 2),
                        quick_ ? Band::compared() : Band::within_share(share), quick_ ? "not of all workloads" : ""});
  }
  void yes(std::string name, const std::string& key, bool holds) {
    figures_.push_back({std::move(name), paper_.at(key), holds ? "yes" : "no", Band::exact(), ""});
  }
  void compared(std::string name, const std::string& key, const std::string& ours, std::string note = "") {
    figures_.push_back({std::move(name), paper_.at(key), ours, Band::compared(), std::move(note)});
  }
  std::vector<Figure> take() { return std::move(figures_); }

 private:
  const Reference& paper_ = reference("srtf");
  bool quick_;
  std::vector<Figure> figures_;
};

/// Figure 1: pairs launched in the order of their names, under FIFO, and as the shorter or the longer first gives.
void add_motivation(const SrtfTable& table, Figures& figures) {
  std::vector<double> sjf, fifo, ljf;
  std::size_t like_sjf = 0, like_ljf = 0, like_both = 0;
  for (std::size_t w = 0; w < table.workloads.size(); w += 2) {  // A+B, and B+A after it
    const SrtfOutcome& ab = table.rows[kFifo][w];
    const double one = ab.stp(), other = table.rows[kFifo][w + 1].stp();
    const bool shorter_first = ab.alone[0] <= ab.alone[1];
    fifo.push_back(one);
    sjf.push_back(shorter_first ? one : other);
    ljf.push_back(shorter_first ? other : one);
    if (std::abs(one / other - 1) < 0.01) {
      ++like_both;
    } else {
      ++(shorter_first ? like_sjf : like_ljf);
    }
  }
  figures.within(kWithin, "figure 1: STP, shorter first", "motivation.shorter_first", geometric_mean(sjf));
  figures.within(kWithin, "figure 1: STP, by name", "motivation.by_name", geometric_mean(fifo));
  figures.within(kWithin, "figure 1: STP, longer first", "motivation.longer_first", geometric_mean(ljf));
  figures.compared("figure 1: pairs by name as with the shorter first, the longer first, either", "motivation.pairs",
                   fmt::format("{}, {}, {}", like_sjf, like_ljf, like_both), "the same: STP within 1 %");
}

void add_workloads(const SrtfTable& table, Figures& figures) {
  const auto worst = [&](std::size_t row) {
    const auto& outcomes = table.rows[row];
    return static_cast<std::size_t>(
        std::max_element(outcomes.begin(), outcomes.end(),
                         [](const SrtfOutcome& a, const SrtfOutcome& b) { return a.antt() < b.antt(); }) -
        outcomes.begin());
  };
  for (const std::size_t row : {kFifo, kSrtf, kAdaptive, kMpmax}) {
    const std::size_t w = worst(row);
    figures.within(kWorstWithin, fmt::format("worst ANTT: {} ({})", kOrders[row], name_of(table.workloads[w])),
                   std::string("worst_antt.") + kOrders[row], table.rows[row][w].antt());
  }
  std::size_t differ = 0, fairest = 0, mpmax_better = 0;
  for (std::size_t w = 0; w < table.workloads.size(); ++w) {
    const SrtfOutcome& adaptive = table.rows[kAdaptive][w];
    differ += adaptive.turnaround != table.rows[kSrtf][w].turnaround;
    fairest += adaptive.strictf() >= std::max({table.rows[kFifo][w].strictf(), table.rows[kMpmax][w].strictf(),
                                               table.rows[kSrtf][w].strictf()});
    mpmax_better += table.rows[kMpmax][w].stp() > table.rows[kFifo][w].stp();
  }
  const auto of = [&](std::size_t n) { return fmt::format("{} of {}", n, table.workloads.size()); };
  figures.compared("workloads that share under srtf_adaptive", "adaptive.share", of(differ),
                   "ours: those that it runs in another way than srtf");
  figures.compared("workloads where srtf_adaptive is the fairest that can be built", "adaptive.fairest", of(fairest));
  figures.compared("workloads with a higher STP under mpmax than under fifo", "mpmax_over_fifo.higher_stp",
                   of(mpmax_better));
  for (std::size_t w = 0; w < table.workloads.size(); ++w) {
    if (name_of(table.workloads[w]) != "Ray+JPEG-d") continue;
    figures.within(kWorstWithin, "Ray+JPEG-d under fifo: slowdown of JPEG-d", "fifo_slowdown.jpeg_d_after_ray",
                   table.rows[kFifo][w].slowdown(1));
  }
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"srtf/workloads", 504},
                     "56 workloads of two kernels under six kernel orders (table 5, figures 1 and 14 to 16)",
                     [](const ExperimentOptions& options) { return srtf_workloads(options); }});
}

ExperimentReport srtf_workloads(const ExperimentOptions& options, const std::string& order) {
  SrtfRuns runs(srtf_kernels(options), options);
  const std::vector<std::string> orders =
      matrix("srtf/workloads", options.quick).values("work_distributor.kernel_order", "srtf", order);
  const SrtfTable table = run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; });

  Figures figures(options.quick);
  for (std::size_t row = 0; row <= kSjf; ++row) {
    const std::string name = kOrders[row], key = "table5." + name;
    figures.within(kWithin, "STP: " + name, key + ".stp", table.stp(row));
    figures.within(kWithin, "ANTT: " + name, key + ".antt", table.antt(row));
    figures.within(kWithin, "fairness: " + name, key + ".fairness", table.strictf(row));
  }
  const double srtf = table.stp(kSrtf), adaptive = table.stp(kAdaptive);
  const double mpmax = table.stp(kMpmax), fifo = table.stp(kFifo);
  figures.yes("STP falls from sjf over srtf to srtf_adaptive", "orders.stp_sjf_srtf_adaptive",
              table.stp(kSjf) > srtf && srtf > adaptive);
  if (!options.quick) {  // without SHA1 fifo gains more by waiting than others lose
    figures.yes("STP falls from srtf_adaptive over mpmax to fifo", "orders.stp_adaptive_mpmax_fifo",
                adaptive > mpmax && mpmax > fifo);
  }
  figures.yes("srtf_adaptive is the fairest of those that can be built", "orders.adaptive_is_fairest",
              table.strictf(kAdaptive) > std::max({table.strictf(kSrtf), table.strictf(kMpmax), table.strictf(kFifo)}));
  figures.yes("srtf has a lower ANTT than mpmax and fifo", "orders.srtf_antt_below_mpmax_and_fifo",
              table.antt(kSrtf) < std::min(table.antt(kMpmax), table.antt(kFifo)));
  figures.within(kWithin, "STP: srtf_zero_sampling", "zero_sampling.stp", table.stp(kZero));
  figures.within(kWithin, "ANTT: srtf_zero_sampling", "zero_sampling.antt", table.antt(kZero));
  add_motivation(table, figures);
  add_workloads(table, figures);
  if (!options.out.empty()) write_srtf_files(table, options.out + "/srtf-workloads");
  return {workloads_text(table) + summary_text(table), figures.take()};
}

}  // namespace gputlm
