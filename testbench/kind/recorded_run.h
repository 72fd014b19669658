/// A run, what it has recorded of its decisions, and its configuration.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gputlm {

/// A run with files (`gputlm run --out FOLDER`), some of which are recordings.
class RecordedRun {
 public:
  /// Throws InputError if the folder has no result of a run.
  explicit RecordedRun(std::string folder);

  const std::string& folder() const { return folder_; }
  bool has(const std::string& file) const;
  /// Throws InputError, with the probe that writes the file, if it is not there.
  std::string text(const std::string& file, const std::string& probe) const;
  /// Whether the run's GPU has a parameter, "dram.queue"; and values of those that it has.
  bool knows(const std::string& parameter) const { return find(parameter) != nullptr; }
  double number(const std::string& parameter) const;
  std::string name(const std::string& parameter) const;

 private:
  const nlohmann::json* find(const std::string& parameter) const;
  const nlohmann::json& value(const std::string& parameter) const;

  std::string folder_;
  nlohmann::json configuration_;
};

}  // namespace gputlm
