#include "platform/experiments/silicon/corun_kernels.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "platform/experiments/silicon/benchmark_kernels.h"

namespace gputlm {
namespace {

constexpr std::uint8_t kElement = 4;  // assumed: float
constexpr std::uint32_t kLeastStep = 6;
constexpr Bytes kAllocation = Bytes{2} << 20;

unsigned arrays(const CorunKernel& kernel) { return kernel.reads() && kernel.writes() ? 2 : kernel.moves() ? 1 : 0; }

std::uint64_t threads_of_owner(const CorunKernel& kernel) {
  return std::uint64_t{kernel.block} * (kernel.apart ? 1 : kernel.grid);
}

Bytes memory_of_array(const CorunKernel& kernel) {
  const Bytes bytes = kernel.apart ? kernel.apart * kernel.grid : kernel.bytes;
  return (bytes + kAllocation - 1) / kAllocation * kAllocation;  // granularity of cudaMalloc
}

ProgramSpec spec_of(const CorunKernel& kernel, const char* name) {
  ProgramSpec spec;
  spec.name = name;
  spec.grid = {kernel.grid};
  spec.block = {kernel.block};
  return spec;
}

/// The address, the load, and its use; then i += stride, the comparison of i with n, and the branch back. Code behind a taken
/// branch depends on it, since it has to be fetched. Additional instructions calculate with 64 bits: one of every two belongs
/// to the address.
void add_step(std::vector<ProgramElement>& body, const CorunKernel& kernel, const std::string& suffix, Bytes offset) {
  const auto at = static_cast<std::int64_t>(offset);
  const std::uint8_t loaded = 4, sum = 5, i = 8, address = 9, below = 10, fetched = 11, high = 12;
  body.push_back(instruction(Pipe::kInt, address, {i, fetched}));
  const std::uint32_t more = kernel.step - kLeastStep;
  for (std::uint32_t n = 0; n < more; n += 2) body.push_back(instruction(Pipe::kInt, address, {address}));
  if (kernel.reads())
    body.push_back({MemoryElement{Op::kLoad, "in" + suffix, Space::kGlobal, kElement, at, {loaded, {address}, 0}}});
  if (kernel.writes()) {
    body.push_back({MemoryElement{
        Op::kStore, "out" + suffix, Space::kGlobal, kElement, at, {std::nullopt, {address, loaded}, 0}}});
  } else {
    body.push_back(instruction(Pipe::kFp32, sum, {sum, loaded}));
  }
  body.push_back(instruction(Pipe::kInt, i, {i}));
  for (std::uint32_t n = 1; n < more; n += 2) body.push_back(instruction(Pipe::kInt, high, {i}));
  body.push_back(instruction(Pipe::kInt, below, {i}));
  body.push_back(branch(fetched, {below}));
}

/// A number of steps of all warps, and another step of the first `further` warps of a block.
ProgramSpec sweep_spec(const CorunKernel& kernel, const CorunPart& part, Address base, std::uint64_t steps,
                       std::uint32_t further) {
  ProgramSpec spec = spec_of(kernel, "sweep");
  const Bytes stride = threads_of_owner(kernel) * kElement;
  const auto add = [&](const std::string& suffix, Bytes per_iteration, Bytes around) {
    AffinePattern shape;
    shape.lane_stride = kElement;
    shape.warp_stride = static_cast<std::int64_t>(kElement * kWarpSize + part.warps_apart * stride);
    shape.block_stride =
        static_cast<std::int64_t>((kernel.apart ? kernel.apart : kElement * kernel.block) + part.blocks_apart * stride);
    shape.iteration_stride = static_cast<std::int64_t>(per_iteration);
    shape.footprint = around;
    const Address at = base + part.from * stride;
    if (kernel.reads()) spec.patterns.push_back({"in" + suffix, at, shape});
    if (kernel.writes())
      spec.patterns.push_back({"out" + suffix, at + (kernel.reads() ? memory_of_array(kernel) : 0), shape});
  };
  std::vector<ProgramElement> sweep, last;
  add("", 0, 0);  // for steps with separate offsets
  if (kernel.apart) {
    for (std::uint64_t i = 0; i < steps; ++i) add_step(sweep, kernel, "", i * stride);
  } else if (steps > 0) {  // the iteration counts on from sweep to sweep, the address wraps around
    add(" of loop", stride, steps * stride);
    std::vector<ProgramElement> body;
    add_step(body, kernel, " of loop", 0);
    sweep.push_back(loop(static_cast<std::uint32_t>(steps), body));
  }
  if (further > 0) {
    add_step(last, kernel, "", steps * stride);
    sweep.push_back({WarpsElement{0, further - 1, last}});
  }
  if (sweep.empty()) sweep.push_back(instruction(Pipe::kControl, {}));
  spec.body = {loop(static_cast<std::uint32_t>(part.sweeps), sweep)};
  return spec;
}

std::shared_ptr<Kernel> sweeping(const CorunKernel& kernel, const CorunPart& part, Address base) {
  if (part.steps > 0) return std::make_shared<ProgramKernel>(sweep_spec(kernel, part, base, part.steps, 0), 0);
  const std::uint64_t elements = kernel.bytes / kElement, threads = threads_of_owner(kernel);
  const std::uint64_t steps = elements / threads;
  const std::uint64_t warps = (elements % threads + kWarpSize - 1) / kWarpSize;  // warps with one more step
  const std::uint32_t of_block = (kernel.block + kWarpSize - 1) / kWarpSize;
  const auto with = [&](std::uint64_t further) {
    return sweep_spec(kernel, part, base, steps, static_cast<std::uint32_t>(further));
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
  std::vector<ProgramElement> body{instruction(Pipe::kInt, 8, {8})};  // of the loop, spread as a compiler does
  for (std::uint32_t i = 0; i < kernel.unrolled; ++i) {
    if (i == kernel.unrolled / 2) body.push_back(instruction(Pipe::kInt, 10, {8}));
    for (std::uint32_t chain = 0; chain < kernel.ilp; ++chain) {
      const auto op = static_cast<std::uint8_t>(16 + chain);
      body.push_back(instruction(pipe, op, {4, op}));
    }
  }
  body.push_back(instruction(Pipe::kControl, {}, {10}));
  spec.body = {loop(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, iterations / kernel.unrolled)), body)};
  return spec;
}

}  // namespace

Bytes bytes_of_step(const CorunKernel& kernel) { return Bytes{arrays(kernel)} * kElement * kernel.block * kernel.grid; }

Bytes bytes_of_sweep(const CorunKernel& kernel) {
  return arrays(kernel) * kernel.bytes * (kernel.apart ? kernel.grid : 1);
}

Bytes corun_memory(const CorunKernel& kernel) { return arrays(kernel) * memory_of_array(kernel); }

std::shared_ptr<Kernel> corun_kernel(const CorunKernel& kernel, const CorunPart& part, Address base) {
  switch (kernel.kind) {
    case CorunKernel::Kind::kCopy:
    case CorunKernel::Kind::kRead:
    case CorunKernel::Kind::kWrite: return sweeping(kernel, part, base);
    case CorunKernel::Kind::kSleep: {
      ProgramSpec spec = spec_of(kernel, "sleep");
      spec.body = {spin(part.sleep)};
      return std::make_shared<ProgramKernel>(spec, 0);
    }
    case CorunKernel::Kind::kFp32:
    case CorunKernel::Kind::kFp64: return std::make_shared<ProgramKernel>(chains(kernel, part.iterations), 0);
  }
  throw std::logic_error("a kernel of no kind");
}

SmSet half_of_sms(unsigned sms, unsigned which) {
  SmSet half;
  for (unsigned sm = which; sm < sms; sm += 2) half.set(sm);
  return half;
}

std::vector<Cycle> times_of_phases(const Workload& workload, const RunResult& result) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  std::vector<Cycle> begin, end;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const unsigned phase = workload.launches[i].phase;
    begin.resize(std::max<std::size_t>(begin.size(), phase + 1), kNever);
    end.resize(begin.size(), 0);
    begin[phase] = std::min(begin[phase], outcomes[i].first_block);
    end[phase] = std::max(end[phase], outcomes[i].end);
  }
  for (std::size_t i = 0; i < end.size(); ++i) end[i] -= begin[i];
  return end;
}

}  // namespace gputlm
