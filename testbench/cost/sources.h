/// A user's design as yosys reads it.
#pragma once

#include <string>
#include <vector>

namespace gputlm::cost {

struct Sources {
  std::vector<std::string> files;  ///< modules and packages, those of rtl/ first; what is included is found by itself
  std::vector<std::string> includes;  ///< folders
  std::vector<std::string> defines;   ///< "NAME=1"
};

/// As a file in a script of yosys, where blanks part words.
std::string quoted(const std::string& path);

/// Links in `folder` to the folders of includes: an option of yosys cannot be quoted.
void link_includes(const Sources& sources, const std::string& folder);
/// For read_verilog, of a script that reaches these links by the path `links`: "" or "../".
std::string read_options(const Sources& sources, const std::string& links);

}  // namespace gputlm::cost
