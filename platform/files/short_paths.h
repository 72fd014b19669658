/// Short names of files in tables.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// For each path the shortest suffix, cut at a `/`, that is no suffix of another path: `mixed.yaml` for `/data/mixed.yaml`,
/// but `a/mixed.yaml` beside `/data/b/mixed.yaml`. A path that is a suffix of another, or a repeated one, stays whole.
std::vector<std::string> short_paths(const std::vector<std::string>& paths);

/// The same for absolute paths only. Relative paths stay as they are, since a user wrote them to tell files apart.
std::vector<std::string> without_folders_of_absolute(const std::vector<std::string>& paths);

}  // namespace gputlm
