#include <filesystem>
#include <fstream>

#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/run/check_fits.h"
#include "platform/run/memory_estimate.h"
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

/// With the traces kernel-1.traceg and kernel-2.traceg beside the list.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gputlm_fuzz_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
    for (const char* trace : {"kernel-1.traceg", "kernel-2.traceg"}) write(trace, kTrace);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

void read(const std::string& text) {
  static const Folder folder;
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  const RunInput trace = load_run_input({folder.write("kernelslist.g", text)}, {});
  check_fits(gpu, trace.workload);
  check_memory(gpu, {kDefaultGpu, 0}, {}, trace.workload, kMaxMemory);
  use(trace.workload);
  static_cast<void>(trace.warnings());
}

const Registration registration{{"kernels_list", Grammar::kLines, read}};

}  // namespace
}  // namespace gputlm::fuzz
