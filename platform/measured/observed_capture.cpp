/// A capture as a measurement: times of kernels and copies.
#include <utility>

#include "platform/measured/capture.h"
#include "platform/measured/measurement.h"
#include "platform/measured/observed_names.h"

namespace gputlm {
namespace {

Observation of_capture(const MeasuredTimeline& timeline) {
  const std::string& path = timeline.path;
  Observation observation{path, timeline.gpu.name, {}, {}, true, timeline.warnings};
  const auto add = [&](const MeasuredCommand& command, const std::string& name,
                       std::vector<ObservedCommand>& commands) {
    const MeasuredStream& stream = timeline.streams[command.stream];
    commands.push_back({command.label, name, "stream " + std::to_string(stream.id), static_cast<double>(command.start),
                        static_cast<double>(command.end)});
  };
  for (const MeasuredKernel& kernel : timeline.kernels) add(kernel, base_name(kernel.name), observation.kernels);
  for (const MeasuredCopy& copy : timeline.copies) add(copy, to_string(copy.kind), observation.copies);
  return observation;
}

GPUTLM_REGISTER {
  MeasurementFormat format;
  format.name = "a capture";
  format.rank = 2;
  format.description = "a capture (" + capture_descriptions() + ")";
  format.has_devices = true;
  format.takes = [](const std::string& path) { return capture_format(path) != nullptr; };
  format.read = [](const std::vector<std::string>& paths, const MeasurementOptions& options, const Observation&) {
    return of_capture(capture_format(paths[0])->read(paths[0], options.device));
  };
  measurement_formats().add(std::move(format));
}

}  // namespace
}  // namespace gputlm
