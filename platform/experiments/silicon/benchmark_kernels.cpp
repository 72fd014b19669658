#include "platform/experiments/silicon/benchmark_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

constexpr std::uint8_t kOfLane = 8;
constexpr std::uint32_t kL1Threads = 256, kL2Threads = 1024, kL2Registers = 24;
constexpr unsigned kL1Unrolled = 32, kL2Unrolled = 4;  // assumed for the L2's: allowed by the registers of 2048 threads
constexpr std::uint32_t kOtherRegisters = 16;          // in addition to those of the loads; per step:
constexpr std::uint32_t kOfStep = 4;
constexpr Address kData = 0x1'0000'0000;
constexpr std::uint8_t kSum = 4, kFirstOfThem = 8;  // registers

/// `count` steps: each thread loads two values and adds their product to the sum; all loads come first. `apart`: from a step
/// to the next; `second`: from the first of the two to the other.
void add_steps(std::vector<ProgramElement>& body, unsigned count, Bytes from, Bytes apart, Bytes second, Adds adds) {
  const auto both = [&](unsigned step, unsigned which) {
    return static_cast<std::uint8_t>(kFirstOfThem + (2 * step + which) * 2);  // a double has two registers
  };
  for (unsigned i = 0; i < count; ++i) {
    for (const unsigned which : {0u, 1u}) {
      MemoryElement load;
      load.pattern = "data";
      load.width = kOfLane;
      load.offset = static_cast<std::int64_t>(from + i * apart + which * second);
      load.registers.destination = both(i, which);
      body.push_back({load});
    }
  }
  const Pipe pipe = adds == Adds::kDoubles ? Pipe::kFp64 : Pipe::kFp32;
  for (unsigned i = 0; i < count; ++i) body.push_back(instruction(pipe, kSum, {both(i, 0), both(i, 1), kSum}));
}

ProgramSpec reader_of(std::uint32_t blocks, std::uint32_t threads, std::uint32_t registers) {
  ProgramSpec spec;
  spec.name = "reader";
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = registers;
  return spec;
}

AffinePattern lane_by_lane() {
  AffinePattern shape;
  shape.lane_stride = kOfLane;
  shape.warp_stride = kOfLane * kWarpSize;
  return shape;
}

}  // namespace

std::shared_ptr<Kernel> l1_reader(const GpuConfig& gpu, Bytes bytes, unsigned sweeps, Adds adds) {
  constexpr Bytes kStep = Bytes{kL1Threads} * kOfLane;
  const unsigned unrolled = std::min(kL1Unrolled, (gpu.sm.registers / kL1Threads - kOtherRegisters) / kOfStep);
  ProgramSpec spec = reader_of(gpu.sms, kL1Threads, kOtherRegisters + unrolled * kOfStep);
  spec.patterns = {{"data", kData, lane_by_lane()}};
  const auto steps = static_cast<unsigned>(bytes / 2 / kStep);
  std::vector<ProgramElement> sweep;
  for (unsigned step = 0; step < steps; step += unrolled)
    add_steps(sweep, std::min(unrolled, steps - step), step * kStep, kStep, bytes / 2, adds);
  sweep.push_back(instruction(Pipe::kInt, std::uint8_t{6}, {6}));
  sweep.push_back(instruction(Pipe::kControl, {}, {6}));
  spec.body = {loop(sweeps, sweep)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

std::uint32_t l2_readers_at_once(const GpuConfig& gpu) {
  return gpu.sms * std::max(1u, std::min(gpu.sm.threads, gpu.sm.registers / kL2Registers) / kL2Threads);
}

std::shared_ptr<Kernel> l2_reader(std::uint32_t blocks, const L2Reading& reading, Adds adds) {
  const std::uint32_t different = reading.different_blocks();
  const Bytes apart = different * kL2Piece;  // distance of a block's pieces
  std::vector<ProgramSpec> programs;
  std::vector<std::uint64_t> until;
  for (std::uint32_t first = 0; first < blocks; first += different) {  // blocks that read the same as the first ones
    ProgramSpec spec = reader_of(blocks, kL2Threads, kL2Registers);
    AffinePattern shape = lane_by_lane();
    shape.block_stride = kL2Piece;
    spec.patterns = {{"data", kData - first * kL2Piece, shape}};
    std::vector<ProgramElement> body;
    for (unsigned piece = 0; piece < reading.pieces; piece += kL2Unrolled) {
      add_steps(body, std::min(kL2Unrolled, reading.pieces - piece), piece * apart, apart, kL2Piece / 2, adds);
      body.push_back(instruction(Pipe::kInt, std::uint8_t{6}, {6}));
      body.push_back(instruction(Pipe::kControl, {}, {6}));
    }
    spec.body = std::move(body);
    programs.push_back(std::move(spec));
    if (first > 0) until.push_back(first);
  }
  return std::make_shared<SplitKernel>(programs, until);
}

std::shared_ptr<Kernel> strided_reader(unsigned stride, unsigned iterations, Adds adds) {
  constexpr unsigned kOffsets[] = {0, 4, 8, 12, 20, 16, 24, 28};  // in elements, in the order of the loads
  constexpr Bytes kThreadsApart = 64;                             // distance of threads that load the same
  constexpr std::uint8_t i = 6, below = 7, fetched = 5, loaded = 8, sums = 40;
  const auto element = static_cast<std::uint8_t>(adds == Adds::kDoubles ? 8 : 4);
  const auto reg = [](unsigned of, unsigned number) { return static_cast<std::uint8_t>(of + 2 * number); };
  ProgramSpec spec = reader_of(1, 1024, 60);
  AffinePattern shape;
  shape.lane_stride = element * stride;
  shape.warp_stride = shape.lane_stride * static_cast<std::int64_t>(kWarpSize);
  shape.footprint = kThreadsApart * static_cast<Bytes>(shape.lane_stride);
  spec.patterns = {{"data", kData, shape}};
  std::vector<ProgramElement> body{instruction(Pipe::kInt, i, {i, fetched})};  // code behind a branch must be fetched
  for (unsigned k = 0; k < std::size(kOffsets); ++k) {
    MemoryElement load;
    load.pattern = "data";
    load.width = element;
    load.offset = kOffsets[k] * element;
    load.registers = {reg(loaded, k), {i}, 0};
    body.push_back({load});
  }
  const Pipe pipe = adds == Adds::kDoubles ? Pipe::kFp64 : Pipe::kFp32;
  for (unsigned k = 0; k < std::size(kOffsets) / 2; ++k)
    body.push_back(instruction(pipe, reg(sums, k), {reg(sums, k), reg(loaded, 2 * k), reg(loaded, 2 * k + 1)}));
  body.push_back(instruction(Pipe::kInt, below, {i}));
  body.push_back(instruction(Pipe::kControl, fetched, {below}));
  spec.body = {loop(iterations, body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

SplitKernel::SplitKernel(const std::vector<ProgramSpec>& programs, std::vector<std::uint64_t> until)
    : until_(std::move(until)) {
  for (const ProgramSpec& spec : programs) parts_.push_back(std::make_unique<ProgramKernel>(spec, 0));
  const ProgramKernel& first = *parts_.front();
  name = first.name;
  grid = first.grid;
  block = first.block;
  registers_per_thread = first.registers_per_thread;
  shared_memory = first.shared_memory;
}

std::unique_ptr<BlockCode> SplitKernel::code(std::uint64_t index) {
  const auto part = std::upper_bound(until_.begin(), until_.end(), index) - until_.begin();
  return parts_[static_cast<std::size_t>(part)]->code(index);
}

std::string SplitKernel::source() const {
  std::string text;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    text += fmt::format("until {}:\n{}\n", i < until_.size() ? until_[i] : blocks(), parts_[i]->source());
  return text;
}

std::shared_ptr<Kernel> grid_reader(const GridReader& reader, Address base, std::uint64_t passes) {
  constexpr std::uint8_t index = 8, test = 10, fetched = 11, total = 4, loaded = 20;
  constexpr std::uint8_t width = GridReader::kLoad, words = width / 4;
  ProgramSpec spec;
  spec.name = reader.name;
  spec.grid = {reader.grid};
  spec.block = {reader.block};
  spec.registers_per_thread = reader.registers;
  AffinePattern shape;
  shape.lane_stride = width;
  shape.warp_stride = width * kWarpSize;
  shape.block_stride = static_cast<std::int64_t>(Bytes{reader.block} * width);
  shape.iteration_stride = static_cast<std::int64_t>(reader.bytes_of_pass());
  spec.patterns = {{"data", base, shape}};
  std::vector<ProgramElement> body{instruction(Pipe::kInt, index, {index, fetched})};
  for (std::uint32_t i = 0; i < reader.loads; ++i) {
    MemoryElement load;
    load.pattern = "data";
    load.width = width;
    load.offset = static_cast<std::int64_t>(i * reader.step());
    load.registers.destination = static_cast<std::uint8_t>(loaded + words * i);
    load.registers.sources = {index};
    body.push_back({load});
  }
  for (std::uint32_t i = 0; i < reader.loads; ++i) {
    for (std::uint8_t word = 0; word < words; ++word) {
      const auto sum = static_cast<std::uint8_t>(total + word);
      body.push_back(instruction(Pipe::kFp32, sum, {sum, static_cast<std::uint8_t>(loaded + words * i + word)}));
    }
  }
  body.push_back(instruction(Pipe::kInt, test, {index}));
  body.push_back(instruction(Pipe::kControl, fetched, {test}));
  spec.body = {loop(static_cast<std::uint32_t>(passes), body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

}  // namespace gputlm
