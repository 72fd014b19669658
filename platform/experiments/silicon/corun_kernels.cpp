#include "platform/experiments/silicon/corun_kernels.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "platform/experiments/silicon/split_kernel.h"

namespace gputlm {
namespace {

constexpr std::uint8_t kElement = 4;    // assumed: float
constexpr std::uint32_t kUnrolled = 4;  // assumed: what nvcc does to a loop that is as short
constexpr Bytes kAllocation = Bytes{2} << 20;

std::uint64_t threads_of_owner(const CorunKernel& kernel) {
  return std::uint64_t{kernel.block} * (kernel.apart ? 1 : kernel.grid);
}

Bytes memory_of_array(const CorunKernel& kernel) {
  const Bytes bytes = kernel.apart ? kernel.apart * kernel.grid : kernel.bytes;
  return (bytes + kAllocation - 1) / kAllocation * kAllocation;  // as cudaMalloc has it
}

ProgramSpec spec_of(const CorunKernel& kernel, const char* name) {
  ProgramSpec spec;
  spec.name = name;
  spec.grid = {kernel.grid};
  spec.block = {kernel.block};
  return spec;
}

/// The address, the load, and the store that needs what it loaded; then i += stride, whether i is below n, and back.
void add_step(std::vector<ProgramElement>& body, const std::string& in, const std::string& out, Bytes offset) {
  const auto at = static_cast<std::int64_t>(offset);
  body.push_back(instruction(Pipe::kInt, 9, {8}));
  body.push_back({MemoryElement{Op::kLoad, in, Space::kGlobal, kElement, at, {4, {9}, 0}}});
  body.push_back({MemoryElement{Op::kStore, out, Space::kGlobal, kElement, at, {std::nullopt, {9, 4}, 0}}});
  body.push_back(instruction(Pipe::kInt, 8, {8}));
  body.push_back(instruction(Pipe::kInt, 10, {8}));
  body.push_back(instruction(Pipe::kControl, {}, {10}));
}

/// So many steps of all warps, and another one of the first `further` of a block.
ProgramSpec copy_spec(const CorunKernel& kernel, const CorunPart& part, Address base, std::uint64_t steps,
                      std::uint32_t further) {
  ProgramSpec spec = spec_of(kernel, "copy");
  const Bytes stride = threads_of_owner(kernel) * kElement;
  const auto add = [&](const std::string& suffix, Bytes per_iteration, Bytes around) {
    AffinePattern shape;
    shape.lane_stride = kElement;
    shape.warp_stride = kElement * kWarpSize;
    shape.block_stride = static_cast<std::int64_t>(kernel.apart ? kernel.apart : kElement * kernel.block);
    shape.iteration_stride = static_cast<std::int64_t>(per_iteration);
    shape.footprint = around;
    const Address at = base + part.from * stride;
    spec.patterns.push_back({"in" + suffix, at, shape});
    spec.patterns.push_back({"out" + suffix, at + memory_of_array(kernel), shape});
  };
  std::vector<ProgramElement> sweep, last;
  add("", 0, 0);  // of steps that each have an offset of their own
  if (kernel.apart) {
    for (std::uint64_t i = 0; i < steps; ++i) add_step(sweep, "in", "out", i * stride);
  } else if (steps > 0) {  // the iteration counts on from sweep to sweep, the address goes around
    add(" of loop", stride, steps * stride);
    std::vector<ProgramElement> body;
    add_step(body, "in of loop", "out of loop", 0);
    sweep.push_back(loop(static_cast<std::uint32_t>(steps), body));
  }
  if (further > 0) {
    add_step(last, "in", "out", steps * stride);
    sweep.push_back({WarpsElement{0, further - 1, last}});
  }
  if (sweep.empty()) sweep.push_back(instruction(Pipe::kControl, {}));
  spec.body = {loop(static_cast<std::uint32_t>(part.sweeps), sweep)};
  return spec;
}

std::shared_ptr<Kernel> copy(const CorunKernel& kernel, const CorunPart& part, Address base) {
  if (part.steps > 0) return std::make_shared<ProgramKernel>(copy_spec(kernel, part, base, part.steps, 0), 0);
  const std::uint64_t elements = kernel.bytes / kElement, threads = threads_of_owner(kernel);
  const std::uint64_t steps = elements / threads;
  const std::uint64_t warps = (elements % threads + kWarpSize - 1) / kWarpSize;  // that have a step more
  const std::uint32_t of_block = (kernel.block + kWarpSize - 1) / kWarpSize;
  const auto with = [&](std::uint64_t further) {
    return copy_spec(kernel, part, base, steps, static_cast<std::uint32_t>(further));
  };
  if (kernel.apart) return std::make_shared<ProgramKernel>(with(warps), 0);
  const std::uint64_t full = warps / of_block;
  return std::make_shared<SplitKernel>(std::vector{with(of_block), with(warps % of_block), with(0)},
                                       std::vector{full, full + 1});
}

ProgramSpec chains(const CorunKernel& kernel, std::uint64_t iterations) {
  const Pipe pipe = kernel.kind == CorunKernel::Kind::kFp64 ? Pipe::kFp64 : Pipe::kFp32;
  ProgramSpec spec = spec_of(kernel, "chains");
  spec.registers_per_thread = 64;
  std::vector<ProgramElement> body{instruction(Pipe::kInt, 8, {8})};  // of the loop, as a compiler spreads it
  for (std::uint32_t i = 0; i < kUnrolled; ++i) {
    if (i == kUnrolled / 2) body.push_back(instruction(Pipe::kInt, 10, {8}));
    for (std::uint32_t chain = 0; chain < kernel.ilp; ++chain) {
      const auto op = static_cast<std::uint8_t>(16 + chain);
      body.push_back(instruction(pipe, op, {4, op}));
    }
  }
  body.push_back(instruction(Pipe::kControl, {}, {10}));
  spec.body = {loop(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, iterations / kUnrolled)), body)};
  return spec;
}

}  // namespace

Bytes bytes_of_step(const CorunKernel& kernel) {
  return Bytes{2} * kElement * kernel.block * kernel.grid;
}

Bytes bytes_of_sweep(const CorunKernel& kernel) { return 2 * kernel.bytes * (kernel.apart ? kernel.grid : 1); }

Bytes corun_memory(const CorunKernel& kernel) { return kernel.copies() ? 2 * memory_of_array(kernel) : 0; }

std::shared_ptr<Kernel> corun_kernel(const CorunKernel& kernel, const CorunPart& part, Address base) {
  switch (kernel.kind) {
    case CorunKernel::Kind::kCopy: return copy(kernel, part, base);
    case CorunKernel::Kind::kSleep: {
      ProgramSpec spec = spec_of(kernel, "sleep");
      spec.body = {spin(kernel.sleep)};
      return std::make_shared<ProgramKernel>(spec, 0);
    }
    case CorunKernel::Kind::kFp32:
    case CorunKernel::Kind::kFp64: return std::make_shared<ProgramKernel>(chains(kernel, part.iterations), 0);
  }
  throw std::logic_error("a kernel of no kind");
}

}  // namespace gputlm
