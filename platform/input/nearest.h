/// Which of the allowed names a user may have meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Edits from one name to the other, where an edit inserts, deletes or replaces a character or swaps two neighbours
/// (optimal string alignment, the restricted Damerau-Levenshtein distance). Upper and lower case are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name with the fewest edits from `found`, the first of equals; empty if that is more than half its letters.
std::string nearest_name(std::string_view found, const std::vector<std::string>& names);

/// The end of a message about an unknown name: "; did you mean 'x'? allowed: a, b, x". Long lists are left out where
/// there is a nearest name.
std::string suggestion(std::string_view found, const std::vector<std::string>& names);

}  // namespace gputlm
