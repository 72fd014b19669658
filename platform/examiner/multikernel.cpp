/// multikernel: several kernels that spin, one after the other in a stream.
#include "platform/examiner/sm_mask.h"
#include "platform/examiner/spin.h"

namespace gputlm {
namespace {

const std::vector<std::string> kKeys = {
    "kernel_label",       "duration",      "block_count",    "thread_count", "delay",
    "shared_memory_size", "copy_in_count", "copy_out_count", "sm_mask",      "comment"};

std::uint64_t words(const YamlNode& entry, const char* key) {
  const auto count = entry.find(key);
  return count ? count->unsigned_number(0, std::uint64_t{1} << 36) : 0;
}

void build_multikernel(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  const std::vector<YamlNode> entries = p.needed_info().items();
  if (entries.empty()) p.needed_info().fail("the list is empty, but at least one kernel is needed");
  program.execute();
  std::vector<std::uint64_t> blocks;
  for (const YamlNode& entry : entries) {
    program.check_keys(entry, kKeys);
    const auto count = [&](const char* key, std::uint64_t most) {
      return Dim3{static_cast<std::uint32_t>(entry.at(key).unsigned_number(1, most))};
    };
    PluginKernel kernel =
        timer_spin(entry.at("kernel_label").possibly_empty_text(), count("block_count", 0xffffffff),
                   count("thread_count", kMaxThreadsPerBlock), program.nanoseconds(entry.at("duration")));
    add_shared_memory(kernel, read_shared_words(entry, 0));
    kernel.label = kernel.name;
    if (const auto mask = entry.find("sm_mask")) kernel.sms = read_sm_mask(*mask);
    if (const auto delay = entry.find("delay"); delay && program.seconds(*delay) > 0) {
      program.synchronize();
      program.sleep(program.seconds(*delay));
    }
    blocks.push_back(kernel.grid.count());
    const std::string label = kernel.label;
    program.copy(CopyKind::kHostToDevice, label + " in", words(entry, "copy_in_count") * 4);
    program.launch(std::move(kernel));
    program.copy(CopyKind::kDeviceToHost, label + " out", words(entry, "copy_out_count") * 4);
  }
  program.synchronize();
  program.copy_out();
  for (const std::uint64_t count : blocks) program.copy_out_blocks(count);
  program.synchronize();
}

GPUTLM_REGISTER {
  examiner_plugins().add({{"multikernel"}, "Multi-kernel submission", build_multikernel, /*names_launches=*/true});
}

}  // namespace
}  // namespace gputlm
