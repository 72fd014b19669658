#include "platform/experiments/most_room/table1_kernels.h"

#include <array>
#include <stdexcept>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

constexpr std::array<const char*, 4> kTable1Kinds{"L1-cache-dependent", "compute-intensive", "memory-intensive",
                                                  "transfer-bandwidth-dependent"};

constexpr std::int64_t kTableLine = 128;

/// "Each thread in a block repeatedly access[es] texture memory", "highly cacheable but vulnerable to replacement": every
/// warp chases through a table of its own, and those of A's 16 warps just fill the L1, as do those of B's eight blocks on
/// one SM. After ten sweeps the next tables follow, so that the hit rate is 90 % however long the kernel.
std::vector<ProgramElement> l1_body(const GpuConfig& gpu, std::uint32_t a_warps, std::uint32_t scale,
                                    std::vector<AddressPattern>& patterns, Address data) {
  constexpr std::uint32_t kSweeps = 10;
  constexpr unsigned kOperations = 5;  // fitted: B over A, serial (see above)
  const auto lines = static_cast<std::uint32_t>(gpu.sm.l1.bytes / kTableLine / a_warps);
  std::vector<ProgramElement> body;
  for (std::uint32_t i = 0; i < scale; ++i) {
    const std::string tables = "tables" + std::to_string(i);
    patterns.push_back({tables, data + (Bytes{i} << 28), ReusePattern{Bytes{lines} * kTableLine, true, 0}});
    std::vector<ProgramElement> chase{load(tables, 4, 4, {4})};  // register 4 is address and result
    for (unsigned n = 0; n < kOperations; ++n) chase.push_back(instruction(Pipe::kFp32, 4, {4, 5}));
    body.push_back(loop(kSweeps * lines, std::move(chase)));
  }
  return body;
}

/// "Repeated floating point operations" and no memory accesses: a chain of multiply-adds with a few integer operations in it,
/// and the loop's own counter, comparison and branch. One warp waits for itself, the four of A on a sub-core keep the pipe
/// busy.
std::vector<ProgramElement> compute_body(std::uint32_t scale) {
  constexpr std::uint32_t kFloat = 6, kInteger = 4;  // fitted: B over A, serial
  std::vector<ProgramElement> body;
  for (std::uint32_t n = 0; n < kFloat; ++n) body.push_back(instruction(Pipe::kFp32, 1, {1}));
  for (std::uint32_t n = 0; n < kInteger; ++n) body.push_back(instruction(Pipe::kInt, 1, {1}));
  for (const Pipe pipe : {Pipe::kInt, Pipe::kInt}) body.push_back(instruction(pipe, 10, {10}));
  body.push_back(instruction(Pipe::kControl, std::nullopt, {10}));
  return {loop(300 * scale, std::move(body))};
}

/// Writes of four bytes, spaced apart so that no two threads share a sector and none writes to one place twice, each
/// behind the calculation of its index.
std::vector<ProgramElement> memory_body(std::uint32_t scale, std::vector<AddressPattern>& patterns, Address data) {
  constexpr std::int64_t kApart = 256;
  constexpr std::uint32_t kOperations = 15;  // fitted: B over A, serial
  patterns.push_back({"array", data, StridedPattern{kApart, 0}});
  std::vector<ProgramElement> body{store("array", 4, {10})};
  for (std::uint32_t n = 0; n < kOperations; ++n) body.push_back(instruction(Pipe::kInt, 10, {10}));
  return {loop(8 * scale, std::move(body))};
}

/// "The threads within a block target addresses nearby each other, but threads from different blocks target addresses that
/// are distant", in memory that is at the host: every access of a block is to another page, 2 MiB from the one before.
constexpr std::uint32_t kPages = 8;  // of a block, times the scale

std::vector<ProgramElement> transfer_body(std::uint32_t scale, std::vector<AddressPattern>& patterns, Address data) {
  AffinePattern pages;
  pages.lane_stride = 4;
  pages.warp_stride = kTableLine;
  pages.iteration_stride = static_cast<std::int64_t>(kPageApart);
  pages.block_stride = pages.iteration_stride * kPages * scale;
  patterns.push_back({"pages", data, pages});
  return {loop(kPages * scale, {load("pages", 4, 4, {4})})};  // register 4 is address and result
}

/// Data of A and of B, far from each other.
Address data_of(const Table1Kernel& kernel) { return kernel.is_b ? 0x1000'0000'0000 : 0x2000'0000'0000; }

}  // namespace

Table1Kind table1_kind(const std::string& name) {
  for (std::size_t i = 0; i < kTable1Kinds.size(); ++i) {
    if (name == kTable1Kinds[i]) return static_cast<Table1Kind>(i);
  }
  throw std::logic_error("no kind of kernels of table 1 is named " + name);
}

std::shared_ptr<Kernel> table1_kernel(Table1Kind kind, const Table1Kernel& kernel, const GpuConfig& gpu,
                                      std::uint32_t a_warps, std::uint32_t scale) {
  const Address data = data_of(kernel);
  ProgramSpec spec;
  spec.name = kernel.is_b ? "B" : "A";
  spec.grid = {kernel.blocks};
  spec.block = {kernel.threads};
  switch (kind) {
    case Table1Kind::kL1: spec.body = l1_body(gpu, a_warps, scale, spec.patterns, data); break;
    case Table1Kind::kCompute: spec.body = compute_body(scale); break;
    case Table1Kind::kMemory: spec.body = memory_body(scale, spec.patterns, data); break;
    case Table1Kind::kTransfer: spec.body = transfer_body(scale, spec.patterns, data); break;
  }
  return std::make_shared<ProgramKernel>(spec, 0);
}

std::optional<ManagedAllocation> table1_managed(Table1Kind kind, const Table1Kernel& kernel, std::uint32_t scale) {
  if (kind != Table1Kind::kTransfer) return std::nullopt;
  return ManagedAllocation{kernel.is_b ? "B" : "A", data_of(kernel), kPageApart * kPages * scale * kernel.blocks};
}

ParameterSettings table1_settings(Table1Kind kind) {
  // Section 5.3: "the scheduler's implicit preference for Kernel A (due only to the fact that it was launched first)", and
  // "only a small degradation for both" when the order is swapped: the warps that came first go first. Under loose round-robin, which
  // cuda-hierarchy (section IV) supposes, the order of launches makes no difference.
  ParameterSettings settings{{"sm.warp_scheduler", "gto"}};
  if (kind == Table1Kind::kTransfer) {
    settings.insert(
        settings.end(),
        {{"mmu.enabled", "true"},
         {"mmu.prefetch_bytes", "4096"},  // a page a fault: with the driver's 64 KiB, B over A would be 0.21
         {"mmu.batch_ns", "46500"}});     // fitted: B over A, serial; Zheng et al., HPCA 2016: 20 to 50 us
  }
  return settings;
}

}  // namespace gputlm
