/// Knobs: properties of random traffic that are redrawn every few thousand cycles unless a user has set them. A kind lists
/// them once, a line K(member, least, most, meaning) for each knob, where `size` is the design's:
///
///   GPUTLM_KNOBS(Regulator, REGULATOR_KNOBS);
///
/// defines RegulatorKnobs with these members; options have the same names, with dashes.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tlm/base/field.h"

namespace gputlm {

/// The knobs that a user has set, by name.
using FixedKnobs = std::map<std::string, unsigned>;

/// A knob stored in the member `value` of `Knobs`.
template <class Knobs>
struct KnobOf : Field {
  KnobOf(std::string member, unsigned from, unsigned to, const char* what, unsigned Knobs::*of)
      : Field{std::move(member), {}, what, from, to}, value(of) {
    std::replace(name.begin(), name.end(), '_', '-');
  }
  unsigned Knobs::*value;
};

/// The knobs of the traffic of a design of that size.
template <class Knobs, class Size>
std::vector<Field> knobs_of(const Size& size) {
  const auto all = Knobs::all(size);
  return {all.begin(), all.end()};
}

/// Sets the knobs that a user has set.
template <class Knobs>
void fix(Knobs& knobs, const std::vector<KnobOf<Knobs>>& table, const FixedKnobs& fixed) {
  for (const auto& row : table) {
    const auto found = fixed.find(row.name);
    if (found != fixed.end()) knobs.*row.value = found->second;
  }
}

}  // namespace gputlm

// NOLINTBEGIN(bugprone-macro-parentheses): names are put together.
#define GPUTLM_KNOB_MEMBER(member, ...) unsigned member = 0;
#define GPUTLM_KNOB_ROW(member, least, most, meaning) \
  {#member, least, static_cast<unsigned>(most), meaning, &Of::member},

#define GPUTLM_KNOBS(Kind, LIST)                                                                                    \
  struct Kind##Knobs {                                                                                              \
    using Of = Kind##Knobs;                                                                                         \
    LIST(GPUTLM_KNOB_MEMBER)                                                                                        \
    static std::vector<KnobOf<Of>> all([[maybe_unused]] const Kind##Size& size) { return {LIST(GPUTLM_KNOB_ROW)}; } \
  }
// NOLINTEND(bugprone-macro-parentheses)
