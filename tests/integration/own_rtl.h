/// Designs of a user: sources of rtl/, outside the tree and under other names.
#pragma once

#include <filesystem>
#include <regex>
#include <string>

#include "tests/integration/program.h"

namespace gputlm {

/// `folder` gets the sources of rtl/.
inline void copy_rtl(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& file : std::filesystem::directory_iterator(GPUTLM_SOURCE_DIR "/rtl"))
    std::filesystem::copy(file.path(), folder + "/" + file.path().filename().string(),
                          std::filesystem::copy_options::overwrite_existing);
}

/// Module `name` in a folder with the sources, as `of` but for what `pattern` matches; its file.
inline std::string own_design(const std::string& folder, const std::string& name, const std::string& of,
                              const std::string& pattern = "", const std::string& by = "") {
  std::string text = read_file((std::filesystem::path(folder) / (of + ".sv")).string());
  text = std::regex_replace(text, std::regex("module " + of), "module " + name);
  if (!pattern.empty()) text = std::regex_replace(text, std::regex(pattern), by);
  const std::string path = (std::filesystem::path(folder) / (name + ".sv")).string();
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace gputlm
