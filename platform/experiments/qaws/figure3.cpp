/// Figure 3 of qaws: the warp execution order of two kernels of nine instructions in one sub-core.
///
/// The text describes events (section IV-A, "Example" and "Analysis"), but not the instructions. kLatencies is fitted to
/// these events: one of the two sequences of latencies up to eight cycles that meet all of them within a cycle, and the two
/// mean times when rounded (sequences_within() searches all 7 * 8^7). None meets all of them exactly. LRR is what section
/// II-A describes, illustrated by this figure: the same warp until it stalls.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "models/sm/qaws.h"
#include "platform/experiments/qaws/timeline.h"
#include "platform/input/workload_file.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"

namespace gputlm {
namespace {

constexpr Latencies kLatencies{2, 1, 3, 1, 1, 2, 3, 1};

/// A statement of the text about the figure.
const Quantity& paper(const std::string& key) { return reference("qaws").at("figure3." + key); }

Cycle paper_cycle(const std::string& key) { return static_cast<Cycle>(*paper(key).number()); }

struct Figure3 {
  Timeline gto, lrr, qaws_4, qaws_6;
};

Figure3 draw(Cycle k2_arrives) {
  const auto timeline = [=](const char* policy, const char* name, unsigned budget) {
    Timeline result = issue_timeline(*make_warp_scheduler(policy), kLatencies, budget, k2_arrives);
    result.name = name;
    return result;
  };
  return {timeline("gto", "GTO", 1), timeline("lrr_greedy", "LRR", 1), timeline("qaws", "QAWS 4", 4),
          timeline("qaws", "QAWS 6", 6)};
}

bool within(Cycle ours, Cycle paper, Cycle slack) { return ours + slack >= paper && ours <= paper + slack; }

bool rounds_to(double ours, double paper) { return std::abs(ours - paper) <= 0.5; }

/// Number of sequences of latencies from 1 to 8 in which every event is within `slack` cycles, and both means agree when
/// rounded.
std::size_t sequences_within(Cycle slack) {
  constexpr Cycle kMaxLatency = 8;
  const TimelineEvents text{paper_cycle("takeover"),          paper_cycle("next_stall"),
                            paper_cycle("qaws_4.back_to_k1"), paper_cycle("qaws_4.alone"),
                            paper_cycle("qaws_4.reissued"),   paper_cycle("qaws_6.back_to_k1")};
  const double mean_gto = *paper("mean_end.gto").number(), mean_qaws_6 = *paper("mean_end.qaws_6").number();
  std::size_t found = 0;
  Latencies latencies;
  latencies.fill(1);
  latencies[0] = 2;  // w0 stalls in cycle 1
  while (true) {
    Qaws four, six;
    const Timeline budget_4 = issue_timeline(four, latencies, 4);
    // Cheapest check first: it rejects most sequences.
    const TimelineEvents first = events_of(budget_4, budget_4, text.alone_at_4 - slack);
    if (within(first.takeover, text.takeover, 0) && within(first.next_stall, text.next_stall, 0) &&
        first.back_at_4 != kNever && within(first.back_at_4, text.back_at_4, slack) && first.alone_at_4 != kNever &&
        within(first.alone_at_4, text.alone_at_4, slack) && within(first.reissued_at_4, text.reissued_at_4, slack)) {
      const Timeline budget_6 = issue_timeline(six, latencies, 6);
      const TimelineEvents events = events_of(budget_4, budget_6, text.alone_at_4 - slack);
      const auto gto = make_warp_scheduler("gto");
      if (events.back_at_6 != kNever && within(events.back_at_6, text.back_at_6, slack) &&
          rounds_to(budget_6.mean_end(), mean_qaws_6) &&
          rounds_to(issue_timeline(*gto, latencies, 1).mean_end(), mean_gto)) {
        ++found;
      }
    }
    std::size_t digit = 0;
    while (digit < latencies.size() && latencies[digit] == kMaxLatency) {
      latencies[digit] = digit == 0 ? 2 : 1;
      ++digit;
    }
    if (digit == latencies.size()) return found;
    ++latencies[digit];
  }
}

std::string text_picture(const Figure3& figure) {
  std::string text = "cycle    0         1         2         3\n         0123456789012345678901234567890123456789\n";
  for (const Timeline* timeline : {&figure.gto, &figure.lrr, &figure.qaws_4, &figure.qaws_6}) {
    for (int warp = 0; warp < 4; ++warp) {
      std::string row;
      for (const int issued : timeline->warps) row += issued == warp ? (warp < 2 ? '1' : '2') : '.';
      text += fmt::format("{:<6} w{} {}\n", warp == 0 ? timeline->name : "", warp, row);
    }
  }
  return text + "1: issue of a warp of K1 (w0, w1); 2: of K2 (w2, w3), launched one cycle later\n";
}

Chart chart_of(const Figure3& figure) {
  TimelineChart chart{"cycle", 0, 0, {{"issue of a warp of K1", ""}, {"of K2", ""}}, {}, {}};
  for (const Timeline* timeline : {&figure.gto, &figure.lrr, &figure.qaws_4, &figure.qaws_6}) {
    chart.bands.push_back({timeline->name, {"w0", "w1", "w2", "w3"}});
    chart.until = std::max(chart.until, static_cast<double>(timeline->warps.size()));
    for (std::size_t c = 0; c < timeline->warps.size(); ++c) {
      if (timeline->warps[c] < 0) continue;
      const auto warp = static_cast<std::size_t>(timeline->warps[c]);
      chart.boxes.push_back(
          {chart.bands.size() - 1, warp, warp / 2, static_cast<double>(c), static_cast<double>(c + 1)});
    }
  }
  return chart;
}

/// The same through a complete SM, in which the ninth instruction is the warp's exit: cycles from the first issue to the end
/// of each kernel's block. There a warp is present a cycle before it can issue: K2 is known when K1 first issues.
std::map<std::string, std::string> ends_on_platform(const ExperimentOptions& options) {
  std::string program;
  constexpr const char* kPipeOfLatency[] = {"", "fp32", "int", "sfu"};
  int result = 0;  // register; each instruction depends on the previous one
  for (const Cycle latency : kLatencies) {
    program += fmt::format("      - {}: {{dst: {}, src: {}}}\n", kPipeOfLatency[latency], result + 1, result);
    ++result;
  }
  const std::string yaml = "kernels:\n  nine:\n    grid: 1\n    block: 64\n    program:\n" + program +
                           "applications:\n  - name: a\n    streams:\n"
                           "      - {name: s1, launches: [{kernel: nine, label: K1}]}\n"
                           "      - {name: s2, launches: [{kernel: nine, label: K2}]}\n";
  struct Scheduler {
    const char *name, *policy;  ///< name: that of the timeline
    std::uint8_t budget;
  };
  RunSet<std::string> runs;
  for (const Scheduler s : std::initializer_list<Scheduler>{
           {"GTO", "gto", 1}, {"LRR", "lrr_greedy", 1}, {"QAWS 4", "qaws", 4}, {"QAWS 6", "qaws", 6}}) {
    Run run{experiment_gpu("titan_v", {{"sms", "1"},
                                       {"sm.sub_cores", "1"},
                                       {"sm.warp_scheduler", s.policy},
                                       {"sm.fp32.interval", "1"},
                                       {"sm.fp32.latency", "1"},
                                       {"sm.integer.interval", "1"},
                                       {"sm.integer.latency", "2"},
                                       {"sm.sfu.interval", "1"},
                                       {"sm.sfu.latency", "3"},
                                       {"sm.control.interval", "1"}}),
            load_workload_text(yaml, "figure 3", options.seed)};
    run.workload.launches[1].release = Clock::from_mhz(run.config.core_mhz).period();
    run.workload.launches[1].budget = s.budget;
    runs.add(s.name, std::move(run));
  }
  runs.run(options.jobs());
  std::map<std::string, std::string> ends;
  for (const std::string& name : runs.keys()) {
    const std::vector<LaunchOutcome> launches = launch_outcomes(runs.result(name));
    const Cycle start = launches[0].blocks[0].start + 1;
    ends[name] = fmt::format("{} {}", launches[0].blocks[0].end - start, launches[1].blocks[0].end - start);
  }
  return ends;
}

ExperimentReport figure3(const ExperimentOptions& options) {
  const Figure3 figure = draw(1);
  const auto& [gto, lrr, qaws_4, qaws_6] = figure;
  const TimelineEvents ours = events_of(qaws_4, qaws_6, paper_cycle("qaws_4.alone") - 1);
  ExperimentReport report{"qaws"};
  report.text =
      text_picture(figure) + fmt::format("\nLatencies of the nine instructions: {}, and the last one ends the warp.\n",
                                         fmt::join(kLatencies, " "));
  report.charts = {{chart_of(figure)}};
  const auto within = [&](const char* name, const std::string& key, Cycle cycle, Cycle slack) {
    const std::string text = paper(key).text();
    const bool same = std::to_string(cycle) == text;
    report.number(name, "figure3." + key, static_cast<double>(cycle), 0,
                  slack == 0 ? Band::exact() : Band::within(1).named(text + " +- 1"),
                  slack == 0 || same ? "" : "no sequence meets all events exactly (docs/experiments/qaws.md)");
  };
  within("w0 stalls, w1 takes over", "takeover", ours.takeover, 0);
  within("the next stall of K1, after which K2 issues", "next_stall", ours.next_stall, 0);
  within("QAWS 4: back to K1", "qaws_4.back_to_k1", ours.back_at_4, 1);
  within("QAWS 4: w3 stalls, alone in its group", "qaws_4.alone", ours.alone_at_4, 1);
  within("QAWS 4: w3 is issued as soon as it is ready", "qaws_4.reissued", ours.reissued_at_4, 1);
  within("QAWS 6: K2 issues until", "qaws_6.back_to_k1", ours.back_at_6, 1);
  const auto mean_end = [&](const char* name, const std::string& key,
                            double end) {  // half cycles are displayed as such
    report.number(name, "figure3." + key, end, end == std::floor(end) ? 0 : 1,
                  Band::within(0.5).named(paper(key).text() + ", rounded"));
  };
  mean_end("GTO, mean execution time", "mean_end.gto", gto.mean_end());
  mean_end("QAWS 6, mean execution time", "mean_end.qaws_6", qaws_6.mean_end());
  report.trend(
      "K2 ends, in order", "figure3.k2_ends",
      fmt::format("QAWS 6 {}, QAWS 4 {}, LRR {}, GTO {}", qaws_6.end(2), qaws_4.end(2), lrr.end(2), gto.end(2)),
      "that order", qaws_6.end(2) < qaws_4.end(2) && qaws_4.end(2) < lrr.end(2) && lrr.end(2) <= gto.end(2));
  report.trend(
      "K1 ends", "figure3.k1_ends",
      fmt::format("GTO {}, LRR {}, QAWS 4 {}, QAWS 6 {}", gto.end(1), lrr.end(1), qaws_4.end(1), qaws_6.end(1)),
      "GTO first", gto.end(1) < std::min({lrr.end(1), qaws_4.end(1), qaws_6.end(1)}));
  report.trend(
      "from the end of one kernel to that of the other", "figure3.fairest",
      fmt::format("LRR {}, QAWS 4 {}, QAWS 6 {}, GTO {}", lrr.apart(), qaws_4.apart(), qaws_6.apart(), gto.apart()),
      "LRR least", lrr.apart() < std::min({qaws_4.apart(), qaws_6.apart(), gto.apart()}));
  const std::map<std::string, std::string> platform = ends_on_platform(options);
  const Figure3 as_on_platform = draw(0);
  for (const Timeline* timeline :
       {&as_on_platform.gto, &as_on_platform.lrr, &as_on_platform.qaws_4, &as_on_platform.qaws_6}) {
    report.figures.push_back(exact_figure(timeline->name + ", K2 known in cycle 0: ends of K1 and K2, on a whole SM",
                                          fmt::format("{} {}", timeline->end(1), timeline->end(2)),
                                          platform.at(timeline->name)));
  }
  if (!options.quick) {
    report.text += fmt::format(
        "Of all sequences of latencies from 1 to 8, {} meet all events of the text exactly, and {} within a cycle and "
        "with the\nrounded means.\n",
        sequences_within(0), sequences_within(1));
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/figure3", figure3); }

}  // namespace
}  // namespace gputlm
