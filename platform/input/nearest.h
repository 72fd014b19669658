/// Suggests which of the allowed names a user meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Number of edits from one name to the other. An edit inserts, deletes or replaces a character, or swaps two neighbours
/// (optimal string alignment, the restricted Damerau-Levenshtein distance). Ignores case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The names with the fewest edits from `found`, at most three; none if these are more than half the letters.
std::vector<std::string> names_meant(std::string_view found, const std::vector<std::string>& names);

/// A name, and other words that may lead a user to it, such as "V100" for volta80.
struct KnownName {
  std::string name;
  std::string description;
};

/// The nearest names, or else those that contain `found` in the name or its description, ignoring case and all but letters
/// and digits ("2080ti" in "GeForce RTX 2080 Ti"); at most three. If `found` has a digit, the latter come first: a user who
/// writes V100 means the GPU of that number and not a100.
std::vector<std::string> names_meant(std::string_view found, const std::vector<KnownName>& names);

/// A question at the end of a message about an unknown name: "; did you mean 'x' or 'y'?". Empty if `meant` is empty.
std::string question(const std::vector<std::string>& meant);

/// The end of a message about an unknown name: "; did you mean 'x'? allowed: a, b, x". Omits a long list if there is a
/// suggestion.
std::string suggestion(std::string_view found, const std::vector<std::string>& names);
std::string suggestion(std::string_view found, const std::vector<KnownName>& names);

/// The same for a number of bytes with an unknown unit: "; did you mean '48KiB'?" for "48kB".
std::string byte_suggestion(std::string_view found);

}  // namespace gputlm
