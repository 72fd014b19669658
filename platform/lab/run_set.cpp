#include "platform/lab/run_set.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/host/workload_text.h"
#include "platform/files/json_text.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/run/check_fits.h"
#include "platform/run/simulation.h"
#include "tlm/base/digest.h"

namespace gputlm {

GpuRun Run::gpu_run() {
  return {config, durations, [this] { return workload; }};
}

RunDigests Run::digests() const {
  const std::string text = workload_text(workload);
  std::string configuration = json_text(to_json(config));
  if (durations) {
    configuration += to_text(*durations);
  } else if (config.sm.durations != "none") {
    configuration += file_digest(config.sm.durations);
  }
  return {program_digest(), digest(configuration), text.empty() ? "" : digest(text)};
}

Job Run::job() const {
  const RunDigests d = digests();
  std::string id;
  if (!d.inputs.empty()) {
    id = digest(fmt::format("run {} {} {} {} {}", d.program, keep_blocks, keep_predictions, d.configuration, d.inputs));
  }
  return {std::move(id),
          [this](const Execution& execution) {
            RunOptions options;
            options.window = execution.window;
            options.threads = execution.threads;
            options.keep_blocks = keep_blocks;
            options.keep_predictions = keep_predictions;
            options.durations = durations.get();
            check_fits(config, workload);
            const RunResult result = simulate(config, workload, options);
            if (result.state != RunState::kComplete) {
              throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
            }
            return to_bytes(result);
          },
          estimated_memory(config, workload)};
}

RunResult Run::result(std::string_view bytes) { return result_from_bytes(bytes); }

}  // namespace gputlm
