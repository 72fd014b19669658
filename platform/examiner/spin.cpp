/// timer_spin, counter_spin, sharedmem_timer_spin: one kernel that spins.
#include "platform/examiner/spin.h"

#include <utility>

namespace gputlm {

namespace spin_plugin {
using examiner::configuration_format;
const FormatField kDuration(configuration_format, "timer_spin, timer_spin_default_stream", "additional_info",
                            "time of each block", "ns", "from 0 on; default 10^7",
                            "src/timer_spin.cu, DEFAULT_SPIN_DURATION and SetSpinDuration");
const FormatField kCount(configuration_format, "counter_spin", "additional_info", "additions of each thread",
                         "additions", "from 0 on; default 10^6", "src/counter_spin.cu, SetLoopIterations");
constexpr const char *kSharedPlace = "sharedmem_timer_spin: additional_info",
                     *kParse = "src/sharedmem_timer_spin.cu, InitializeKernelConfigs";
const FormatField kSharedDuration(configuration_format, kSharedPlace, "duration", "time of each block", "ns",
                                  "from 0 on; required", kParse);
const FormatField kSharedSize(configuration_format, kSharedPlace, "shared_memory_size",
                              "shared memory of a block, filled first", "words of 32 bits",
                              "4096, 8192 or 10240; required", kParse);
const FormatField kComment(configuration_format, kSharedPlace, "comment", "passed over", "", "", kParse);
}  // namespace spin_plugin

PluginKernel timer_spin(const std::string& name, Dim3 grid, Dim3 block, Femtoseconds time) {
  PluginKernel kernel{name, "", grid, block, {}};
  kernel.body.push_back(time > 0 ? spin(time) : instructions(Pipe::kInt, 1));
  return kernel;
}

PluginKernel counter_spin(const std::string& name, Dim3 grid, Dim3 block, std::uint64_t iterations) {
  // Sum, counter and bound have 64 bits: two instructions each, the second of which needs the carry of the first. The branch
  // belongs to the loop.
  PluginKernel kernel{name, "", grid, block, {}};
  kernel.body.push_back(barrier());
  if (iterations > 0) kernel.body.push_back(repeated(iterations, {instructions(Pipe::kInt, 6, 2)}));
  return kernel;
}

void add_shared_memory(PluginKernel& kernel, std::uint64_t words) {
  if (words == 0) return;
  kernel.shared_memory = words * 4;
  const auto each = static_cast<std::int64_t>(words / kernel.block.count());  // consecutive words per thread
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

std::uint64_t read_shared_words(const YamlNode& entry, const FormatField& field, std::uint64_t least) {
  if (least == 0 && !entry.find(field)) return 0;
  const YamlNode size = entry.at(field);
  const std::uint64_t words = examiner::whole_number(size, least);
  if (words != 0 && words != 4096 && words != 8192 && words != 10240)
    size.fail("found " + std::to_string(words) + ", allowed: " + (least == 0 ? "0, " : "") + "4096, 8192 or 10240");
  return words;
}

namespace {

void build_timer_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  const std::uint64_t duration = p.number_or(spin_plugin::kDuration, 10'000'000, PluginProgram::kMaxNanoseconds);
  program.run_one(timer_spin("GPUSpin", p.grid_shape(), p.block_shape(), program.nanoseconds(duration)));
}

void build_counter_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  program.run_one(counter_spin("CounterSpin", p.grid_shape(), p.block_shape(),
                               program.scaled(p.number_or(spin_plugin::kCount, 1'000'000))));
}

void build_sharedmem_timer_spin(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  program.check_keys(p.needed_info(), spin_plugin::kSharedPlace);
  PluginKernel kernel = timer_spin("SharedMem_GPUSpin", p.grid_shape(), p.block_shape(),
                                   program.nanoseconds(p.needed_info().at(spin_plugin::kSharedDuration)));
  add_shared_memory(kernel, read_shared_words(p.needed_info(), spin_plugin::kSharedSize, 1));
  program.run_one(std::move(kernel));
}

GPUTLM_REGISTER {
  examiner_plugins().add({{"timer_spin"}, "Timer Spin", build_timer_spin});
  examiner_plugins().add({{"timer_spin_default_stream"}, "Timer Spin (default stream)", [](PluginProgram& program) {
                            program.use_null_stream();
                            program.drop_mask();
                            build_timer_spin(program);
                          }});
  examiner_plugins().add({{"counter_spin"}, "Counter Spin", build_counter_spin});
  examiner_plugins().add({{"sharedmem_timer_spin"}, "Timer Spin (shared memory)", build_sharedmem_timer_spin});
}

}  // namespace
}  // namespace gputlm
