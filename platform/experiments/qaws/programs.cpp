#include "platform/experiments/qaws/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "models/kernel/program_kernel.h"
#include "platform/lab/embedded_program.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr Address kInstanceBytes = Address{1} << 40;
constexpr Bytes kSmallestInput = 32768;  ///< smaller footprints are of tables

WorkElement& work_of(ProgramSpec& spec) {
  const auto found = std::find_if(spec.body.begin(), spec.body.end(),
                                  [](const auto& e) { return std::holds_alternative<WorkElement>(e.what); });
  assert(found != spec.body.end());
  return std::get<WorkElement>(found->what);
}

/// As many units as `wanted`, or what makes whole rows.
Dim3 units_of(const Dim3& written, std::uint32_t wanted) {
  if (written.y == 1 || wanted < written.x) return {wanted};
  return {written.x, (wanted + written.x - 1) / written.x};
}

struct RemoveFootprint {
  void operator()(CoalescedPattern& p) const { remove(p.footprint); }
  void operator()(IndexedPattern& p) const { remove(p.footprint); }
  template <class Other>
  void operator()(Other&) const {}
  static void remove(Bytes& footprint) {
    if (footprint >= kSmallestInput) footprint = 0;
  }
};

}  // namespace

ProgramSpec qaws_program(const std::string& name, const QawsShape& shape) {
  const Address base = (shape.instance + 1) * kInstanceBytes;
  ProgramSpec spec = embedded_program(qaws_program_sources(), "workloads/qaws", name, base);
  const QawsReading& reading = shape.reading;
  const auto warps = static_cast<unsigned>((spec.block.count() + kWarpSize - 1) / kWarpSize);
  if (reading.warps == 0 || reading.warps % warps != 0) {
    throw InputError(fmt::format("{} warps of '{}' on an SM: its blocks have {}", reading.warps, name, warps));
  }
  WorkElement& work = work_of(spec);
  const std::uint64_t written = spec.grid.count();
  spec.grid = {shape.sms * (reading.warps / warps)};
  work.schedule = reading.schedule;
  work.units = units_of(work.units, static_cast<std::uint32_t>(std::max<std::uint64_t>(
                                        spec.grid.x, work.units.count() * spec.grid.x / written / shape.shorter)));
  if (!reading.inputs_fit) {
    for (AddressPattern& pattern : spec.patterns) std::visit(RemoveFootprint(), pattern.shape);
  }
  return spec;
}

std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed) {
  return std::make_shared<ProgramKernel>(qaws_program(name, shape), seed);
}

}  // namespace gputlm
