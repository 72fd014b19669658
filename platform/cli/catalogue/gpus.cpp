#include <fmt/format.h>

#include <algorithm>

#include "platform/cli/catalogue.h"

namespace gputlm {
namespace {

using Form = Column::Form;

double memory_gb_per_s(const DramConfig& dram) {
  return dram.channels * dram.burst_bytes * dram.command_mhz / dram.timing.tCCDS / 1000;
}

Listing listing_of_gpus(const ListOptions&) {
  Listing listing{{{"GPU", Form::kKey},
                   {"SMs", Form::kNumber},
                   {"MHz", Form::kNumber},
                   {"L2 KiB", Form::kNumber},
                   {"GB/s", Form::kNumber},
                   {"placement", Form::kKey},
                   {"description"}},
                  {}};
  for (const PresetInfo& preset : presets()) {
    const GpuConfig& gpu = preset.config;
    const double bandwidth = memory_gb_per_s(gpu.dram);
    const bool is_default = preset.name == kDefaultGpu;
    listing.items.push_back({preset.name,
                             preset.description,
                             {preset.name, fmt::to_string(gpu.sms), fmt::to_string(gpu.core_mhz),
                              fmt::to_string(gpu.l2.bytes / 1024), fmt::format("{:.0f}", bandwidth),
                              gpu.work_distributor.placement, preset.description + (is_default ? " (default)" : "")},
                             {{"name", preset.name},
                              {"description", preset.description},
                              {"sms", gpu.sms},
                              {"core_mhz", gpu.core_mhz},
                              {"l2_bytes", gpu.l2.bytes},
                              {"memory_gb_per_s", bandwidth},
                              {"placement", gpu.work_distributor.placement},
                              {"default", is_default}}});
  }
  return listing;
}

/// The comments at the beginning of a preset's file.
std::string comments_of(const std::string& yaml) {
  std::string text;
  for (std::size_t at = 0; at < yaml.size() && yaml[at] == '#';) {
    const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
    text += yaml.substr(std::min(at + 2, end), end - std::min(at + 2, end)) + "\n";
    at = end + 1;
  }
  return text;
}

std::string explain_gpu(const Item& item) {
  const auto& sources = preset_sources();
  const auto source =
      std::find_if(sources.begin(), sources.end(), [&](const PresetSource& s) { return s.name == item.name; });
  return fmt::format("{} (GPU): {}\n\n{}\nIts parameters: gputlm list parameters --gpu {}\n", item.name,
                     item.description, comments_of(source->yaml), item.name);
}

GPUTLM_REGISTER {
  catalogues().add({{"gpus"},
                    "GPU",
                    "GPUs: values of `--gpu`, in addition to files that extend one of them (docs/gpu.md)",
                    listing_of_gpus,
                    explain_gpu});
}

}  // namespace
}  // namespace gputlm
