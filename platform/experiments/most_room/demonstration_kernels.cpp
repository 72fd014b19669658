#include "platform/experiments/most_room/demonstration_kernels.h"

#include <cmath>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

constexpr Bytes kLine = 128;
constexpr Bytes kWarpBytes = kWarpSize * 4;  // what a warp reads at once: one line

/// Arrays of the two kernels, far from each other.
Address array_of(DemonstrationRole role) { return role == DemonstrationRole::kA ? 0x1'0000'0000 : 0x2'0000'0000; }

/// All blocks read one table ("texture") over and over, a warp one line at a time, the warps of a block one line
/// after the other. A's table is nearly as large as the cache, so that it is "highly cacheable but vulnerable to
/// replacement"; B's is small, so that all of B's blocks on one SM find room. Both are swept about ten times (31 and
/// 32 iterations a sweep with 16 and 1 warps), for the hit rate of 75 to 95 % that the paper measured.
void l1_body(ProgramSpec& spec, DemonstrationRole role, const GpuConfig& gpu, double length) {
  const Bytes a_table = gpu.sm.l1.bytes / 32 * 31, b_table = gpu.sm.l1.bytes / 16;
  AffinePattern table;
  table.lane_stride = 4;
  table.warp_stride = static_cast<std::int64_t>(kLine);
  // B with 32 or 33 threads reads a line an iteration: the 33rd thread reads the next one ahead of time.
  table.iteration_stride = static_cast<std::int64_t>(
      role == DemonstrationRole::kA ? kWarpBytes * ((spec.block.x + kWarpSize - 1) / kWarpSize) : kLine);
  table.footprint = role == DemonstrationRole::kA ? a_table : b_table;
  spec.patterns = {{"table", array_of(role), table}};
  // Each load waits for the one before it, as a chase through a table does: register 4 is address and result.
  const auto iterations = static_cast<std::uint32_t>(std::lround(320 * length));
  spec.body = {loop(iterations, {load("table", 4, 4, {4}), instruction(Pipe::kFp32, 5, {4, 5})})};
}

/// "Repeated floating point operations" and no memory accesses: a chain of multiply-adds in a loop of eight, and the
/// loop's own counter, comparison and branch.
void compute_body(ProgramSpec& spec, double length) {
  const auto iterations = static_cast<std::uint32_t>(std::lround(600 * length));
  spec.body = {loop(iterations, {instructions(Pipe::kFp32, 8, 1), instruction(Pipe::kInt, 10, {10}),
                                 instruction(Pipe::kInt, 11, {10}), instruction(Pipe::kControl, std::nullopt, {11})})};
}

/// Writes of four bytes, spaced apart so that no two threads of a warp share a sector and no thread writes to one
/// place twice.
void memory_body(ProgramSpec& spec, DemonstrationRole role, double length) {
  constexpr std::int64_t kApart = 256;
  spec.patterns = {{"array", array_of(role), StridedPattern{kApart, 0}}};
  const auto iterations = static_cast<std::uint32_t>(std::lround(16 * length));
  spec.body = {loop(iterations, {store("array", 4, {4}), instruction(Pipe::kInt, 10, {10})})};
}

}  // namespace

std::shared_ptr<Kernel> demonstration_kernel(DemonstrationKind kind, DemonstrationRole role, std::uint32_t blocks,
                                             std::uint32_t threads, const GpuConfig& gpu, double length) {
  ProgramSpec spec;
  spec.name = role == DemonstrationRole::kA ? "A" : "B";
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = 32;
  switch (kind) {
    case DemonstrationKind::kL1: l1_body(spec, role, gpu, length); break;
    case DemonstrationKind::kCompute: compute_body(spec, length); break;
    case DemonstrationKind::kMemory: memory_body(spec, role, length); break;
  }
  return std::make_shared<ProgramKernel>(spec, 0);
}

}  // namespace gputlm
