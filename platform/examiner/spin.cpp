/// timer_spin, counter_spin, sharedmem_timer_spin: one kernel that spins.
#include "platform/examiner/spin.h"

#include <utility>

namespace gputlm {

PluginKernel timer_spin(const std::string& name, Dim3 grid, Dim3 block, Femtoseconds time) {
  PluginKernel kernel{name, "", grid, block, {}};
  kernel.body.push_back(time > 0 ? spin(time) : instructions(Pipe::kInt, 1));
  return kernel;
}

PluginKernel counter_spin(const std::string& name, Dim3 grid, Dim3 block, std::uint64_t iterations) {
  // Sum, counter and bound have 64 bits: two instructions each, the second of which needs the first one's carry. The
  // branch is the loop's.
  PluginKernel kernel{name, "", grid, block, {}};
  kernel.body.push_back(barrier());
  if (iterations > 0) kernel.body.push_back(repeated(iterations, {instructions(Pipe::kInt, 6, 2)}));
  return kernel;
}

void add_shared_memory(PluginKernel& kernel, std::uint64_t words) {
  if (words == 0) return;
  kernel.shared_memory = words * 4;
  const auto each = static_cast<std::int64_t>(words / kernel.block.count());  // neighbouring words of a thread
  AffinePattern pattern;
  pattern.lane_stride = 4 * each;
  pattern.warp_stride = 4 * each * kWarpSize;
  pattern.iteration_stride = 4;
  pattern.footprint = kernel.shared_memory;
  kernel.patterns.push_back({"shared", 0, pattern});
  std::vector<ProgramElement> body;
  body.push_back(barrier());
  body.push_back(loop(static_cast<std::uint32_t>(each), {store("shared", 4, {}, Space::kShared)}));
  body.push_back(load("shared", 4, std::nullopt, {}, Space::kShared));
  for (ProgramElement& element : kernel.body) body.push_back(std::move(element));
  kernel.body = std::move(body);
}

std::uint64_t read_shared_words(const YamlNode& entry, std::uint64_t least) {
  const auto node = entry.find("shared_memory_size");
  if (!node && least == 0) return 0;
  const YamlNode size = entry.at("shared_memory_size");
  const std::uint64_t words = size.unsigned_number(least);
  if (words != 0 && words != 4096 && words != 8192 && words != 10240)
    size.fail("found " + std::to_string(words) + ", allowed: " + (least == 0 ? "0, " : "") + "4096, 8192 or 10240");
  return words;
}

namespace {

/// One kernel, waited for, whose times and SMs go to the host.
void run_one(PluginProgram& program, PluginKernel kernel) {
  const std::uint64_t blocks = kernel.grid.count();
  program.execute();
  program.launch(std::move(kernel));
  program.synchronize();
  program.copy_out();
  program.copy_out_blocks(blocks);
  program.synchronize();
}

void build_timer_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  const std::uint64_t duration = p.number_or(10'000'000, PluginProgram::kMaxNanoseconds);
  run_one(program, timer_spin("GPUSpin", p.grid_shape(), p.block_shape(), program.nanoseconds(duration)));
}

void build_counter_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  run_one(program,
          counter_spin("CounterSpin", p.grid_shape(), p.block_shape(), program.scaled(p.number_or(1'000'000))));
}

void build_sharedmem_timer_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  program.check_keys(p.needed_info(), {"duration", "shared_memory_size", "comment"});
  PluginKernel kernel = timer_spin("SharedMem_GPUSpin", p.grid_shape(), p.block_shape(),
                                   program.nanoseconds(p.needed_info().at("duration")));
  add_shared_memory(kernel, read_shared_words(p.needed_info(), 1));
  run_one(program, std::move(kernel));
}

GPUTLM_REGISTER {
  examiner_plugins().add({{"timer_spin"}, "Timer Spin", build_timer_spin});
  examiner_plugins().add({{"timer_spin_default_stream"}, "Timer Spin (default stream)", [](PluginProgram& program) {
                            program.use_null_stream();
                            build_timer_spin(program);
                          }});
  examiner_plugins().add({{"counter_spin"}, "Counter Spin", build_counter_spin});
  examiner_plugins().add({{"sharedmem_timer_spin"}, "Timer Spin (shared memory)", build_sharedmem_timer_spin});
}

}  // namespace
}  // namespace gputlm
