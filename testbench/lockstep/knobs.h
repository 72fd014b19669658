/// Knobs: properties of random traffic that are redrawn every few thousand cycles unless a user has set them. A kind lists
/// them once, a line K(member, least, most, description) for each knob, where `size` is the design's:
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

namespace gputlm {

struct Knob {
  std::string name;
  unsigned least, most;
  const char* description;
};

/// The knobs that a user has set, by name.
using FixedKnobs = std::map<std::string, unsigned>;

/// A knob stored in the member `value` of `Knobs`.
template <class Knobs>
struct KnobOf {
  KnobOf(std::string name, unsigned least, unsigned most, const char* description, unsigned Knobs::*of)
      : knob{std::move(name), least, most, description}, value(of) {
    std::replace(knob.name.begin(), knob.name.end(), '_', '-');
  }
  Knob knob;
  unsigned Knobs::*value;
};

template <class Knobs>
std::vector<Knob> names_of(const std::vector<KnobOf<Knobs>>& table) {
  std::vector<Knob> knobs;
  knobs.reserve(table.size());
  for (const auto& row : table) knobs.push_back(row.knob);
  return knobs;
}

/// Sets the knobs that a user has set.
template <class Knobs>
void fix(Knobs& knobs, const std::vector<KnobOf<Knobs>>& table, const FixedKnobs& fixed) {
  for (const auto& row : table) {
    const auto found = fixed.find(row.knob.name);
    if (found != fixed.end()) knobs.*row.value = found->second;
  }
}

}  // namespace gputlm

// NOLINTBEGIN(bugprone-macro-parentheses): names are put together.
#define GPUTLM_KNOB_MEMBER(member, ...) unsigned member = 0;
#define GPUTLM_KNOB_ROW(member, least, most, description) \
  {#member, least, static_cast<unsigned>(most), description, &Of::member},

#define GPUTLM_KNOBS(Kind, LIST)                                                                                    \
  struct Kind##Knobs {                                                                                              \
    using Of = Kind##Knobs;                                                                                         \
    LIST(GPUTLM_KNOB_MEMBER)                                                                                        \
    static std::vector<KnobOf<Of>> all([[maybe_unused]] const Kind##Size& size) { return {LIST(GPUTLM_KNOB_ROW)}; } \
  }
// NOLINTEND(bugprone-macro-parentheses)
