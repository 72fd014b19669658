/// What tables call files.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// Of each path the shortest ending, cut before a name in it, that is no ending of another: `mixed.yaml` of
/// `/data/mixed.yaml`, `a/mixed.yaml` beside `/data/b/mixed.yaml`. A path that another has as an ending, or that comes
/// twice, stays whole.
std::vector<std::string> short_paths(const std::vector<std::string>& paths);

/// The same of absolute paths only. Others stay as they are, for somebody has written them so to tell them apart.
std::vector<std::string> without_folders_of_absolute(const std::vector<std::string>& paths);

}  // namespace gputlm
