#include "platform/experiments/silicon/placement_kernels.h"

#include <string>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

constexpr Bytes kHalf = 2;
constexpr Address kMatrix = 0x1'0000'0000, kVector = 0x2'0000'0000, kLeft = 0x3'0000'0000, kRight = 0x4'0000'0000;
constexpr std::uint32_t kRows = 8192, kRowsOfBlock = 256;             // of the GEMV
constexpr std::uint32_t kSize = 1024, kTile = 16, kWarpsOfBlock = 4;  // of the GEMM
constexpr std::uint8_t kPlace = 8, kBelow = 10, kFetched = 11;

ProgramElement load_at(std::string pattern, std::uint8_t width, std::uint8_t destination, std::int64_t offset = 0) {
  MemoryElement load;
  load.pattern = std::move(pattern);
  load.width = width;
  load.offset = offset;
  load.registers.destination = destination;
  load.registers.sources = {kPlace};
  return {load};
}

/// Loop overhead: the index before, and the test and branch behind, on which the following code depends.
void begin_pass(std::vector<ProgramElement>& body) {
  body.push_back(instruction(Pipe::kInt, kPlace, {kPlace, kFetched}));
}
void end_pass(std::vector<ProgramElement>& body) {
  body.push_back(instruction(Pipe::kInt, kBelow, {kPlace}));
  body.push_back(instruction(Pipe::kControl, kFetched, {kBelow}));
}

std::uint8_t after(std::uint8_t reg, unsigned further) { return static_cast<std::uint8_t>(reg + further); }

}  // namespace

std::shared_ptr<Kernel> placement_gemv(unsigned from, unsigned steps) {
  constexpr unsigned kUnrolled = 4;  // assumed: nvcc's unrolling
  constexpr Bytes kRow = kRows * kHalf, kPass = kUnrolled * kHalf, kStep = kRow / kStepsOfPlacement;
  constexpr std::uint8_t kSum = 5, kElement = 20, kFactor = 24;
  ProgramSpec spec;
  spec.name = "gemv";
  spec.grid = {kRows / kRowsOfBlock};
  spec.block = {kRowsOfBlock};
  AffinePattern matrix;
  matrix.lane_stride = kRow;
  matrix.warp_stride = kWarpSize * kRow;
  matrix.block_stride = kRowsOfBlock * kRow;
  matrix.iteration_stride = kPass;
  spec.patterns = {{"matrix", kMatrix + from * kStep, matrix},
                   {"vector", kVector + from * kStep, BroadcastPattern{kPass}}};
  std::vector<ProgramElement> body;
  begin_pass(body);
  for (unsigned u = 0; u < kUnrolled; ++u) {
    const auto offset = static_cast<std::int64_t>(u * kHalf);
    body.push_back(load_at("matrix", kHalf, after(kElement, u), offset));
    body.push_back(load_at("vector", kHalf, after(kFactor, u), offset));
  }
  for (unsigned u = 0; u < kUnrolled; ++u) {  // two conversions, and a multiply-add
    body.push_back(instruction(Pipe::kFp32, after(kElement, u), {after(kElement, u)}));
    body.push_back(instruction(Pipe::kFp32, after(kFactor, u), {after(kFactor, u)}));
    body.push_back(instruction(Pipe::kFp32, kSum, {kSum, after(kElement, u), after(kFactor, u)}));
  }
  end_pass(body);
  spec.body = {loop(static_cast<std::uint32_t>(steps * kStep / kPass), body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

/// A warp's fragments are loaded from rows of memory as by wmma: a quarter of a warp's lanes reads one row. Each of four
/// loads of A covers 8 rows of 16 bytes; each of eight loads of B covers 4 rows of 16 bytes. Blocks of 4 x 32 threads replace
/// the source's 32 x 4, so that a thread's x is its position in such a row and its y continues over the warps of a block.
std::shared_ptr<Kernel> placement_gemm(unsigned from, unsigned steps) {
  constexpr Bytes kRow = kSize * kHalf, kStepLeft = kTile * kHalf, kStepRight = kTile * kRow, kFragment = 8 * kHalf;
  constexpr std::uint8_t kA = 20, kB = 24, kPacked = 32, kC = 40;
  ProgramSpec spec;
  spec.name = "gemm";
  spec.grid = {kSize / (kWarpsOfBlock * kTile), kSize / kTile};
  spec.block = {4, 8 * kWarpsOfBlock};
  spec.registers_per_thread = 48;
  std::vector<ProgramElement> body;
  begin_pass(body);
  for (unsigned f = 0; f < 4; ++f) {
    IndexedPattern a;
    a.thread_x_stride = 2 * kHalf;
    a.thread_y_stride = 2 * kRow;
    a.block_x_stride = kWarpsOfBlock * kTile * kRow;
    a.iteration_stride = kStepLeft;
    const std::string name = "a" + std::to_string(f);
    spec.patterns.push_back({name, kLeft + from * kStepLeft + f / 2 * kRow + f % 2 * kFragment, a});
    body.push_back(load_at(name, 2 * kHalf, after(kA, f)));
  }
  for (unsigned f = 0; f < 8; ++f) {
    IndexedPattern b;
    b.thread_x_stride = 2 * kRow;
    b.thread_y_stride = kHalf;
    b.block_y_stride = kTile * kHalf;
    b.iteration_stride = kStepRight;
    const std::string name = "b" + std::to_string(f);
    const Bytes row = f % 2 + f / 4 * 8;
    spec.patterns.push_back({name, kRight + from * kStepRight + row * kRow + f / 2 % 2 * kFragment, b});
    body.push_back(load_at(name, kHalf, after(kB, f)));
  }
  for (unsigned f = 0; f < 4; ++f)
    body.push_back(instruction(Pipe::kInt, after(kPacked, f), {after(kB, 2 * f), after(kB, 2 * f + 1)}));
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint8_t c = after(kC, half), packed = after(kPacked, 2 * half);
    body.push_back(instruction(Pipe::kTensor, c, {after(kA, 2 * half), packed, after(packed, 1), c}));
  }
  end_pass(body);
  spec.body = {loop(steps, body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

}  // namespace gputlm
