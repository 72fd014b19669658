/// multikernel: several kernels that spin, one after the other in a stream.
#include "platform/examiner/fields.h"
#include "platform/examiner/spin.h"

namespace gputlm {
namespace {

namespace multikernel {
using examiner::configuration_format;
constexpr const char *kPlace = "multikernel: additional_info[]",
                     *kParse = "src/multikernel.cu, InitializeKernelConfigs";
const FormatField kLabel(configuration_format, kPlace, "kernel_label", "name of the kernel", "", "a text; required",
                         kParse);
const FormatField kDuration(configuration_format, kPlace, "duration", "time of each block", "ns", "from 0 on; required",
                            kParse);
const FormatField kBlocks(configuration_format, kPlace, "block_count", "blocks of the grid", "blocks",
                          "from 1 on; required", kParse);
const FormatField kThreads(configuration_format, kPlace, "thread_count", "threads of a block", "threads",
                           "1 to 1024; required", kParse);
const FormatField kDelay(configuration_format, kPlace, "delay",
                         "time that the host sleeps before the launch, after the previous kernel has ended", "s",
                         "a real; 0 or less: neither; default 0", "src/multikernel.cu, Execute");
const FormatField kShared(configuration_format, kPlace, "shared_memory_size", "shared memory of a block, filled first",
                          "words of 32 bits", "0, 4096, 8192 or 10240; default 0", kParse);
constexpr const char* kLater = "src/multikernel.cu of newer tools, InitializeKernelConfigs";
const FormatField kCopyIn(configuration_format, kPlace, "copy_in_count", "words copied to the GPU before the kernel",
                          "words of 32 bits", "from 0 on; default 0", kLater);
const FormatField kCopyOut(configuration_format, kPlace, "copy_out_count", "words copied to the host after the kernel",
                           "words of 32 bits", "from 0 on; default 0", kLater);
const FormatField kMask(configuration_format, kPlace, "sm_mask", "mask of this kernel, instead of the benchmark's", "",
                        "as of a benchmark",
                        "src/multikernel.cu, InitializeKernelConfigs; libsmctrl, "
                        "libsmctrl_set_next_mask");
const FormatField kComment(configuration_format, kPlace, "comment", "passed over", "", "", kParse);
}  // namespace multikernel

void build_multikernel(PluginProgram& program) {
  const PluginParameters& p = program.parameters();
  const std::vector<YamlNode> entries = p.needed_info().items();
  if (entries.empty()) p.needed_info().fail("the list is empty, but at least one kernel is needed");
  program.execute();
  std::vector<std::uint64_t> blocks;
  for (const YamlNode& entry : entries) {
    program.check_keys(entry, multikernel::kPlace);
    const auto count = [&](const FormatField& field, std::uint64_t most) {
      return Dim3{static_cast<std::uint32_t>(examiner::whole_number(entry.at(field), 1, most))};
    };
    const auto copied = [&](const FormatField& field) -> Bytes {
      const auto words = entry.find(field);
      return words ? 4 * examiner::whole_number(*words, 0, std::uint64_t{1} << 36) : 0;
    };
    PluginKernel kernel = timer_spin(
        entry.at(multikernel::kLabel).possibly_empty_text(), count(multikernel::kBlocks, 0xffffffff),
        count(multikernel::kThreads, kMaxThreadsPerBlock), program.nanoseconds(entry.at(multikernel::kDuration)));
    add_shared_memory(kernel, read_shared_words(entry, multikernel::kShared, 0));
    kernel.label = kernel.name;
    if (const auto mask = entry.find(multikernel::kMask)) kernel.sms = read_sm_mask(*mask);
    if (const auto delay = entry.find(multikernel::kDelay); delay && program.seconds(*delay) > 0) {
      program.synchronize();
      program.sleep(program.seconds(*delay));
    }
    blocks.push_back(kernel.grid.count());
    const std::string label = kernel.label;
    program.copy(CopyKind::kHostToDevice, label + " in", copied(multikernel::kCopyIn));
    program.launch(std::move(kernel),
                   /*synchronized=*/blocks.size() == entries.size());  // the tool synchronizes only the last one
    program.copy(CopyKind::kDeviceToHost, label + " out", copied(multikernel::kCopyOut));
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
