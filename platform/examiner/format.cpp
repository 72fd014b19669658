/// Configurations of cuda_scheduling_examiner as an input of `gputlm run`.
#include <string>

#include "platform/examiner/scenario.h"
#include "platform/files/atomic_file.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace {

constexpr const char* kTimeScale = "--time-scale";

/// A JSON file with benchmarks: workload files may also be JSON, but have none.
bool is_configuration(const std::string& path) {
  if (!ends_with(path, ".json")) return false;
  try {
    return read_text(path, Document::kMaxBytes).find("\"benchmarks\"") != std::string::npos;
  } catch (const InputError&) {
    return false;
  }
}

std::uint64_t read_time_scale(const RunInputOptions& options) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  const auto given = options.own.find(kTimeScale);
  if (given == options.own.end()) return 1;
  const std::string& text = given->second;
  const std::uint64_t scale = parse_number<std::uint64_t>(text).value_or(0);
  if (scale == 0 || scale > kMax)
    throw InputError(std::string(kTimeScale) + ": found '" + shortened(text) + "', allowed: 1 to " +
                     std::to_string(kMax));
  return scale;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "cuda_scheduling_examiner configuration";
  format.rank = 20;
  format.description = "JSON with `benchmarks` (docs/examiner.md)";
  format.takes = is_configuration;
  format.options = {{{kTimeScale, "",
                      "For a cuda_scheduling_examiner configuration: divide its times and work by this; times in its "
                      "result files are multiplied by it"}}};
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(paths[1], 0, "is a second configuration; allowed: one per run");
    return load_examiner_configuration(YamlNode::load_json_file(paths[0]), read_time_scale(options));
  };
  input_formats().add(std::move(format));
}

}  // namespace
}  // namespace gputlm
