/// A user's designs: sources of rtl/, outside the tree and under other names.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "tests/integration/program.h"

namespace gputlm {

/// Replaces a file at once: tests that run at the same time share folders, and Verilator reads whole files.
inline void put_file(const std::string& path, const std::string& text) {
  const std::string part = path + "." + std::to_string(getpid());
  std::ofstream(part, std::ios::binary) << text;
  std::filesystem::rename(part, path);
}

/// Copies the sources of rtl/ into `folder`.
inline void copy_rtl(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& file : std::filesystem::directory_iterator(GPUTLM_SOURCE_DIR "/rtl"))
    put_file(folder + "/" + file.path().filename().string(), read_file(file.path().string()));
}

/// Writes module `name` in a folder with the sources: module `of` with `by` for what `pattern` matches. Returns its path.
inline std::string own_design(const std::string& folder, const std::string& name, const std::string& of,
                              const std::string& pattern = "", const std::string& by = "") {
  std::string text = read_file((std::filesystem::path(folder) / (of + ".sv")).string());
  text = std::regex_replace(text, std::regex("module " + of), "module " + name);
  if (!pattern.empty()) text = std::regex_replace(text, std::regex(pattern), by);
  const std::string path = (std::filesystem::path(folder) / (name + ".sv")).string();
  put_file(path, text);
  return path;
}

}  // namespace gputlm
