/// The syntax of Liberty files (.lib): groups with arguments, attributes and nested groups. The contents of tables are
/// skipped.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm::cost {

struct LibertyGroup {
  std::string type;                                                    ///< type of the group: "cell"
  std::vector<std::string> arguments;                                  ///< arguments without quotes: {"NAND2X1"}
  std::map<std::string, std::string> attributes;                       ///< such as `area : 24;`, without quotes
  std::map<std::string, std::vector<std::string>> complex_attributes;  ///< such as `capacitive_load_unit (1, pf);`
  std::vector<LibertyGroup> groups;                                    ///< nested groups; only types in `keep`

  /// Empty if there is none.
  std::string attribute(const std::string& name) const;
};

/// Reads the single group of the file. Keeps only nested groups whose type is in `keep`, so that a library's timing tables
/// take no memory. Throws InputError with file and line: unreadable, compressed, or not Liberty.
LibertyGroup read_liberty(const std::string& path, const std::vector<std::string>& keep);

}  // namespace gputlm::cost
