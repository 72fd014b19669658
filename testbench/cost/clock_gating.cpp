#include "testbench/cost/clock_gating.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gputlm::cost {
namespace {

constexpr unsigned kLeastGated = 3;

/// In yosys' names of registers, `$_DFFE_PP_`, `$_SDFFCE_PN0P_`, the last letter is the level of the enable.
bool is_register(const std::string& type) { return type.find("DFF") != std::string::npos; }
bool enabled_at_one(const std::string& type) { return type[type.size() - 2] == 'P'; }

}  // namespace

ClockGating clock_gating(const GateNetlist& unmapped, const std::vector<double>& high) {
  ClockGating gating;
  std::map<std::pair<GateNetlist::Net, bool>, unsigned> enables;  // number of registers by enable and its level
  for (const GateNetlist::Cell& cell : unmapped.cells) {
    if (!is_register(cell.type)) continue;
    ++gating.registers;
    const auto enable = cell.pins.find("E");
    if (enable != cell.pins.end()) ++enables[{enable->second.net, enabled_at_one(cell.type)}];
  }
  double clocked = gating.registers;
  for (const auto& [enable, registers] : enables) {
    const auto [net, at_one] = enable;
    if (registers < kLeastGated || net >= high.size()) continue;
    const double on = at_one ? high[net] : 1 - high[net];
    clocked += 1 + registers * on - registers;
    gating.gated += registers;
    ++gating.gates;
  }
  if (gating.registers > 0) gating.share = clocked / gating.registers;
  return gating;
}

}  // namespace gputlm::cost
