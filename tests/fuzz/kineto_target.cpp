#include <algorithm>

#include "platform/input/preset.h"
#include "platform/measured/kineto.h"
#include "platform/measured/replay.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

/// Commands are in the order of their starts, in streams that there are, and become a workload.
void read(const std::string& text) {
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  const FileInMemory file(text);
  const MeasuredTimeline timeline = read_kineto(file.path());
  const auto earlier = [](const MeasuredCommand& a, const MeasuredCommand& b) { return a.start < b.start; };
  require(std::is_sorted(timeline.kernels.begin(), timeline.kernels.end(), earlier), "kernels are out of order");
  require(std::is_sorted(timeline.copies.begin(), timeline.copies.end(), earlier), "copies are out of order");
  for (const MeasuredKernel& kernel : timeline.kernels) {
    require(kernel.stream < timeline.streams.size(), "a kernel of no stream");
    require(!kernel.launched || *kernel.launched <= kernel.start, "a kernel starts before it is launched");
  }
  use(measured_workload(timeline, gpu, MeasuredRelease::kLaunch));
}

const Registration registration{{"kineto", Grammar::kYaml, read}};

}  // namespace
}  // namespace gputlm::fuzz
