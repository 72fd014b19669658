#include "platform/lab/shortened_kernel.h"

#include <algorithm>
#include <variant>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/work.h"

namespace gputlm {
namespace {

/// Iterations that a loop keeps before those within it are cut: the first ones may be others than the rest.
constexpr std::uint32_t kFew = 4;

/// Leaves `part` of the instructions, 0 to 1.
void cut(std::vector<ProgramElement>& body, double part) {
  for (ProgramElement& element : body) {
    if (auto* const loop = std::get_if<LoopElement>(&element.what)) {
      const std::uint32_t before = loop->count;
      loop->count = std::max(std::min(before, kFew), static_cast<std::uint32_t>(before * part));
      cut(loop->body, std::min(1.0, part * before / loop->count));
    } else if (auto* const warps = std::get_if<WarpsElement>(&element.what)) {
      cut(warps->body, part);
    }
  }
}

/// An access of memory costs as much as so many instructions: those of gups 4,700 of the processor, and a warp instruction
/// of compute 184 (docs/speed.md).
constexpr std::uint64_t kOfAccess = 25;

/// Of a warp.
std::uint64_t cost(const std::vector<ProgramElement>& body, const std::vector<AddressPattern>& patterns) {
  std::uint64_t sum = 0;
  for (const ProgramElement& element : body) {
    if (const auto* const loop = std::get_if<LoopElement>(&element.what)) {
      sum += loop->count * cost(loop->body, patterns);
    } else if (const auto* const warps = std::get_if<WarpsElement>(&element.what)) {
      sum += cost(warps->body, patterns);
    } else if (const auto* const arithmetic = std::get_if<ArithmeticElement>(&element.what)) {
      sum += arithmetic->count;
    } else if (const auto* const memory = std::get_if<MemoryElement>(&element.what)) {
      const auto pattern = std::find_if(patterns.begin(), patterns.end(),
                                        [&](const AddressPattern& p) { return p.name == memory->pattern; });
      const bool apart = pattern != patterns.end() && std::holds_alternative<RandomPattern>(pattern->shape);
      sum += 1 + kOfAccess * (apart ? kWarpSize : 1);
    }
  }
  return sum;
}

}  // namespace

BlockSize block_size(Kernel& kernel) {
  const auto* const program = dynamic_cast<ProgramKernel*>(&kernel);  // whose blocks may be asked for at any time
  if (!program) return {};
  const std::uint32_t warps = kernel.warps_per_block();
  return {BlockWorkReader().read(*kernel.code(0), warps, 0).instructions,
          warps * cost(program->spec().body, program->spec().patterns)};
}

std::shared_ptr<Kernel> shortened(Kernel& kernel, std::uint64_t instructions) {
  const std::uint64_t all = block_size(kernel).instructions;
  if (all == 0 || instructions >= all / 2) return nullptr;
  const auto& program = dynamic_cast<ProgramKernel&>(kernel);
  ProgramSpec spec = program.spec();
  cut(spec.body, static_cast<double>(instructions) / static_cast<double>(all));
  auto less = std::make_shared<ProgramKernel>(spec, program.seed());
  return block_size(*less).instructions < all / 2 ? less : nullptr;
}

}  // namespace gputlm
