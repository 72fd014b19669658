/// Plug-ins that compute: mandelbrot, matrix_multiply, vector_add, random_walk, inorder_walk. Their kernels are programs with
/// the instructions and addresses of the plug-ins; docs/examiner.md lists what is left out.
#include <utility>

#include "platform/examiner/plugin.h"

namespace gputlm {
namespace {

namespace mandelbrot {
using examiner::configuration_format;
const FormatField kSteps(configuration_format, "mandelbrot", "additional_info", "steps of a point that does not escape",
                         "steps", "from 0 on; default 1000", "src/mandelbrot.cu, SetMaxIterations");
}  // namespace mandelbrot

namespace matrix_multiply {
using examiner::configuration_format;
constexpr const char *kPlace = "matrix_multiply: additional_info",
                     *kParse = "src/matrix_multiply.cu, ParseAdditionalInfo";
const FormatField kWidth(configuration_format, kPlace, "matrix_width",
                         "rows and columns of the matrices of 32-bit reals", "elements", "from 1 on; required", kParse);
const FormatField kSkipCopy(configuration_format, kPlace, "skip_copy", "whether no iteration copies matrices", "",
                            "true or false; default false", kParse);
const FormatField kComment(configuration_format, kPlace, "comment", "passed over", "", "", kParse);
}  // namespace matrix_multiply

namespace vector_add {
using examiner::configuration_format;
constexpr const char *kPlace = "vector_add: additional_info", *kParse = "hip_plugin_framework, src/vector_add.cpp";
const FormatField kLength(configuration_format, kPlace, "vector_length", "elements of the vectors of 32-bit reals",
                          "elements", "from 1 on; required there, here data_size / 4 without it", kParse);
const FormatField kSkipCopy(configuration_format, kPlace, "skip_copy", "whether no iteration copies vectors", "",
                            "true or false; default false", kParse);
const FormatField kComment(configuration_format, kPlace, "comment", "passed over", "", "", kParse);
}  // namespace vector_add

namespace walk {
using examiner::configuration_format;
const FormatField kSteps(
    configuration_format, "random_walk, inorder_walk", "additional_info",
    "loads of each thread, one after the other, from a buffer of data_size in elements of 8 B", "loads",
    "from 0 on; default 1000 (of older tools: 10^6, and elements of 4 B)",
    "src/random_walk.cu and src/inorder_walk.cu, DEFAULT_MEMORY_ACCESS_COUNT, SetMemoryAccessCount");
}  // namespace walk

std::uint64_t divided(std::uint64_t number, std::uint64_t by) { return (number + by - 1) / by; }

Dim3 blocks_for(const PluginParameters& p, std::uint64_t threads) {
  const std::uint64_t blocks = divided(threads, p.block_shape().count());
  if (blocks > 0xffffffff) p.entry.fail("found " + std::to_string(blocks) + " blocks, allowed: up to 2^32 - 1");
  return {static_cast<std::uint32_t>(blocks)};
}

/// Every thread computes whether a point of a square picture of `data_size` bytes is in the Mandelbrot set.
void build_mandelbrot(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  std::uint64_t width = 0;
  while ((width + 1) * (width + 1) <= p.data_size) ++width;
  p.need_data(1);
  const std::uint64_t points = width * width;
  const Dim3 grid = blocks_for(p, points);
  PluginKernel kernel{"BasicMandelbrot", "", grid, p.block_shape(), {}};
  kernel.patterns = {{"points", program.buffer("points", grid.count() * p.block_shape().count()), CoalescedPattern{}}};
  // Per step: comparison, new real and imaginary part, magnitude; the counter has 64 bits.
  const std::uint64_t steps = program.scaled(p.number_or(mandelbrot::kSteps, 1000));
  kernel.body = {instructions(Pipe::kInt, 4), barrier(),
                 repeated(steps, {instructions(Pipe::kFp64, 8, 2), instructions(Pipe::kInt, 2, 1)}), store("points", 1),
                 barrier()};
  program.run_one(std::move(kernel), "points", points);
}

/// The common part of matrix_multiply and vector_add: inputs `a` and `b` and output `c` of `bytes` each.
void run_with_inputs(PluginProgram& program, PluginKernel kernel, Bytes bytes, bool copies) {
  program.memset("block times", kernel.grid.count() * 16);
  if (copies) {
    program.copy(CopyKind::kHostToDevice, "a", bytes);
    program.copy(CopyKind::kHostToDevice, "b", bytes);
  }
  program.synchronize();
  program.run_one(std::move(kernel), "c", copies ? bytes : 0);
}

/// A thread computes one element of the product of two square matrices.
void build_matrix_multiply(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  const YamlNode& info = p.needed_info();
  program.check_keys(info, matrix_multiply::kPlace);
  constexpr std::uint64_t kMaxWidth = 500'000;
  const std::uint64_t width = examiner::whole_number(info.at(matrix_multiply::kWidth), 1, kMaxWidth);
  const Bytes bytes = width * width * 4;
  const bool flat = p.threads.y == 1;
  if (flat) program.warn("thread_count has one dimension: blocks are 32 x 1, as the tool makes them");
  const Dim3 block = flat ? Dim3{kWarpSize} : p.block_shape();
  const Dim3 grid{static_cast<std::uint32_t>(divided(width, block.x)),
                  static_cast<std::uint32_t>(divided(width, block.y))};
  PluginKernel kernel{"matrix_multiply", "", grid, block, {}};
  const auto row = static_cast<std::int64_t>(width) * 4;
  const auto y = static_cast<std::int64_t>(block.y), x = static_cast<std::int64_t>(block.x);
  // Element (row, k) of a, (k, column) of b, (row, column) of c; indices beyond the edge wrap around.
  kernel.patterns = {{"a", program.buffer("a", bytes), IndexedPattern{0, row, 0, row * y, 4, bytes}},
                     {"b", program.buffer("b", bytes), IndexedPattern{4, 0, 4 * x, 0, row, bytes}},
                     {"c", program.buffer("c", bytes), IndexedPattern{4, row, 4 * x, row * y, 0, bytes}}};
  constexpr std::uint8_t kA = 4, kB = 5, kSum = 6;
  kernel.body = {
      instructions(Pipe::kInt, 8),
      repeated(program.scaled(width), {load("a", 4, kA), load("b", 4, kB),
                                       instruction(Pipe::kFp32, kSum, {kA, kB, kSum}), instructions(Pipe::kInt, 2)}),
      store("c", 4, {kSum})};
  run_with_inputs(program, std::move(kernel), bytes, !examiner::is_true(info, matrix_multiply::kSkipCopy));
}

/// A thread adds two elements.
void build_vector_add(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  if (p.info) program.check_keys(*p.info, vector_add::kPlace);
  const auto length = p.info ? p.info->find(vector_add::kLength) : std::nullopt;
  const std::uint64_t elements = length ? examiner::whole_number(*length, 1, std::uint64_t{1} << 36) : p.data_size / 4;
  if (elements == 0) p.entry.fail("found no vector_length in additional_info and a data_size below 4, allowed: either");
  const Dim3 grid = blocks_for(p, elements);
  PluginKernel kernel{"vector_add", "", grid, p.block_shape(), {}};
  const Bytes bytes = elements * 4, whole = grid.count() * p.block_shape().count() * 4;
  for (const char* const name : {"a", "b", "c"})
    kernel.patterns.push_back({name, program.buffer(name, whole), CoalescedPattern{}});
  constexpr std::uint8_t kA = 4, kB = 5, kSum = 6;
  kernel.body = {instructions(Pipe::kInt, 4), load("a", 4, kA), load("b", 4, kB),
                 instruction(Pipe::kFp32, kSum, {kA, kB}), store("c", 4, {kSum})};
  run_with_inputs(program, std::move(kernel), bytes, !(p.info && examiner::is_true(*p.info, vector_add::kSkipCopy)));
}

/// Threads follow a chain of elements in a buffer, each of which points to the next one.
void build_walk(PluginProgram& program, bool in_order) {
  const PluginParameters& p = program.parameters();
  constexpr unsigned kElement = 8;
  p.need_data(kElement);
  const Bytes bytes = p.data_size / kElement * kElement;
  PluginKernel kernel{"WalkKernel", "", p.grid_shape(), p.block_shape(), {}};
  PatternShape shape = RandomPattern{bytes};
  if (in_order)
    shape =
        AffinePattern{kElement, kElement * kWarpSize, 0, kElement, bytes};  // every block starts at the same elements
  kernel.patterns = {{"elements", program.buffer("elements", bytes), shape},
                     {"sum", program.buffer("sum", 8), BroadcastPattern{}}};
  constexpr std::uint8_t kNext = 4, kLow = 6, kHigh = 7;
  kernel.body = {barrier()};
  if (const std::uint64_t steps = p.number_or(walk::kSteps, 1000); steps > 0) {
    kernel.body.push_back(
        repeated(program.scaled(steps),
                 {load("elements", kElement, kNext, {kNext}), instruction(Pipe::kInt, kLow, {kNext, kLow}),
                  instruction(Pipe::kInt, kHigh, {kLow, kHigh}), instructions(Pipe::kInt, 2)}));
  }
  kernel.body.push_back(store("sum", 8, {kLow}));
  const std::uint64_t blocks = kernel.grid.count();
  program.execute();
  program.launch(std::move(kernel));
  program.synchronize();
  program.copy_out();
  program.copy(CopyKind::kDeviceToHost, "sum", 8);
  program.copy_out_blocks(blocks);
  program.synchronize();
}

GPUTLM_REGISTER {
  examiner_plugins().add({{"mandelbrot"}, "Mandelbrot Set", build_mandelbrot});
  examiner_plugins().add({{"matrix_multiply"}, "Matrix Multiply", build_matrix_multiply});
  examiner_plugins().add({{"vector_add"}, "Vector Add", build_vector_add});
  examiner_plugins().add({{"random_walk"}, "Random Walk", [](PluginProgram& program) { build_walk(program, false); }});
  examiner_plugins().add(
      {{"inorder_walk"}, "In-order Walk", [](PluginProgram& program) { build_walk(program, true); }});
}

}  // namespace
}  // namespace gputlm
