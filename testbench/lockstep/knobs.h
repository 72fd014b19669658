/// Knobs: properties of random traffic that are drawn anew every few thousand cycles, unless a user has set them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm {

struct Knob {
  const char* name;
  unsigned least, most;
  const char* description;
};

/// The knobs that a user has set, by name.
using FixedKnobs = std::map<std::string, unsigned>;

/// A knob that is the member `value` of `Knobs`.
template <class Knobs>
struct KnobOf {
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

/// Sets those knobs that a user has set.
template <class Knobs>
void fix(Knobs& knobs, const std::vector<KnobOf<Knobs>>& table, const FixedKnobs& fixed) {
  for (const auto& row : table) {
    const auto found = fixed.find(row.knob.name);
    if (found != fixed.end()) knobs.*row.value = found->second;
  }
}

}  // namespace gputlm
