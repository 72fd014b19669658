/// `gputlm run CAPTURE`: a measured timeline, run again.
#include <algorithm>
#include <optional>
#include <string>

#include "platform/input/durations_file.h"
#include "platform/input/nearest.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/measured/capture.h"
#include "platform/measured/replay.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr const char* kRelease = "--release";
constexpr const char* kDevice = "--device";

const std::string* option(const RunInputOptions& options, const char* name) {
  const auto found = options.own.find(name);
  return found == options.own.end() ? nullptr : &found->second;
}

MeasuredRelease release_of(const RunInputOptions& options) {
  const std::string* const text = option(options, kRelease);
  if (!text) return MeasuredRelease::kLaunch;
  static const std::vector<std::string> names{"launch", "start", "none"};  // as in MeasuredRelease
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (*text == names[i]) return static_cast<MeasuredRelease>(i);
  }
  throw InputError(std::string(kRelease) + ": found '" + shortened(*text) + "'" + suggestion(*text, names));
}

std::optional<std::uint64_t> device_of(const RunInputOptions& options) {
  const std::string* const text = option(options, kDevice);
  if (!text) return std::nullopt;
  const auto device = parse_number<std::uint64_t>(*text);
  if (!device)
    throw InputError(std::string(kDevice) + ": found '" + shortened(*text) + "', allowed: a number from 0 on");
  return device;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "capture";
  format.rank = 5;
  format.description = "kernels that last as measured (docs/traces.md): " + capture_descriptions();
  format.options = {
      {kRelease,
       "Of a measured timeline: commands go into their streams when the host called for them (launch), when "
       "they began (start), or at once (none) [launch]"},
      {kDevice, "Of a measured timeline: the device whose kernels are taken (default: that with the most)"}};
  format.takes = [](const std::string& path) { return capture_format(path) != nullptr; };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(paths[1], 0, "is a second timeline; allowed is one");
    const MeasuredTimeline timeline = capture_format(paths[0])->read(paths[0], device_of(options));
    RunInput input;
    input.workload =
        measured_workload(timeline, options.gpu ? *options.gpu : load_gpu(kDefaultGpu), release_of(options));
    int most_urgent = 0;
    for (const MeasuredStream& stream : timeline.streams) most_urgent = std::min(most_urgent, stream.priority);
    if (most_urgent < -1) input.workload.settings = {"work_distributor.priorities=" + std::to_string(1 - most_urgent)};
    if (!options.gpu || !options.gpu->mmu.enabled) {
      input.workload.settings.emplace_back("sm.model=blocks");
      input.why_sm_model = kExactForSpins;
    }
    input.warnings = [warnings = input.workload.warnings] { return warnings; };
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace
}  // namespace gputlm
