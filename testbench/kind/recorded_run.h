/// A run with its recorded decisions and its configuration.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gputlm {

/// A run that wrote files (`gputlm run --out FOLDER`), including recordings.
class RecordedRun {
 public:
  /// Throws InputError if the folder has no result of a run.
  explicit RecordedRun(std::string folder);

  const std::string& folder() const { return folder_; }
  bool has(const std::string& file) const;
  /// Throws InputError, naming the probe that writes the file, if the file is missing.
  std::string text(const std::string& file, const std::string& probe) const;
  /// Whether the run's GPU has a parameter such as "dram.queue". The functions below return values of parameters.
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
