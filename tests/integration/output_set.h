/// Allowed contents of the output folder of a run after any event: a whole set of files, or no record of one.
#pragma once

#include <array>
#include <cstdio>
#include <map>

#include "tests/integration/program.h"

namespace gputlm {

/// SHA-1 of the files of a folder, by name, computed by a program that shares no code with ours.
inline std::map<std::string, std::string> sha1sums(const std::string& folder) {
  std::map<std::string, std::string> sums;
  if (!std::filesystem::exists(folder)) return sums;
  std::FILE* const output = ::popen(("cd '" + folder + "' && sha1sum -- * 2>/dev/null").c_str(), "r");
  if (!output) throw std::runtime_error("sha1sum cannot be run");
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), output)) {
    const std::string text(line.data());
    sums[text.substr(42, text.size() - 43)] = text.substr(0, 40);
  }
  ::pclose(output);
  return sums;
}

/// Reads the record of the folder (docs/result.md), if there is one, and checks everything in it; returns its text, or
/// nothing.
inline std::string expect_whole_set_or_no_record(const std::string& folder, const std::string& record) {
  const auto sums = sha1sums(folder);
  if (sums.count(record) == 0) return "";
  const std::string text = read_file(folder + "/" + record);
  const auto json = nlohmann::json::parse(text);
  for (const auto& [name, digest] : json.at("files").items()) {
    EXPECT_EQ(sums.count(name), 1u) << name << " is missing";
    if (sums.count(name) == 1) {
      EXPECT_EQ(sums.at(name), digest.get<std::string>()) << name << " is of another run";
    }
  }
  if (record == "result.json") {
    const auto performance = nlohmann::json::parse(read_file(folder + "/performance.json"));
    EXPECT_EQ(performance.at("result"), sums.at(record));
  }
  return text;
}

inline std::vector<std::string> parts_of(const TestFolder& folder, const std::string& name) {
  std::vector<std::string> parts;
  for (const std::string& file : folder.files(name)) {
    if (file.find(".part-") != std::string::npos) parts.push_back(file);
  }
  return parts;
}

}  // namespace gputlm
