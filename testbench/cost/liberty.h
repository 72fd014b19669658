/// The syntax of Liberty files (.lib): groups with arguments, attributes and groups inside. What tables hold is skipped.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm::cost {

struct LibertyGroup {
  std::string type;                                                    ///< "cell"
  std::vector<std::string> arguments;                                  ///< without quotes: {"NAND2X1"}
  std::map<std::string, std::string> attributes;                       ///< `area : 24;`, without quotes
  std::map<std::string, std::vector<std::string>> complex_attributes;  ///< `capacitive_load_unit (1, pf);`
  std::vector<LibertyGroup> groups;                                    ///< only those that `keep` allows

  /// Empty if it is not there.
  std::string attribute(const std::string& name) const;
};

/// Reads the file's one group. Of the groups inside only those whose type is in `keep` are kept, so that a library's
/// timing tables need no memory. Throws InputError with the file and line: not to be read, compressed, not Liberty.
LibertyGroup read_liberty(const std::string& path, const std::vector<std::string>& keep);

}  // namespace gputlm::cost
