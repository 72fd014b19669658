#include "models/kernel/program_kernel.h"

#include <algorithm>
#include <limits>

#include "models/kernel/random.h"
#include "models/kernel/record_text.h"
#include "models/kernel/shared_work.h"
#include "models/kernel/work_units.h"

namespace gputlm {

bool is_random(const ProgramSpec& spec) {
  return spec.variation.spread > 0 ||
         std::any_of(spec.patterns.begin(), spec.patterns.end(), [](const AddressPattern& pattern) {
           const auto* const reuse = std::get_if<ReusePattern>(&pattern.shape);
           return std::holds_alternative<RandomPattern>(pattern.shape) || (reuse && reuse->cold > 0);
         });
}

double largest_spread(Variation::Distribution distribution) {
  switch (distribution) {
    case Variation::Distribution::kUniform: return 0.57;
    case Variation::Distribution::kNormal: return 0.5;
    case Variation::Distribution::kExponential: return 1.0;
    case Variation::Distribution::kFewLong: return 1.0;
  }
  return 0;
}

namespace {

/// value * factor, rounded to nearest, at most `limit`.
std::uint64_t scale(std::uint64_t value, std::uint64_t factor, std::uint64_t limit) {
  const auto scaled = (static_cast<unsigned __int128>(value) * factor + kFactorOne / 2) >> 32;
  return scaled > limit ? limit : static_cast<std::uint64_t>(scaled);
}

/// A block's place in its cluster.
struct ClusterPlace {
  ClusterPlace(std::uint64_t block, const Dim3& grid, const Dim3& shape)
      : cluster(shape), x(static_cast<std::uint32_t>(block % grid.x % shape.x)),
        y(static_cast<std::uint32_t>(block / grid.x % grid.y % shape.y)),
        z(static_cast<std::uint32_t>(block / grid.x / grid.y % shape.z)) {}
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(cluster.count()); }
  std::uint32_t rank() const { return (z * cluster.y + y) * cluster.x + x; }
  std::uint32_t rank_of(const ClusterMember& member) const {
    return member.rank ? *member.rank : (rank() + member.peer.value_or(0)) % blocks();
  }
  /// The blocks that receive a multicast, one bit each.
  std::uint64_t ranks(BulkLoad::Multicast multicast) const {
    const auto every = [&](std::uint32_t first, std::uint32_t step, std::uint32_t count) {
      std::uint64_t all = 0;
      for (std::uint32_t i = 0; i < count; ++i) all |= std::uint64_t{1} << (first + i * step);
      return all;
    };
    switch (multicast) {
      case BulkLoad::Multicast::kX: return every(rank() - x, 1, cluster.x);
      case BulkLoad::Multicast::kY: return every(rank() - y * cluster.x, cluster.x, cluster.y);
      case BulkLoad::Multicast::kZ: return every(rank() - z * cluster.x * cluster.y, cluster.x * cluster.y, cluster.z);
      case BulkLoad::Multicast::kCluster: return every(0, 1, blocks());
      case BulkLoad::Multicast::kNone: break;
    }
    return 0;
  }

  Dim3 cluster;
  std::uint32_t x, y, z;
};

class ProgramBlock : public BlockCode {
 public:
  /// `loops`: without variation. Both references must stay valid.
  ProgramBlock(const ProgramCode& program, const std::vector<LoopInfo>& loops, std::uint64_t factor,
               const ClusterPlace& place)
      : program_(program), factor_(factor), loops_(loops.data()), place_(place) {
    if (factor == kFactorOne) return;
    own_loops_ = loops;
    for (std::size_t i = 0; i < own_loops_.size(); ++i) {
      if (!program_.loops[i].varies) continue;
      constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
      own_loops_[i].iterations =
          static_cast<std::uint32_t>(std::max<std::uint64_t>(1, scale(own_loops_[i].iterations, factor, kMax)));
    }
    loops_ = own_loops_.data();
  }

  WarpCode warp(std::uint32_t warp) const override {
    const auto& code = program_.codes[program_.code_of_warp[warp]];
    return {code.data(), static_cast<std::uint32_t>(code.size()), loops_};
  }

  LoopInfo loop(std::uint32_t operand) const override { return loops_[operand]; }

  Femtoseconds spin(std::uint32_t operand, SmId sm) const override {
    const SpinElement& element = program_.spins[operand];
    return scale(element.time + sm * element.per_sm, factor_, kNever - 1);
  }

  std::optional<LaneShape> lane_shape(const Instruction& instruction, const WarpPosition& position) const override {
    return program_.sites[instruction.operand].generator.lane_shape(position.warp);
  }

  void addresses(const Instruction& instruction, const WarpPosition& position, LaneAddresses& out) const override {
    const ProgramCode::AccessSite& site = program_.sites[instruction.operand];
    std::uint64_t iteration = 0;
    for (std::size_t depth = 0; depth < site.depth; ++depth)
      iteration = iteration * loops_[site.loop[depth]].iterations + position.loop[depth];
    site.generator(position.block, position.warp, iteration, instruction.mask, out);
    if (instruction.space == Space::kCluster) add_rank(site.member, instruction.mask, out);
  }

  MbarrierUse mbarrier(const Instruction& instruction, const WarpPosition&, std::uint32_t) const override {
    const ProgramCode::MbarrierSite& site = program_.mbarriers[instruction.operand];
    MbarrierUse use = site.use;
    if (site.member.given()) use.rank = place_.rank_of(site.member);
    return use;
  }

  BulkCopy bulk_copy(const Instruction& instruction, const WarpPosition&, bool clustered) const override {
    const BulkLoad& load = program_.bulk[instruction.operand].load;
    const std::uint64_t ranks = clustered ? place_.ranks(load.multicast) : 0;
    const auto sharing = static_cast<std::uint32_t>(std::max(1, __builtin_popcountll(ranks)));
    const std::uint64_t before = ranks & ((std::uint64_t{1} << place_.rank()) - 1);
    const std::uint32_t rows = load.rows / sharing;
    return {static_cast<std::uint32_t>(__builtin_popcountll(before)) * rows,
            rows,
            load.bytes,
            rows * load.bytes,
            false,
            load.mbarrier,
            ranks};
  }

  Address bulk_row(const Instruction& instruction, const WarpPosition& position, std::uint32_t row) const override {
    const ProgramCode::BulkSite& site = program_.bulk[instruction.operand];
    Instruction first;
    first.mask = 1;
    first.operand = site.first;
    LaneAddresses lanes;
    addresses(first, position, lanes);
    return lanes[0] + static_cast<Address>(row) * static_cast<Address>(*site.load.pitch);
  }

 protected:
  void add_rank(const ClusterMember& member, std::uint32_t mask, LaneAddresses& out) const {
    const Address from = cluster_address(place_.rank_of(member), 0);
    for (; mask; mask &= mask - 1) out[static_cast<unsigned>(__builtin_ctz(mask))] += from;
  }

  const ProgramCode& program_;
  std::uint64_t factor_;
  const LoopInfo* loops_;
  std::vector<LoopInfo> own_loops_;
  ClusterPlace place_;
};

/// A block of a program with work that the blocks divide.
class WorkingBlock final : public ProgramBlock, public SharedWork {
 public:
  WorkingBlock(const ProgramCode& program, const std::vector<LoopInfo>& loops, std::uint64_t factor,
               const ClusterPlace& place, std::uint32_t block, std::uint32_t blocks)
      : ProgramBlock(program, loops, factor, place),
        units_(std::make_unique<WorkUnits>(program.units, program.schedule, block, blocks,
                                           static_cast<std::uint32_t>(program.code_of_warp.size()))) {}

  void share_with(const BlockCode& other) override {
    units_->share_with(*static_cast<const WorkingBlock&>(other).units_);  // the same launch, so the same class
  }

  LoopInfo loop(std::uint32_t operand) const override {
    LoopInfo info = ProgramBlock::loop(operand);
    if (program_.loops[operand].over_work) info.iterations = units_->rounds();
    return info;
  }

  void addresses(const Instruction& instruction, const WarpPosition& position, LaneAddresses& out) const override {
    using Of = ProgramCode::AccessSite::Of;
    const ProgramCode::AccessSite& site = program_.sites[instruction.operand];
    std::uint64_t iteration = 0;
    for (std::size_t depth = site.of == Of::kUnit ? 1 : 0; depth < site.depth; ++depth)
      iteration = iteration * loops_[site.loop[depth]].iterations + position.loop[depth];
    const std::uint32_t block = site.of == Of::kUnit    ? units_->unit(position.loop[0])
                                : site.of == Of::kQueue ? units_->queue()
                                                        : position.block;
    site.generator(block, position.warp, iteration, instruction.mask, out);
    if (instruction.space == Space::kCluster) add_rank(site.member, instruction.mask, out);
  }

 private:
  std::unique_ptr<WorkUnits> units_;
};

}  // namespace

ProgramKernel::ProgramKernel(const ProgramSpec& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {
  name = spec.name;
  grid = spec.grid;
  block = spec.block;
  registers_per_thread = spec.registers_per_thread;
  shared_memory = spec.shared_memory;
  cluster = spec.cluster;
  non_portable_cluster = spec.non_portable_cluster;
  if (grid.count() == 0 || grid.count() > std::numeric_limits<std::uint32_t>::max())
    fail(spec, 0, "the grid has " + std::to_string(grid.count()) + " blocks, but 1 to 2^32 - 1 are allowed");
  if (block.count() == 0 || block.count() > kMaxThreadsPerBlock)
    fail(spec, 0,
         "a block has " + std::to_string(block.count()) + " threads, but 1 to " + std::to_string(kMaxThreadsPerBlock) +
             " are allowed");
  if (!divides_grid(cluster))
    fail(spec, spec.line,
         "clusters of " + to_text(cluster) + " blocks do not divide the grid of " + to_text(grid) + " blocks");
  const double most = largest_spread(spec_.variation.distribution);
  if (!(spec_.variation.spread >= 0 && spec_.variation.spread <= most))
    fail(spec, spec_.variation.line,
         "spread is outside 0 to " + std::to_string(most).substr(0, 4) + ", which is what this distribution allows");
  if (spec.demand) demand = std::make_shared<const KernelDemand>(*spec.demand);
  program_ = compile(spec, seed);
  if (program_.units > 0 && program_.schedule == WorkElement::Schedule::kDynamic)
    shared_memory += WorkElement::kSharedMemory;
  for (const ProgramCode::Loop& record : program_.loops) {
    loops_.push_back({record.start, record.over_work ? LoopInfo::kAsk : record.iterations, record.depth});
  }
}

std::unique_ptr<BlockCode> ProgramKernel::code(std::uint64_t index) {
  const std::uint64_t factor =
      spec_.variation.spread == 0 ? kFactorOne : variation_factor(spec_.variation, seed_, hash_name(name), index);
  const ClusterPlace place(index, grid, cluster);
  if (program_.units == 0) return std::make_unique<ProgramBlock>(program_, loops_, factor, place);
  return std::make_unique<WorkingBlock>(program_, loops_, factor, place, static_cast<std::uint32_t>(index),
                                        static_cast<std::uint32_t>(grid.count()));
}

std::string ProgramKernel::source() const {
  return (is_random(spec_) ? "seed " + std::to_string(seed_) + "\n" : "") + record_text(spec_);
}

std::string ProgramKernel::work() const {
  ProgramSpec spec = spec_;
  if (program_.units == 0) spec.grid = {};  // otherwise the grid determines a block's part of the work
  spec.shared_memory = 0;
  if (!program_.asynchronous) spec.cluster = {};
  spec.non_portable_cluster = false;
  spec.demand = {};
  Address lowest = ~Address{0};
  for (const AddressPattern& pattern : spec.patterns) lowest = std::min(lowest, pattern.base);
  for (AddressPattern& pattern : spec.patterns) pattern.base -= lowest;
  return "seed " + std::to_string(seed_) + "\n" + record_text(spec);
}

}  // namespace gputlm
