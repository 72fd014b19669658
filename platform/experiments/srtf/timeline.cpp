/// Figure 12 of srtf from a real run: how SRTF samples a kernel that arrives second, and hands the SMs over to it.
/// A is AES-e, whose six blocks of 256 threads leave no room for a block of B on an SM: both delays are there. (Beside
/// RayTracing, the paper's example in section 6.2.2, two blocks of JPEG-d find room at once.)
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "platform/files/atomic_file.h"
#include "platform/experiments/experiments.h"
#include "platform/experiments/srtf/runs.h"

namespace gputlm {
namespace {

constexpr std::size_t kA = 0, kB = 1;
constexpr std::size_t kSms = 15, kPlaces = 8;  // of gtx480: blocks of an SM

struct Handover {
  Cycle arrival = 0;            ///< of B
  Cycle sample_start = kNever;  ///< first block of B
  Cycle sample_end = kNever;    ///< first end of a block of B: it has a prediction
  SmId sampled_on = 0;
  std::array<Cycle, kSms> taken{};  ///< first block of B on the SM
  Cycle last_taken = 0;
  Cycle end = 0;             ///< of B
  unsigned b_elsewhere = 0;  ///< blocks of B that started outside the sampling SM before it had a prediction
  unsigned a_after = 0;      ///< blocks of A that started between the sample's end and B's last block
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
  // What was under way when the sample's end became known: a cycle for the response, one for each block of a cycle.
  constexpr Cycle kUnderWay = 64;
  for (const BlockRecord& block : b.blocks) {
    h.b_elsewhere += block.sm != h.sampled_on && block.start < h.sample_end;
  }
  for (const BlockRecord& block : a.blocks) {
    h.a_after += block.start > h.sample_end + kUnderWay && block.start < b_last_start;
  }
  return h;
}

/// One SM a band, one place of a block a row; time from left to right.
class Picture {
 public:
  Picture(Cycle from, Cycle until) : from_(from), until_(until) {}

  std::string draw(const SrtfOutcome& outcome, const Handover& h) {
    const double height = kTop + kSms * kBand + 40;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "fill=\"white\"/>\n",
        kLeft + kWidth + 20, height);
    legend(0, "A: AES-e", kColours[kA]);
    legend(1, "B: JPEG-d", kColours[kB]);
    for (std::size_t sm = 0; sm < kSms; ++sm) {
      text_ += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">SM {}</text>\n", kLeft - 6,
                           band(sm) + kBand / 2 + 2, sm);
    }
    blocks(outcome);
    mark(h.arrival, "B arrives", 0);
    mark(h.sample_start, "sample starts", 1);
    mark(h.sample_end, "B is known", 2);
    mark(h.last_taken, "the last SM has B", 3);
    span(h.arrival, h.sample_start, "sampling delay", 0);
    span(h.sample_end, h.last_taken, "hand-off delay", 1);
    const double y = kTop + kSms * kBand + 12;
    text_ += fmt::format(
        "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{} core "
        "cycles</text>\n</svg>\n",
        kLeft, y, from_, kLeft + kWidth, y, until_);
    return text_;
  }

 private:
  static constexpr double kLeft = 50, kTop = 112, kWidth = 1100, kRow = 4, kBand = kPlaces * kRow + 6;
  static constexpr std::array<const char*, 2> kColours{"#a7c4e0", "#e4731e"};

  static double band(std::size_t sm) { return kTop + static_cast<double>(sm) * kBand; }
  double x(Cycle cycle) const {
    const Cycle in = std::clamp(cycle, from_, until_);
    return kLeft + kWidth * static_cast<double>(in - from_) / static_cast<double>(until_ - from_);
  }
  void legend(unsigned place, const char* name, const char* colour) {
    text_ += fmt::format(
        "<rect x=\"{0}\" y=\"10\" width=\"10\" height=\"10\" fill=\"{2}\"/>\n<text x=\"{1}\" y=\"19\">{3}</text>\n",
        kLeft + place * 120, kLeft + place * 120 + 14, colour, name);
  }
  /// Puts each block in the first row of its SM that is free.
  void blocks(const SrtfOutcome& outcome) {
    std::vector<std::pair<BlockRecord, std::size_t>> all;
    for (std::size_t k = 0; k < 2; ++k) {
      for (const BlockRecord& block : outcome.launches[k].blocks) all.push_back({block, k});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.first.start, a.second, a.first.block) < std::tuple(b.first.start, b.second, b.first.block);
    });
    std::array<std::array<Cycle, kPlaces>, kSms> busy{};
    for (const auto& entry : all) {
      const BlockRecord& block = entry.first;
      auto& rows = busy[block.sm];
      const auto row = std::find_if(rows.begin(), rows.end(), [&](Cycle until) { return until <= block.start; });
      assert(row != rows.end());  // an SM has no more places
      *row = block.end;
      if (block.end <= from_ || block.start >= until_) continue;
      text_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"white\" "
          "stroke-width=\"0.4\"/>\n",
          x(block.start), band(block.sm) + kRow * static_cast<double>(row - rows.begin()),
          std::max(0.5, x(block.end) - x(block.start)), kRow, kColours[entry.second]);
    }
  }
  void mark(Cycle at, const char* name, unsigned line) {
    text_ += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.0f}\" stroke=\"#333\" stroke-dasharray=\"3,2\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4}\">{5}</text>\n",
        x(at), 54 + 12 * line, kTop + kSms * kBand, x(at) + 3, 62 + 12 * line, name);
  }
  void span(Cycle from, Cycle until, const char* name, unsigned line) {
    text_ += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{2:.1f}\" y2=\"{1}\" stroke=\"#c00\" stroke-width=\"2\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4}\" fill=\"#c00\">{5}: {6}</text>\n",
        x(from), 34 + 14 * line, x(until), x(until) + 6, 37 + 14 * line, name, until - from);
  }

  Cycle from_, until_;
  std::string text_;
};

}  // namespace

ExperimentReport srtf_timeline(const ExperimentOptions& options, const std::string& order) {
  const SrtfPair pair{ercbench_index("AES-e"), ercbench_index("JPEG-d")};
  ExperimentOptions whole = options;
  whole.quick = false;  // a second or two
  const SrtfRuns runs({pair[kA], pair[kB]}, whole);
  const Cycle apart = runs.alone_cycles(pair[kA]) / 4;  // A is well known by then
  const SrtfOutcome outcome = runs.run({{pair, order, apart}})[0];
  const Handover h = handover_of(outcome);

  Cycle longest = 0, sum = 0;
  for (const BlockRecord& block : outcome.launches[kA].blocks) {
    longest = std::max(longest, block.end - block.start);
    sum += block.end - block.start;
  }
  const Cycle mean = sum / outcome.launches[kA].blocks.size();
  ExperimentReport report;
  report.text = fmt::format(
      "A: AES-e, B: JPEG-d, arrives at cycle {}\n"
      "sampling delay  {:>7}  until B's first block starts, on SM {}\n"
      "sample          {:>7}  until the first of B's blocks has ended\n"
      "hand-off delay  {:>7}  until the last SM has a block of B; it may last as long as a block of A\n"
      "B alone takes {} cycles; here {}, {:.2f} times as long\nA block of A takes {} cycles on average, {} at most\n\n",
      h.arrival, h.sample_start - h.arrival, h.sampled_on, h.sample_end - h.sample_start, h.last_taken - h.sample_end,
      outcome.alone[kB], outcome.turnaround[kB], outcome.slowdown(kB), mean, longest);
  report.figures = {
      exact_figure("blocks of B outside the sampling SM before B is known", "0", fmt::format("{}", h.b_elsewhere)),
      exact_figure("blocks of A that start from when B is known until B's last starts", "0",
                   fmt::format("{}", h.a_after)),
      {"sampling delay", "at most a block of A", fmt::format("{}", h.sample_start - h.arrival),
       fmt::format("1 to {}", longest), h.sample_start > h.arrival && h.sample_start - h.arrival <= longest, ""},
      {"hand-off delay", "at most a block of A", fmt::format("{}", h.last_taken - h.sample_end),
       fmt::format("1 to {}", longest), h.last_taken > h.sample_end && h.last_taken - h.sample_end <= longest, ""}};
  if (!options.out.empty()) {
    const Cycle margin = mean;
    write_file(options.out + "/srtf-timeline.svg",
               Picture(h.arrival - std::min(h.arrival, margin), h.end + margin).draw(outcome, h));
  }
  return report;
}

}  // namespace gputlm
