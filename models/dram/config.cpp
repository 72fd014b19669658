#include "models/dram/config.h"

#include <algorithm>

#include "models/dram/address_map.h"
#include "tlm/access.h"

namespace gputlm {
namespace {

std::string name(const char* field) { return std::string("dram.timing.") + field; }

/// "found X and Y"
template <class A, class B>
std::string both(const std::string& rule, A a, B b) {
  return rule + "; found " + std::to_string(a) + " and " + std::to_string(b);
}

/// Constraints within a bank group, such as tCCDL, with a sibling for all banks.
std::string shorter_in_group(const char* in_group, unsigned l, const char* anywhere, unsigned s) {
  if (l == 0 || l >= s) return "";
  return both(name(in_group) + " must be 0 (no bank groups) or at least " + name(anywhere), l, s);
}

std::string contradiction_of_burst(const DramConfig& c) {
  const unsigned burst = burst_cycles(c);
  const std::string bus = std::to_string(c.burst_bytes) + " bytes over " + std::to_string(c.bus_bits) + " pins of " +
                          std::to_string(c.bits_per_cycle) + " bits a cycle";
  if (burst == 0) {
    return "dram.burst_bytes must take whole cycles of dram.bus_bits x dram.bits_per_cycle bits each; found " + bus;
  }
  if (burst <= c.timing.tCCDS) return "";
  return "dram.timing.tCCDS must be at least the " + std::to_string(burst) + " cycles of a burst; found " +
         std::to_string(c.timing.tCCDS) + ", and " + bus;
}

std::string contradiction_of_rows(const DramTiming& t) {
  // tRC below tRAS + tRP is not a contradiction: it then never decides, and results from rounding up the values in ns one
  // by one.
  if (t.tRC < t.tRAS) return both(name("tRC") + " must be at least " + name("tRAS"), t.tRC, t.tRAS);
  if (t.tRAS < t.tRCDRD) return both(name("tRAS") + " must be at least " + name("tRCDRD"), t.tRAS, t.tRCDRD);
  if (t.tRAS < t.tRCDWR) return both(name("tRAS") + " must be at least " + name("tRCDWR"), t.tRAS, t.tRCDWR);
  if (t.tFAW != 0 && t.tFAW < std::max(t.tRRDS, t.tRRDL)) {
    return both(name("tFAW") + " must be 0 (no window) or at least " + name("tRRDS") + " and " + name("tRRDL"), t.tFAW,
                std::max(t.tRRDS, t.tRRDL));
  }
  return "";
}

std::string contradiction_of_refresh(const DramConfig& c) {
  const DramTiming& t = c.timing;
  if ((t.tREFI == 0) != (t.tRFC == 0)) {
    return both(name("tREFI") + " and " + name("tRFC") + " must both be 0 (no refresh) or both not", t.tREFI, t.tRFC);
  }
  // Before a refresh all banks are closed, one per cycle, each when its last activate, read or write allows it. With this
  // much time a refresh ends before the next one is due.
  const unsigned open = std::max({t.tRAS, t.tRTP, t.tWL + burst_cycles(c) + t.tWR});
  const unsigned least = open + c.banks + std::max(t.tRP, t.tRC) + t.tRFC;
  if (t.tREFI == 0 || t.tREFI > least) return "";
  return name("tREFI") + " must exceed " + name("tRFC") + " and the time to close all banks, " + std::to_string(least) +
         " cycles in all; found " + std::to_string(t.tREFI);
}

std::string contradiction_of_queues(const DramConfig& c) {
  const auto holds_a_line = [&](const char* queue, unsigned entries) {
    if (entries * Bytes{c.burst_bytes} >= kLineBytes) return std::string();
    return std::string(queue) + " must hold the bursts of one " + std::to_string(kLineBytes) + "-byte access; found " +
           std::to_string(entries) + " bursts of " + std::to_string(c.burst_bytes) + " bytes";
  };
  if (auto what = holds_a_line("dram.queue", c.queue); !what.empty()) return what;
  if (c.write_queue == 0) {
    if (c.write_high == 0 && c.write_low == 0) return "";
    return both("dram.write_high and dram.write_low must be 0 without dram.write_queue", c.write_high, c.write_low);
  }
  if (auto what = holds_a_line("dram.write_queue", c.write_queue); !what.empty()) return what;
  if (c.write_high <= c.write_queue && c.write_low < c.write_high) return "";
  return both("dram.write_low must be below dram.write_high, and that at most dram.write_queue (" +
                  std::to_string(c.write_queue) + ")",
              c.write_low, c.write_high);
}

/// Reserved entries hold a line, so an access that waits for room gets it when entries of its own application leave.
std::string contradiction_of_admission(const DramConfig& c) {
  if (c.applications == 1) {
    if (c.reserved == 0 && !c.virtual_channels) return "";
    return std::string(c.reserved > 0 ? "dram.reserved" : "dram.virtual_channels") +
           " needs dram.applications of 2 or more; found 1";
  }
  if (c.write_queue > 0) {
    return both("dram.applications must be 1 with dram.write_queue", c.applications, c.write_queue);
  }
  if (c.reserved * Bytes{c.burst_bytes} < kLineBytes) {
    return "dram.reserved must hold the bursts of one " + std::to_string(kLineBytes) +
           "-byte access of each of dram.applications; found " + std::to_string(c.reserved) + " bursts of " +
           std::to_string(c.burst_bytes) + " bytes";
  }
  if (c.reserved * c.applications > c.queue) {
    return both("dram.reserved x dram.applications must be at most dram.queue (" + std::to_string(c.queue) + ")",
                c.reserved, c.applications);
  }
  if (input_queue_of(c) == 0) {
    return both("dram.input_queue must be at least dram.applications with dram.virtual_channels", c.input_queue,
                c.applications);
  }
  return "";
}

}  // namespace

std::string contradiction(const DramConfig& c) {
  const DramTiming& t = c.timing;
  if (c.bank_groups > c.banks) {
    return "dram.bank_groups must not exceed dram.banks; found " + std::to_string(c.bank_groups) + " groups and " +
           std::to_string(c.banks) + " banks";
  }
  for (const std::string& what :
       {contradiction_of_queues(c), contradiction_of_admission(c), contradiction_of_rows(t),
        shorter_in_group("tCCDL", t.tCCDL, "tCCDS", t.tCCDS), shorter_in_group("tRRDL", t.tRRDL, "tRRDS", t.tRRDS),
        shorter_in_group("tWTRL", t.tWTRL, "tWTRS", t.tWTRS), contradiction_of_burst(c), contradiction_of_refresh(c),
        contradiction_of_address_map(c)}) {
    if (!what.empty()) return what;
  }
  return "";
}

}  // namespace gputlm
