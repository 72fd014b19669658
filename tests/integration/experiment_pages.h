/// The figures that stand on the pages of docs/experiments.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace gputlm {

/// By experiment, with the marks around them.
inline std::map<std::string, std::string> experiment_pages() {
  const std::string begin = "<!-- figures of ", end = "<!-- end of figures -->\n";
  std::map<std::string, std::string> figures;
  for (const auto& page : std::filesystem::directory_iterator(std::string(GPUTLM_SOURCE_DIR) + "/docs/experiments")) {
    std::ostringstream all;
    all << std::ifstream(page.path()).rdbuf();
    const std::string text = all.str();
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
      const std::size_t name = at + begin.size(), until = text.find(end, at) + end.size();
      figures[text.substr(name, text.find(' ', name) - name)] = text.substr(at, until - at);
      at = until;
    }
  }
  return figures;
}

}  // namespace gputlm
