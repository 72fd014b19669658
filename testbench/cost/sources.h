/// A user's design in the form that yosys reads.
#pragma once

#include <string>
#include <vector>

namespace gputlm::cost {

struct Sources {
  std::vector<std::string>
      files;  ///< modules and packages, those of rtl/ first; included files are found automatically
  std::vector<std::string> includes;  ///< folders of included files
  std::vector<std::string> defines;   ///< definitions "NAME=1"
};

/// Quotes a file name for a yosys script, in which blanks separate words.
std::string quoted(const std::string& path);

/// Makes links in `folder` to the include folders: an option of yosys cannot be quoted.
void link_includes(const Sources& sources, const std::string& folder);
/// Options for read_verilog in a script that reaches these links by the path `links`: "" or "../".
std::string read_options(const Sources& sources, const std::string& links);

}  // namespace gputlm::cost
