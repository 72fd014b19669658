#include "testbench/cost/sources.h"

#include <filesystem>

namespace gputlm::cost {
namespace {

std::string link_of(std::size_t include) { return "include" + std::to_string(include); }

}  // namespace

std::string quoted(const std::string& path) { return " \"" + path + '"'; }

void link_includes(const Sources& sources, const std::string& folder) {
  for (std::size_t i = 0; i < sources.includes.size(); ++i)
    std::filesystem::create_directory_symlink(sources.includes[i], folder + "/" + link_of(i));
}

std::string read_options(const Sources& sources, const std::string& links) {
  std::string options;
  for (std::size_t i = 0; i < sources.includes.size(); ++i) options += " -I" + links + link_of(i);
  for (const std::string& define : sources.defines) options += " -D" + define;
  return options;
}

}  // namespace gputlm::cost
