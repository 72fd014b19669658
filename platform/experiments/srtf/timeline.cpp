/// Figure 12 of srtf from a real run: how SRTF samples a kernel that arrives second, and hands the SMs over to it. A is
/// AES-e, whose six blocks of 256 threads leave no room for a block of B on an SM, so both delays occur. (Beside RayTracing,
/// the paper's example in section 6.2.2, two blocks of JPEG-d find room immediately.)
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/srtf/runs.h"
#include "platform/lab/chart.h"

namespace gputlm {
namespace {

constexpr std::size_t kA = 0, kB = 1;
constexpr std::size_t kSms = 15;  // number of SMs of gtx480

struct Handover {
  Cycle arrival = 0;            ///< arrival of B
  Cycle sample_start = kNever;  ///< start of the first block of B
  Cycle sample_end = kNever;    ///< first end of a block of B: a prediction is available
  SmId sampled_on = 0;
  std::array<Cycle, kSms> taken{};  ///< start of the first block of B on each SM
  Cycle last_taken = 0;
  Cycle end = 0;             ///< end of B
  unsigned b_elsewhere = 0;  ///< blocks of B that started outside the sampling SM before it had a prediction
  unsigned a_after = 0;      ///< blocks of A that started between the end of sampling and B's last block
};

Handover handover_of(const SrtfOutcome& outcome) {
  const LaunchOutcome& a = outcome.launches[kA];
  const LaunchOutcome& b = outcome.launches[kB];
  Handover h;
  h.arrival = b.arrived;
  h.end = b.end;
  h.taken.fill(kNever);
  Cycle b_last_start = 0;
  for (const BlockRecord& block : b.blocks) {
    if (block.start < h.sample_start) {
      h.sample_start = block.start;
      h.sampled_on = block.sm;
    }
    h.sample_end = std::min(h.sample_end, block.end);
    h.taken[block.sm] = std::min(h.taken[block.sm], block.start);
    b_last_start = std::max(b_last_start, block.start);
  }
  for (const Cycle taken : h.taken) {
    if (taken != kNever) h.last_taken = std::max(h.last_taken, taken);
  }
  // Work in flight when the end of sampling became known: a cycle for the response, and one per block sent in a cycle.
  constexpr Cycle kUnderWay = 64;
  for (const BlockRecord& block : b.blocks) {
    h.b_elsewhere += block.sm != h.sampled_on && block.start < h.sample_end;
  }
  for (const BlockRecord& block : a.blocks) {
    h.a_after += block.start > h.sample_end + kUnderWay && block.start < b_last_start;
  }
  return h;
}

TimelineChart chart_of(const SrtfOutcome& outcome, const Handover& h, Cycle margin, double mhz) {
  const auto us = [&](Cycle cycle) { return static_cast<double>(cycle) / mhz; };
  TimelineChart chart =
      schedule_chart(schedule_of({outcome.launches[kA], outcome.launches[kB]}),
                     {{"block of A: AES-e", colours::kSky}, {"block of B: JPEG-d", colours::kVermillion}}, kSms,
                     h.arrival - std::min(h.arrival, margin), h.end + margin, mhz);
  chart.marks = {{us(h.arrival), "B arrives"},
                 {us(h.sample_start), "sample starts"},
                 {us(h.sample_end), "B is known"},
                 {us(h.last_taken), "the last SM has B"}};
  const auto span = [&](Cycle from, Cycle until, const char* name) {
    chart.spans.push_back({us(from), us(until), fmt::format("{}: {} cycles", name, until - from)});
  };
  span(h.arrival, h.sample_start, "sampling delay");
  span(h.sample_end, h.last_taken, "hand-off delay");
  return chart;
}

ExperimentReport timeline(const ExperimentOptions& options) {
  const SrtfPair pair{ercbench_index("AES-e"), ercbench_index("JPEG-d")};
  ExperimentOptions whole = options;
  whole.quick = false;  // a second or two
  SrtfRuns runs({pair[kA], pair[kB]}, whole);
  const SrtfRun run{pair, options.policy("srtf"), runs.alone_cycles(pair[kA]) / 4};  // A is well known by then
  runs.add(run);
  runs.run();
  const SrtfOutcome outcome = runs[run];
  const Handover h = handover_of(outcome);

  Cycle longest = 0, sum = 0;
  for (const BlockRecord& block : outcome.launches[kA].blocks) {
    longest = std::max(longest, block.end - block.start);
    sum += block.end - block.start;
  }
  const Cycle mean = sum / outcome.launches[kA].blocks.size();
  Table delays({{"what"}, {"cycles", "core cycles"}, {"until"}});
  delays.add(
      {"sampling delay", h.sample_start - h.arrival, fmt::format("B's first block starts, on SM {}", h.sampled_on)});
  delays.add({"sample", h.sample_end - h.sample_start, "the first of B's blocks has ended"});
  delays.add({"hand-off delay", h.last_taken - h.sample_end, "the last SM has a block of B"});
  ExperimentReport report{"srtf"};
  report.tables = {
      {fmt::format("A: AES-e, B: JPEG-d, arrives at cycle {}", h.arrival), delays, "",
       fmt::format("B alone takes {} cycles; here {}, {:.2f} times as long. A block of A takes {} cycles on "
                   "average, {} at most; the hand-off delay may last as long.",
                   outcome.alone[kB], outcome.turnaround[kB], outcome.slowdown(kB), mean, longest)}};
  report.charts = {{chart_of(outcome, h, mean, runs.config(run).core_mhz)}};
  report.equal("blocks of B outside the sampling SM before B is known", "timeline.outside_the_sample",
               std::to_string(h.b_elsewhere));
  report.equal("blocks of A that start from when B is known until B's last starts", "timeline.a_after_b_is_known",
               std::to_string(h.a_after));
  const Band a_block = Band::range(1, static_cast<double>(longest), 0);
  report.number("sampling delay", "timeline.delay", static_cast<double>(h.sample_start - h.arrival), 0, a_block);
  report.number("hand-off delay", "timeline.delay", static_cast<double>(h.last_taken - h.sample_end), 0, a_block);
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/timeline", timeline); }

}  // namespace
}  // namespace gputlm
