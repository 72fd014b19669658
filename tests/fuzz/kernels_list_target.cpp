#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

constexpr const char* kTrace =
    "-kernel name = add\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 12\n"
    "-binary version = 80\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n"
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0\n"
    "0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
    "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 1\n0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n";

void attack_kernels_list(const std::string& text) {
  static const Folder folder({{"kernel-1.traceg", kTrace}, {"kernel-2.traceg", kTrace}});
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  const RunInput trace = load_run_input({folder.write("kernelslist.g", text)}, {});
  check_fits(gpu, trace.workload);
  check_memory(gpu, {kDefaultGpu, 0}, {}, trace.workload, kMaxMemory);
  use(trace.workload);
  static_cast<void>(trace.warnings());
}

const Registration of_kernels_list{{"kernels_list", Grammar::kLines, attack_kernels_list}};

}  // namespace
}  // namespace gputlm::fuzz
