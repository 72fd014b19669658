/// What commands that take a workload have alike: its files, the GPU that it is for, and how the two go together.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "platform/cli/arguments.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"

namespace gputlm {

/// A workload, and the GPU with all that was set: what the workload asks for, and before it what the command line says.
struct LoadedInput {
  RunInput input;
  GpuConfig config;
  Origins origins;
};

class InputArguments {
 public:
  /// Declares the input, --gpu, --set, --seed and the options of formats.
  void declare(Arguments& arguments);
  /// `settings`: of the command, key=value, which --set has precedence over. Throws InputError for whatever is wrong with
  /// the files, the GPU or the settings.
  LoadedInput load(std::vector<std::string> settings = {}) const { return load(std::move(settings), seed_); }
  /// With another seed than that of the command line. Standard input can be read once only.
  LoadedInput load(std::vector<std::string> settings, std::uint64_t seed) const;

  const std::vector<std::string>& files() const { return files_; }
  /// Preset or file, for messages.
  const std::string& gpu() const { return gpu_; }
  std::uint64_t seed() const { return seed_; }

 private:
  std::vector<std::string> files_;  ///< of one format (platform/input/run_input.h)
  std::string gpu_ = kDefaultGpu;
  std::vector<std::string> settings_;  ///< key=value
  std::uint64_t seed_ = 1;
  std::map<std::string, std::string> of_formats_;
  std::map<std::string, std::vector<std::string>> files_of_formats_;  ///< options that name files
};

// What a result is of: input, GPU and seed. A folder that holds the result of something else is not written to by mistake.

/// `input`, `gpu`, `seed` and `configuration`, as in result.json (docs/result.md). `paths`: of the command line.
nlohmann::ordered_json provenance_of(const RunInput& input, const std::vector<std::string>& paths,
                                     const GpuConfig& config, std::uint64_t seed);

/// Throws InputError if `path` is the result of something else than `ours`, and says what differs. Of an older result,
/// what it does not say is no difference; neither is a file of which nothing can be read.
void check_earlier_result(const std::string& path, const nlohmann::ordered_json& ours);

}  // namespace gputlm
