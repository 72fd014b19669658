#include "platform/lab/block_measurements.h"

#include <algorithm>
#include <string>
#include <variant>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/work.h"
#include "platform/input/parameters.h"

namespace gputlm {
namespace {

constexpr unsigned kMeasuredWaves = 2;
/// Number of blocks measured on one SM.
constexpr unsigned kBlocks = 24, kBlocksOfSpread = 64;
/// A measurement of a shortened kernel costs 50 times less than the limit, but a warp has at least this many instructions.
constexpr std::uint64_t kCut = 50, kOfWarp = 100;

/// Extrapolates to the whole block from two shorter ones.
class Extrapolation {
 public:
  Extrapolation(std::uint64_t whole, std::uint64_t cut, std::uint64_t half)
      : beyond_(whole - cut), between_(cut - half) {}
  std::uint64_t operator()(std::uint64_t of_cut, std::uint64_t of_half) const {
    const auto more = static_cast<unsigned __int128>(of_cut - std::min(of_cut, of_half));
    return of_cut + static_cast<std::uint64_t>(more * beyond_ / between_);
  }

 private:
  std::uint64_t beyond_, between_;
};

/// Iterations that a loop keeps before inner loops are cut: the first ones may differ from the rest.
constexpr std::uint32_t kFew = 4;

/// Keeps the fraction `part` of the instructions, 0 to 1.
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

/// Cost of a memory access in instructions: an access of gups takes 4,700 instructions of the processor, and a warp
/// instruction of compute 184 (docs/speed.md).
constexpr std::uint64_t kOfAccess = 25;

/// Cost of a warp.
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

GpuConfig measuring(GpuConfig config, unsigned first, unsigned others) {
  const Origin origin{"calibration", 0};
  set_parameter(config, "sm.model", "warps", origin);
  set_parameter(config, "sm.durations", "none", origin);
  set_parameter(config, "work_distributor.kernel_order", "residency", origin);
  set_parameter(config, "work_distributor.residency.first", std::to_string(first), origin);
  set_parameter(config, "work_distributor.residency.others", std::to_string(others), origin);
  set_parameter(config, "work_distributor.application", "concurrent", origin);
  return config;
}

void BlockMeasurements::add_kernel(Kernel& kernel, unsigned most) {
  const std::uint64_t sms = one_sm_ ? 1 : std::min<std::uint64_t>(config_.sms, (kernel.blocks() + most - 1) / most);
  const std::uint64_t blocks = std::max<std::uint64_t>(sms * most * kMeasuredWaves, one_sm_ ? kBlocks : 0);
  const BlockSize size = block_size(kernel);
  Lengths lengths;
  lengths.whole = size.instructions;
  if (size.cost > cut_above_ / blocks) {
    const double part =
        static_cast<double>(cut_above_) / kCut * kMeasuredWaves / static_cast<double>(blocks * size.cost);
    const std::uint64_t wanted = std::max(static_cast<std::uint64_t>(static_cast<double>(size.instructions) * part),
                                          kOfWarp * kernel.warps_per_block());
    const auto cut = shortened(kernel, wanted), half = cut ? shortened(kernel, wanted / 2) : nullptr;
    if (half) lengths.cut = block_size(*cut).instructions, lengths.half = block_size(*half).instructions;
    if (lengths.half >= lengths.cut) lengths.cut = lengths.half = 0;  // nothing is left to cut
  }
  lengths_.push_back(lengths);
}

void BlockMeasurements::add(const Key& key, const std::vector<std::shared_ptr<Kernel>>& kernels, unsigned waves) {
  keys_.push_back(key);
  if (is_cut(key)) waves = 1;  // for a long block, warm caches and differences between blocks matter little
  const auto cut_to = [&](std::uint64_t Lengths::*length) {
    std::vector<std::shared_ptr<Kernel>> shorter = kernels;
    for (std::size_t k = 0; k < shorter.size(); ++k) {
      const Lengths& lengths = lengths_[k == 0 ? key.a : key.b];
      if (lengths.cut > 0) shorter[k] = shortened(*shorter[k], lengths.*length);
    }
    return shorter;
  };
  runs_.add({key, false}, measurement(key, cut_to(&Lengths::cut), waves));
  if (is_cut(key)) runs_.add({key, true}, measurement(key, cut_to(&Lengths::half), waves));
}

DurationRun BlockMeasurements::measurement(const Key& key, std::vector<std::shared_ptr<Kernel>> kernels,
                                           unsigned waves) const {
  DurationRun run;
  run.config = measuring(config_, key.blocks_of_a, std::max(key.blocks_of_b, 1u));
  if (key.delayed)
    set_parameter(run.config, "l2.latency", std::to_string(config_.l2.latency + delay_), {"calibration", 0});
  run.blocks = {key.blocks_of_a};
  if (kernels.size() > 1) run.blocks.push_back(key.blocks_of_b);
  run.kernels = std::move(kernels);
  run.waves = waves;
  run.one_sm = one_sm_;
  if (one_sm_) {
    const unsigned wanted = waves > kMeasuredWaves ? kBlocksOfSpread : kBlocks,
                   least = *std::min_element(run.blocks.begin(), run.blocks.end());
    run.waves = std::max(waves, (wanted + least - 1) / least);
  }
  return run;
}

std::vector<MeasuredBlocks> BlockMeasurements::result(const Key& key) const {
  std::vector<MeasuredBlocks> all = runs_.result({key, false});
  if (!is_cut(key)) return all;
  const std::vector<MeasuredBlocks>& halves = runs_.result({key, true});
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Lengths& lengths = lengths_[k == 0 ? key.a : key.b];
    if (lengths.cut == 0) continue;
    const Extrapolation whole(lengths.whole, lengths.cut, lengths.half);
    MeasuredBlocks& of = all[k];
    const MeasuredBlocks& half = halves[k];
    of.first = whole(of.first, half.first);
    of.later = of.later == 0 || half.later == 0 ? 0 : whole(of.later, half.later);
    of.instructions = whole(of.instructions, half.instructions);
    of.requests = whole(of.requests, half.requests);
  }
  return all;
}

BlockSize block_size(Kernel& kernel) {
  const auto* const program =
      dynamic_cast<ProgramKernel*>(&kernel);  // other kernels must not be asked for blocks out of
                                              // order
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
