#include "platform/files/short_paths.h"

#include <unordered_map>
#include <utility>

namespace gputlm {
namespace {

/// Visits the suffixes of a path that begin with a name, the shortest first, and then the path itself.
template <typename Visit>
void for_each_ending(const std::string& path, const Visit& visit) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1)) {
    if (slash + 1 < path.size() && visit(path.substr(slash + 1))) return;
  }
  visit(path);
}

}  // namespace

std::vector<std::string> short_paths(const std::vector<std::string>& paths) {
  std::unordered_map<std::string, std::size_t> count;
  for (const std::string& path : paths) {
    for_each_ending(path, [&](const std::string& ending) {
      ++count[ending];
      return false;
    });
  }
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    std::string name;
    for_each_ending(path, [&](const std::string& ending) {
      name = ending;
      return count.at(ending) == 1;
    });
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> without_folders_of_absolute(const std::vector<std::string>& paths) {
  std::vector<std::string> names = short_paths(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty() || paths[i][0] != '/') names[i] = paths[i];
  }
  return names;
}

}  // namespace gputlm
