/// A capture as a measurement: times of kernels and copies.
#include <utility>

#include "platform/programs/capture.h"
#include "platform/programs/measurement.h"
#include "platform/programs/observed_names.h"

namespace gputlm {
namespace {

Observation of_capture(const Program& program) {
  Observation observation{program.path, program.gpu.name, {}, {}, true, program.warnings};
  for (const MeasuredCommand& command : program.commands) {
    const std::string stream = "stream " + std::to_string(program.streams[command.stream].id);
    const MeasuredKernel* const kernel = command.kernel();
    auto& commands = kernel ? observation.kernels : observation.copies;
    commands.push_back({command.label, kernel ? base_name(kernel->name) : to_string(command.copy()->kind), stream,
                        static_cast<double>(command.start), static_cast<double>(command.end)});
  }
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
