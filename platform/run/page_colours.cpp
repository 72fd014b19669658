#include "platform/run/page_colours.h"

#include <fmt/format.h>

#include "platform/input/id_set.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

template <std::size_t N>
void check_ids(const ApplicationSpec& application, const char* key, const std::bitset<N>& ids, const char* units,
               unsigned count, const std::string& gpu) {
  const std::bitset<N> beyond = ids >> count << count;
  if (ids.any() && beyond.none()) return;
  throw InputError(application.file, application.line,
                   fmt::format("application {}: found {} {}, allowed: {} of {}, 0 to {}", application.name, key,
                               ids.none() ? "without one" : ids_text(beyond), units, gpu, count - 1));
}

}  // namespace

std::vector<unsigned> coloured_slices(const GpuConfig& config, const ApplicationSpec& application) {
  std::vector<unsigned> slices;
  for (unsigned slice = 0; slice < config.slices(); ++slice) {
    const bool by_channel =
        application.dram_channels && (*application.dram_channels)[slice / config.l2.slices_per_channel];
    if (by_channel || (application.l2_slices && (*application.l2_slices)[slice])) slices.push_back(slice);
  }
  return slices;
}

std::vector<std::vector<unsigned>> page_colours(const GpuConfig& config,
                                                const std::vector<ApplicationSpec>& applications,
                                                const std::vector<bool>& is_there) {
  std::vector<std::vector<unsigned>> colours(applications.size());
  for (std::size_t a = 0; a < applications.size(); ++a) {
    if (is_there[a]) colours[a] = coloured_slices(config, applications[a]);
  }
  return colours;
}

void check_page_colours(const GpusOfApplications& gpus, const Workload& workload) {
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    const GpuConfig& config = gpus.of(a);
    if (application.dram_channels) {
      check_ids(application, "dram_channels", *application.dram_channels, "channels", config.dram.channels,
                config.name);
    }
    if (application.l2_slices)
      check_ids(application, "l2_slices", *application.l2_slices, "slices", config.slices(), config.name);
  }
}

}  // namespace gputlm
