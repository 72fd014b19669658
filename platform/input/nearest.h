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

/// The names with the fewest edits from `found`, three of them at most; none if these are more than half the letters.
std::vector<std::string> names_meant(std::string_view found, const std::vector<std::string>& names);

/// A name, and what else may bring a user to it: words that are no letters of it, as "V100" of volta80.
struct KnownName {
  std::string name;
  std::string description;
};

/// The nearest names, or else those that have what was found in them or in their description, upper and lower case and
/// all but letters and digits aside ("2080ti" in "GeForce RTX 2080 Ti"); three of them at most. Where what was found
/// has a digit these come first: who writes V100 means the GPU of that number, and not a100.
std::vector<std::string> names_meant(std::string_view found, const std::vector<KnownName>& names);

/// A question at the end of a message about an unknown name: "; did you mean 'x' or 'y'?". Empty if nothing was meant.
std::string question(const std::vector<std::string>& meant);

/// The end of a message about an unknown name: "; did you mean 'x'? allowed: a, b, x". Long lists are left out where
/// something may be meant.
std::string suggestion(std::string_view found, const std::vector<std::string>& names);
std::string suggestion(std::string_view found, const std::vector<KnownName>& names);

/// The same for a number of bytes with a unit that is none here: "; did you mean '48KiB'?" of "48kB".
std::string byte_suggestion(std::string_view found);

}  // namespace gputlm
