#include "platform/experiments/most_room/placement_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace gputlm {
namespace {

/// Blocks of a kernel on one SM, which come and go together here.
struct Stay {
  Cycle from = kNever, until = 0;
  unsigned blocks = 0;
};

std::map<SmId, Stay> stays_of(const LaunchOutcome& launch) {
  std::map<SmId, Stay> stays;
  for (const BlockRecord& block : launch.blocks) {
    Stay& stay = stays[block.sm];
    stay.from = std::min(stay.from, block.start);
    stay.until = std::max(stay.until, block.end);
    ++stay.blocks;
  }
  return stays;
}

/// Those of B, and the first of the GPU up to the last but one of them: neighbours that B leaves to A.
std::set<SmId> shown_sms(const LaunchOutcome& isolated, const LaunchOutcome& colocated) {
  std::set<SmId> sms;
  for (const LaunchOutcome* b : {&isolated, &colocated}) {
    for (const BlockRecord& block : b->blocks) sms.insert(block.sm);
  }
  if (sms.size() > 1) {
    for (SmId sm = 0; sm < *std::prev(sms.end(), 2); ++sm) sms.insert(sm);
  }
  return sms;
}

}  // namespace

TimelineChart placement_chart(const std::vector<LaunchOutcome>& isolated, const std::vector<LaunchOutcome>& colocated,
                              double mhz) {
  const std::set<SmId> sms = shown_sms(isolated[1], colocated[1]);
  TimelineChart chart{"time (us)", 0, 0, {{"kernel A", colours::kSky}, {"kernel B", colours::kVermillion}}, {}, {}};
  const auto add_run = [&](const std::string& name, const std::vector<LaunchOutcome>& launches) {
    TimelineChart::Band band{name, {}};
    const Cycle begin = launches[0].first_block;
    for (const SmId sm : sms) {
      std::string row = fmt::format("SM {}", sm);
      for (std::size_t kernel = 0; kernel < launches.size(); ++kernel) {
        const auto stays = stays_of(launches[kernel]);
        const auto stay = stays.find(sm);
        if (stay == stays.end()) continue;
        const auto us = [&](Cycle cycle) { return static_cast<double>(cycle - begin) / mhz; };
        if (stay->second.blocks > 1) row += fmt::format(", {} blocks", stay->second.blocks);
        chart.boxes.push_back(
            {chart.bands.size(), band.rows.size(), kernel, us(stay->second.from), us(stay->second.until)});
        chart.until = std::max(chart.until, 1.02 * us(stay->second.until));
        band.rows.push_back(std::exchange(row, ""));
      }
    }
    chart.bands.push_back(std::move(band));
  };
  add_run("isolated: B with 33 threads a block gets an SM alone", isolated);
  add_run("colocated: B with 32 threads a block shares the SMs of A", colocated);
  return chart;
}

}  // namespace gputlm
