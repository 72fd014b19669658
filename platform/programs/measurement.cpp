#include "platform/programs/measurement.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tlm/error.h"

namespace gputlm {
namespace {

const MeasurementFormat& format_of_measurement(const std::string& path) {
  if (std::error_code none; !std::filesystem::exists(path, none)) throw InputError(path, 0, "is not there");
  const auto& all = measurement_formats().all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MeasurementFormat& f) { return f.takes(path); });
  if (found != all.end()) return *found;
  std::string allowed;
  for (const MeasurementFormat& format : all) allowed += (allowed.empty() ? "" : "; ") + format.description;
  throw InputError(path, 0, "is no measurement; allowed are: " + allowed);
}

void refuse_option(const char* option, bool MeasurementFormat::*takes, const std::string& path,
                   const MeasurementFormat& format) {
  if (format.*takes) return;
  std::string others;
  for (const MeasurementFormat& other : measurement_formats()) {
    if (other.*takes) others += (others.empty() ? "" : ", ") + other.name;
  }
  throw InputError(option, 0, "is for: " + others + "; " + path + " is: " + format.name);
}

}  // namespace

Registry<MeasurementFormat>& measurement_formats() {
  static Registry<MeasurementFormat> registry("format of measurements");
  return registry;
}

Observation observe(const std::vector<std::string>& paths, const MeasurementOptions& options,
                    const Observation& model) {
  const MeasurementFormat& format = format_of_measurement(paths.at(0));
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (!format.has_parts || &format_of_measurement(paths[i]) != &format)
      throw InputError(paths[i], 0,
                       "is a second measurement beside " + paths[0] + ", " + format.name +
                           "; allowed is one, or result files of cuda_scheduling_examiner");
  }
  if (options.device) refuse_option("--device", &MeasurementFormat::has_devices, paths[0], format);
  if (!options.configuration.empty())
    refuse_option("--config", &MeasurementFormat::has_configurations, paths[0], format);
  return format.read(paths, options, model);
}

}  // namespace gputlm
