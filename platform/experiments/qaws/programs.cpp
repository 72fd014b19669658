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

/// The loop over the work: of the outermost ones that with most iterations.
LoopElement& loop_over_work(ProgramSpec& spec) {
  LoopElement* longest = nullptr;
  for (ProgramElement& element : spec.body) {
    auto* loop = std::get_if<LoopElement>(&element.what);
    if (loop && (!longest || loop->count > longest->count)) longest = loop;
  }
  assert(longest);
  return *longest;
}

}  // namespace

ProgramSpec qaws_program(const std::string& name, const QawsShape& shape) {
  const Address base = (shape.instance + 1) * kInstanceBytes;
  ProgramSpec spec = embedded_program(qaws_program_sources(), "workloads/qaws", name, base);
  const auto warps = static_cast<unsigned>((spec.block.count() + kWarpSize - 1) / kWarpSize);
  if (shape.warps == 0 || shape.warps % warps != 0) {
    throw InputError(fmt::format("{} warps of '{}' on an SM: its blocks have {}", shape.warps, name, warps));
  }
  const unsigned blocks = shape.sms * (shape.warps / warps);
  if (blocks % spec.grid.x == 0) {
    spec.grid.y = blocks / spec.grid.x;
  } else {
    spec.grid = {blocks};
  }
  LoopElement& loop = loop_over_work(spec);
  loop.count = std::max(1u, loop.count / shape.shorter);
  return spec;
}

std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed) {
  return std::make_shared<ProgramKernel>(qaws_program(name, shape), seed);
}

}  // namespace gputlm
