#include "platform/programs/measured_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/input/parameters.h"

namespace gputlm {
namespace {

constexpr Bytes kLeast = Bytes{4} << 20;
/// Machines with the same link differ by less (docs/gpu.md, "Copies": 22 to 26 GB/s of PCI Express 4.0 with 16 lanes); one of
/// another generation, or with half as many lanes, differs by a factor of two.
constexpr double kSame = 0.2;

bool shows_the_link(const MeasuredCommand& command) {
  const MeasuredCopy* const copy = command.copy();
  return copy && (copy->kind == CopyKind::kHostToDevice || copy->kind == CopyKind::kDeviceToHost) && !copy->pageable &&
         copy->bytes >= kLeast && command.duration() > 0;
}

}  // namespace

std::optional<MeasuredLink> measured_link(const Program& program) {
  MeasuredLink link;
  for (const MeasuredCommand& command : program.commands) {
    if (!shows_the_link(command)) continue;
    if (link.copies++ == 0) link.first = command.label;
    link.gb_per_s =
        std::max(link.gb_per_s, static_cast<double>(command.copy()->bytes) / static_cast<double>(command.duration()));
  }
  return link.copies > 0 ? std::optional(link) : std::nullopt;
}

double gb_per_s(const HostLinkConfig& link) {
  const double share_of_data =
      static_cast<double>(link.payload) / static_cast<double>(link.bytes_with_headers(link.payload));
  return link.lanes * link.lane_gbits / 8 * share_of_data;
}

std::optional<double> lane_gbits_of(const MeasuredLink& measured, const HostLinkConfig& link) {
  if (link.lanes == 0) return std::nullopt;
  const double gbits = link.lane_gbits * measured.gb_per_s / gb_per_s(link);
  if (std::abs(gbits - link.lane_gbits) <= kSame * link.lane_gbits) return std::nullopt;
  return std::round(gbits * 1000) / 1000;
}

std::optional<std::string> link_setting(const std::vector<Program>& programs, const HostLinkConfig& link) {
  std::vector<MeasuredLink> all;
  for (const Program& program : programs) {
    if (const auto measured = measured_link(program)) all.push_back(*measured);
  }
  const auto gbits = all.empty() ? std::nullopt : lane_gbits_of(all.front(), link);
  if (!gbits) return std::nullopt;
  HostLinkConfig own = link;
  own.lane_gbits = *gbits;
  const auto differs = [&](const MeasuredLink& measured) { return lane_gbits_of(measured, own).has_value(); };
  if (std::any_of(all.begin(), all.end(), differs)) return std::nullopt;
  return fmt::format("host_link.lane_gbits={}", *gbits);
}

std::optional<ProgramCheck> link_check(const Program& program, const GpuConfig& gpu,
                                       const std::vector<std::string>& settings) {
  const auto link = measured_link(program);
  const auto gbits = link ? lane_gbits_of(*link, gpu.host_link) : std::nullopt;
  if (!gbits) return std::nullopt;
  GpuConfig config = gpu;
  for (const std::string& setting : settings) set_assignment(config, setting);
  const bool taken = !lane_gbits_of(*link, config.host_link);
  return ProgramCheck{
      "host link",
      fmt::format(
          "copies of 4 MiB or more from or to pinned memory moved at up to {:.1f} GB/s, where the link of {} carries "
          "{:.1f}; {}host_link.lane_gbits={}{}",
          link->gb_per_s, gpu.name, gb_per_s(gpu.host_link),
          taken ? "the run has one of that pace, " : "of that pace is ", *gbits, taken ? " (--set goes before)" : ""),
      link->copies, link->first};
}

}  // namespace gputlm
