/// Boolean expressions of Liberty files: ! and ' (not), ^, & * and a blank (and), | + (or), parentheses, 0 and 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gputlm::cost {

/// The value for each assignment of the inputs; input i is bit i of the index. None if the text is not such an expression, or
/// contains another name. At most 8 inputs.
/// Precedence (Liberty user guide, "function"): not, ^, and, or.
std::optional<std::vector<bool>> truth_table(const std::string& expression, const std::vector<std::string>& inputs);

}  // namespace gputlm::cost
