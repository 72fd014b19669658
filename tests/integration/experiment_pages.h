/// The figures on the pages of docs/experiments.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace gputlm {

/// The figures by experiment, with the marks around them.
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

/// The table of the model's deviation from GPUs.
inline std::string agreement_on_its_page() {
  const std::string begin = "<!-- agreement -->\n", end = "<!-- end of agreement -->\n";
  std::ostringstream all;
  all << std::ifstream(std::string(GPUTLM_SOURCE_DIR) + "/docs/experiments/silicon.md").rdbuf();
  const std::string text = all.str();
  const std::size_t at = text.find(begin) + begin.size();
  return text.substr(at, text.find(end) - at);
}

}  // namespace gputlm
