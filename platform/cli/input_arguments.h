/// Common arguments of commands that take a workload: its files, the GPU, and how they are combined.
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

/// A workload and the GPU with all settings; those of the command line take precedence over the workload's.
struct LoadedInput {
  RunInput input;
  GpuConfig config;
  Origins origins;
};

class InputArguments {
 public:
  /// Declares the input, --gpu, --set, --seed and the options of formats.
  void declare(Arguments& arguments);
  /// `settings`: key=value from other arguments of the command; --set overrides them. Throws InputError for errors in the
  /// files, the GPU or the settings.
  LoadedInput load(std::vector<std::string> settings = {}) const { return load(std::move(settings), seed_); }
  /// The same with another seed than the command line's. Standard input can be read only once.
  LoadedInput load(std::vector<std::string> settings, std::uint64_t seed) const;

  const std::vector<std::string>& files() const { return files_; }
  /// Preset or file, for messages.
  const std::string& gpu() const { return gpu_; }
  std::uint64_t seed() const { return seed_; }

 private:
  std::vector<std::string> files_;  ///< files of a single format (platform/input/run_input.h)
  std::string gpu_ = kDefaultGpu;
  std::vector<std::string> settings_;  ///< key=value
  std::uint64_t seed_ = 1;
  std::map<std::string, std::string> of_formats_;
  std::map<std::string, std::vector<std::string>> files_of_formats_;  ///< files by the option that names them
};

// Provenance of a result: input, GPU and seed. It prevents a command from overwriting another result by mistake.

/// `input`, `gpu`, `seed` and `configuration`, as in result.json (docs/result.md). `paths`: those of the command line.
nlohmann::ordered_json provenance_of(const RunInput& input, const std::vector<std::string>& paths,
                                     const GpuConfig& config, std::uint64_t seed);

/// Throws InputError, with the differences, if `path` is a result of another provenance than `ours`. Fields that an older
/// result lacks are not compared; an unreadable file is ignored.
void check_earlier_result(const std::string& path, const nlohmann::ordered_json& ours);

}  // namespace gputlm
