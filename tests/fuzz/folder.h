/// A folder of files to which a text under attack refers, for readers of lists.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputlm::fuzz {

class Folder {
 public:
  /// `files`: names and contents.
  explicit Folder(const std::vector<std::pair<std::string, std::string>>& files) {
    std::string name = (std::filesystem::temp_directory_path() / "gputlm_fuzz_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
    for (const auto& [file, content] : files) write(file, content);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace gputlm::fuzz
