#include "platform/experiments/srtf/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

using Metric = double (SrtfOutcome::*)() const;

double mean_of(const std::vector<SrtfOutcome>& row, Metric metric) {
  std::vector<double> values;
  values.reserve(row.size());
  for (const SrtfOutcome& outcome : row) values.push_back((outcome.*metric)());
  return geometric_mean(values);
}

/// Puts the shorter kernel's turnaround first, for a workload that launches the kernels in the other order.
SrtfOutcome swapped(SrtfOutcome outcome) {
  std::swap(outcome.alone[0], outcome.alone[1]);
  std::swap(outcome.turnaround[0], outcome.turnaround[1]);
  std::swap(outcome.launches[0], outcome.launches[1]);
  return outcome;
}

constexpr std::size_t kFifo = 0, kMpmax = 1, kSrtf = 2, kAdaptive = 3, kSjf = 4, kZero = 5;
constexpr std::array<std::size_t, 4> kRealizable{kFifo, kMpmax, kSrtf, kAdaptive};

using RowMetric = double (SrtfTable::*)(std::size_t) const;

/// The workloads, and the number of them for which a claim holds.
class Claims {
 public:
  explicit Claims(const SrtfTable& table) : table_(table) {}

  const SrtfTable& table() const { return table_; }
  const SrtfOutcome& at(std::size_t row, std::size_t w) const { return table_.rows[row][w]; }
  /// Indices of the workloads for which it holds.
  template <class Test>
  std::size_t count(Test test) const {
    std::size_t n = 0;
    for (std::size_t w = 0; w < table_.workloads.size(); ++w) n += test(w);
    return n;
  }
  double percent(std::size_t n) const {
    return 100 * ratio(static_cast<double>(n), static_cast<double>(table_.workloads.size()));
  }

 private:
  const SrtfTable& table_;
};

struct NamedMetric {
  const char* name;
  const char* key;
  RowMetric of;
  bool lower_is_better;
};
constexpr std::array<NamedMetric, 3> kMetrics{{{"STP", "stp", &SrtfTable::stp, false},
                                               {"ANTT", "antt", &SrtfTable::antt, true},
                                               {"fairness", "fairness", &SrtfTable::strictf, false}}};

/// By how much the row is better than another, as a ratio; for ANTT, the other's value over its own.
void add_ratios(ExperimentReport& report, const Claims& claims, std::size_t row, std::size_t other,
                const std::string& key, std::size_t metrics) {
  for (std::size_t m = 0; m < metrics; ++m) {
    const NamedMetric& metric = kMetrics[m];
    const double own = (claims.table().*metric.of)(row), its = (claims.table().*metric.of)(other);
    report.number(fmt::format("{} better than {}: {}, times", kSrtfOrders[row], kSrtfOrders[other], metric.name),
                  fmt::format("over.{}.{}", key, metric.key), metric.lower_is_better ? its / own : own / its, 2,
                  Band::table());
  }
}

void add_table5(ExperimentReport& report, const Claims& claims) {
  const SrtfTable& t = claims.table();
  for (std::size_t row = 0; row <= kSjf; ++row) {
    for (const NamedMetric& metric : kMetrics) {
      report.number(fmt::format("{}: {}", metric.name, kSrtfOrders[row]),
                    fmt::format("table5.{}.{}", kSrtfOrders[row], metric.key), (t.*metric.of)(row), 2, Band::table());
    }
  }
  report.number("STP: srtf_zero_sampling", "zero_sampling.stp", t.stp(kZero), 2, Band::table());
  report.number("ANTT: srtf_zero_sampling", "zero_sampling.antt", t.antt(kZero), 2, Band::table());
  add_ratios(report, claims, kSrtf, kFifo, "srtf_fifo", 3);
  add_ratios(report, claims, kSrtf, kMpmax, "srtf_mpmax", 2);
  add_ratios(report, claims, kAdaptive, kFifo, "srtf_adaptive_fifo", 3);
  add_ratios(report, claims, kZero, kSrtf, "zero_sampling_srtf", 2);
  report.number("srtf_adaptive over srtf: STP", "over.srtf_adaptive_srtf.stp", t.stp(kAdaptive) / t.stp(kSrtf), 2,
                Band::table());
  report.number("srtf_adaptive over srtf: ANTT", "over.srtf_adaptive_srtf.antt", t.antt(kAdaptive) / t.antt(kSrtf), 2,
                Band::table());
  report.number("STP of srtf below sjf's, per cent", "gap.below_sjf", 100 * (1 - t.stp(kSrtf) / t.stp(kSjf)), 2,
                Band::table());
  report.number("of the gap from fifo's STP to sjf's, srtf's share, per cent", "gap.bridged",
                100 * (t.stp(kSrtf) - t.stp(kFifo)) / (t.stp(kSjf) - t.stp(kFifo)), 0, Band::table());
}

/// The ranking of kernel orders: section 6.2.1. The quick form lacks SHA1, without which fifo gains more from waiting than
/// others lose.
void add_orders(ExperimentReport& report, const Claims& claims, bool quick) {
  const SrtfTable& t = claims.table();
  report.yes("STP falls from sjf over srtf to srtf_adaptive", "orders.stp_sjf_srtf_adaptive",
             t.stp(kSjf) > t.stp(kSrtf) && t.stp(kSrtf) > t.stp(kAdaptive));
  if (!quick) {
    report.yes("STP falls from srtf_adaptive over mpmax to fifo", "orders.stp_adaptive_mpmax_fifo",
               t.stp(kAdaptive) > t.stp(kMpmax) && t.stp(kMpmax) > t.stp(kFifo));
  }
  report.yes("srtf_adaptive is the fairest of those that can be built", "orders.adaptive_is_fairest",
             t.strictf(kAdaptive) > std::max({t.strictf(kSrtf), t.strictf(kMpmax), t.strictf(kFifo)}));
  report.yes("srtf has a lower ANTT than mpmax and fifo", "orders.srtf_antt_below_mpmax_and_fifo",
             t.antt(kSrtf) < std::min(t.antt(kMpmax), t.antt(kFifo)));
}

/// Figure 1: pairs launched in alphabetical order, under FIFO, and with the shorter or the longer kernel first.
void add_motivation(ExperimentReport& report, const Claims& claims) {
  // Run sequentially with the runtimes of table 3, the three pairs of about equal runtime (AES, JPEG, and RayTracing with
  // SAD) differ by up to 1.9 %, all others by more than 15 %.
  constexpr double kSame = 0.02;
  std::vector<double> sjf, fifo, ljf;
  std::size_t like_sjf = 0, like_ljf = 0, like_both = 0;
  for (std::size_t w = 0; w < claims.table().workloads.size(); w += 2) {  // A+B, and B+A after it
    const SrtfOutcome& ab = claims.at(kFifo, w);
    const double one = ab.stp(), other = claims.at(kFifo, w + 1).stp();
    const bool shorter_first = ab.alone[0] <= ab.alone[1];
    fifo.push_back(one);
    sjf.push_back(shorter_first ? one : other);
    ljf.push_back(shorter_first ? other : one);
    if (std::abs(one / other - 1) < kSame) {
      ++like_both;
    } else {
      ++(shorter_first ? like_sjf : like_ljf);
    }
  }
  const double best = geometric_mean(sjf), by_name = geometric_mean(fifo), worst = geometric_mean(ljf);
  report.number("figure 1: STP, shorter first", "motivation.shorter_first", best, 2, Band::table());
  report.number("figure 1: STP, by name", "motivation.by_name", by_name, 2, Band::table());
  report.number("figure 1: STP, longer first", "motivation.longer_first", worst, 2, Band::table());
  const auto lost = [&](const char* name, const char* key, double stp) {
    const double least = 0.9 * (1 + reference("srtf").number(key) / 100), most = least / 0.9 * 1.1;
    report.number(name, key, 100 * (best / stp - 1), 0,
                  Band::range(100 * (least - 1), 100 * (most - 1), 0).named("1 + it: within 10 %"));
  };
  lost("figure 1: lost against the shorter first, by name, per cent", "motivation.lost_by_name", by_name);
  lost("figure 1: lost against the shorter first, the longer first, per cent", "motivation.lost_at_worst", worst);
  const auto pairs = [&](const char* name, const char* key, std::size_t n) {
    report.number(name, key, static_cast<double>(n), 0, Band::table(), "the same: STP within 2 %");
  };
  pairs("figure 1: pairs by name as with the shorter first", "motivation.like_shorter_first", like_sjf);
  pairs("figure 1: pairs by name as with the longer first", "motivation.like_longer_first", like_ljf);
  pairs("figure 1: pairs for which the order does not matter", "motivation.like_either", like_both);
}

/// Section 6.2.2.
void add_throughput(ExperimentReport& report, const Claims& claims) {
  const auto stp = [&](std::size_t row, std::size_t w) { return claims.at(row, w).stp(); };
  const std::size_t highest = claims.count([&](std::size_t w) {
    return std::all_of(kRealizable.begin(), kRealizable.end(),
                       [&](std::size_t row) { return stp(kSrtf, w) >= 0.99 * stp(row, w); });
  });
  report.number("workloads where no other that can be built has a higher STP than srtf, per cent",
                "throughput.srtf_highest", claims.percent(highest), 0, Band::above(90), "higher: by more than 1 %");
  report.number("workloads with a higher STP under mpmax than under fifo, per cent", "throughput.mpmax_above_fifo",
                claims.percent(claims.count([&](std::size_t w) { return stp(kMpmax, w) > stp(kFifo, w); })), 0,
                Band::range(50, 60, 0));
  report.number("workloads with a higher STP under mpmax than under sjf", "throughput.mpmax_above_sjf",
                static_cast<double>(claims.count([&](std::size_t w) { return stp(kMpmax, w) > stp(kSjf, w); })), 0,
                Band::table());
  auto least_slowdown = static_cast<double>(kNever);
  for (std::size_t w = 0; w < claims.table().workloads.size(); ++w) {
    if (ercbench()[claims.table().workloads[w][1]].short_name == "SHA1")
      least_slowdown = std::min(least_slowdown, claims.at(kMpmax, w).slowdown(1));
  }
  report.number("SHA1 arriving second under mpmax: faster than alone by up to, per cent",
                "throughput.sha1_second_faster", 100 * (1 - least_slowdown), 0, Band::peak());
  for (std::size_t w = 0; w < claims.table().workloads.size(); ++w) {
    if (name_of(claims.table().workloads[w]) != "Ray+JPEG-d") continue;
    const double fifo = claims.at(kFifo, w).slowdown(1), srtf = claims.at(kSrtf, w).slowdown(1);
    report.number("Ray+JPEG-d: slowdown of JPEG-d under fifo", "jpeg_d_after_ray.fifo", fifo, 2, Band::peak());
    report.number("Ray+JPEG-d: slowdown of JPEG-d under srtf", "jpeg_d_after_ray.srtf", srtf, 2,
                  Band::trend("below fifo's", srtf < fifo));
  }
}

/// Section 6.2.3.
void add_turnaround(ExperimentReport& report, const Claims& claims) {
  const auto antt = [&](std::size_t row, std::size_t w) { return claims.at(row, w).antt(); };
  /// Workloads in descending order of ANTT.
  const auto worst_first = [&](std::size_t row) {
    std::vector<std::size_t> order(claims.table().workloads.size());
    for (std::size_t w = 0; w < order.size(); ++w) order[w] = w;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return antt(row, a) > antt(row, b); });
    return order;
  };
  for (const std::size_t row : {kFifo, kSrtf, kAdaptive, kMpmax}) {
    const std::vector<std::size_t> order = worst_first(row);
    const std::string name = std::string("worst ANTT: ") + kSrtfOrders[row];
    report.number(name, std::string("worst_antt.") + kSrtfOrders[row], antt(row, order[0]), 2, Band::peak());
    report.equal(name + ", workload", "worst_antt.workload", name_of(claims.table().workloads[order[0]]));
    if (row == kSrtf)
      report.equal("next to the worst ANTT: srtf, workload", "worst_antt.next",
                   name_of(claims.table().workloads[order[1]]));
  }
  constexpr double kAlike = 1.1;
  const std::size_t alike = claims.count([&](std::size_t w) {
    std::vector<double> all;
    for (const std::size_t row : kRealizable) all.push_back(antt(row, w));
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return *most < kAlike * *least;
  });
  report.number("workloads whose ANTT is nearly the same under all that can be built, per cent", "turnaround.alike",
                claims.percent(alike), 0, Band::peak(), "nearly: within 10 %");
  const std::size_t lowest = claims.count([&](std::size_t w) {
    return std::min(antt(kSrtf, w), antt(kAdaptive, w)) <= 1.01 * std::min(antt(kFifo, w), antt(kMpmax, w));
  });
  report.number("workloads where srtf or srtf_adaptive has the lowest ANTT", "turnaround.srtf_lowest",
                static_cast<double>(lowest), 0, Band::table(), "or is within 1 % of it");
}

/// Section 6.2.4.
void add_fairness(ExperimentReport& report, const Claims& claims) {
  const auto strictf = [&](std::size_t row, std::size_t w) { return claims.at(row, w).strictf(); };
  const std::size_t share =
      claims.count([&](std::size_t w) { return claims.at(kAdaptive, w).turnaround != claims.at(kSrtf, w).turnaround; });
  report.number("workloads that share under srtf_adaptive", "adaptive.share", static_cast<double>(share), 0,
                Band::table(), "those that it runs in another way than srtf");
  const std::size_t fairest = claims.count([&](std::size_t w) {
    return strictf(kAdaptive, w) >= std::max({strictf(kFifo, w), strictf(kMpmax, w), strictf(kSrtf, w)});
  });
  report.number("workloads where srtf_adaptive is the fairest that can be built", "adaptive.fairest",
                static_cast<double>(fairest), 0, Band::table());
  const std::size_t fairer = claims.count([&](std::size_t w) { return strictf(kMpmax, w) > strictf(kFifo, w); });
  report.number("workloads where mpmax is fairer than fifo, per cent", "mpmax_fairer_than_fifo.workloads",
                claims.percent(fairer), 0, Band::table());
}

}  // namespace

double SrtfTable::stp(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::stp); }
double SrtfTable::antt(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::antt); }
double SrtfTable::strictf(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::strictf); }

SrtfTable run_srtf_table(SrtfRuns& runs, const std::vector<std::string>& orders,
                         const std::function<Cycle(std::size_t first)>& apart) {
  SrtfTable table{orders, {}, {}};
  for (const SrtfPair& pair : runs.pairs()) {
    table.workloads.push_back(pair);
    table.workloads.push_back({pair[1], pair[0]});
  }
  const auto launched = [&](const SrtfPair& workload, const std::string& order) {
    SrtfPair pair = workload;
    if (order == "sjf") {
      std::sort(pair.begin(), pair.end());
      if (runs.alone_cycles(pair[1]) < runs.alone_cycles(pair[0])) std::swap(pair[0], pair[1]);
    }
    return SrtfRun{pair, order, apart(pair[0])};
  };
  for (const std::string& order : orders) {
    for (const SrtfPair& workload : table.workloads) runs.add(launched(workload, order));
  }
  runs.run();
  for (const std::string& order : orders) {
    std::vector<SrtfOutcome>& row = table.rows.emplace_back();
    for (const SrtfPair& workload : table.workloads) {
      const SrtfRun run = launched(workload, order);
      row.push_back(run.pair == workload ? runs[run] : swapped(runs[run]));
    }
  }
  return table;
}

Table srtf_means() {
  return Table({{"kernel_order", "", "", "kernel order"},
                {"stp", "", "System throughput", "STP", 2},
                {"antt", "", "Mean normalised turnaround time", "ANTT", 2},
                {"strictf", "", "StrictF", "fairness", 2}});
}

void add_srtf_table(ExperimentReport& report, const SrtfTable& table, const std::string& name,
                    const std::string& when) {
  const auto file = [&](const char* what) { return name + (name.empty() || !*what ? "" : "-") + what; };
  Table means = srtf_means();
  Table all({{"workload"},
             {"kernel_order", "", "", "kernel order"},
             {"first_alone_cycles", "core cycles"},
             {"second_alone_cycles", "core cycles"},
             {"first_turnaround_cycles", "core cycles"},
             {"second_turnaround_cycles", "core cycles"},
             {"stp", "", "system throughput (STP)", "", 2},
             {"antt", "", "mean normalised turnaround time (ANTT)", "", 2},
             {"strictf", "", "fairness (StrictF)", "", 2}});
  for (std::size_t row = 0; row < table.orders.size(); ++row) {
    means.add({table.orders[row], table.stp(row), table.antt(row), table.strictf(row)});
    for (std::size_t w = 0; w < table.workloads.size(); ++w) {
      const SrtfOutcome& o = table.rows[row][w];
      all.add({name_of(table.workloads[w]), table.orders[row], o.alone[0], o.alone[1], o.turnaround[0], o.turnaround[1],
               o.stp(), o.antt(), o.strictf()});
    }
  }
  report.tables.push_back(
      {fmt::format("{} workloads{}, geometric means", table.workloads.size(), when), std::move(means), file("means")});
  for (const char* metric : {"stp", "antt", "strictf"}) {
    constexpr double kCut = 10;  // a value of 400 would dwarf the others
    const Table by_order = pivot(all, {"workload"}, "kernel_order", {metric});
    std::vector<std::string> bars;
    for (std::size_t i = 1; i < by_order.columns().size(); ++i) bars.push_back(by_order.columns()[i].name);
    const std::string& meaning = all.columns()[all.column(metric)].meaning;
    report.charts.push_back({bar_chart(by_order, meaning, {"workload"}, bars, kCut), file(metric)});
    report.tables.push_back({"Each workload" + when + ": " + meaning, by_order, file(metric)});
  }
  report.tables.push_back({"", std::move(all), name});
}

void add_srtf_claims(ExperimentReport& report, const SrtfTable& table, bool quick) {
  const Claims claims(table);
  add_orders(report, claims, quick);
  if (quick) return;
  add_table5(report, claims);
  add_motivation(report, claims);
  add_throughput(report, claims);
  add_turnaround(report, claims);
  add_fairness(report, claims);
}

}  // namespace gputlm
