/// Random traffic: numbers from a seed, and knobs, which are properties of the traffic that are redrawn every few thousand
/// cycles unless a user has set them. A kind lists its knobs once, a line K(member, least, most, meaning) for each knob,
/// where `size` is the design's:
///
///   GPUTLM_KNOBS(Regulator, REGULATOR_KNOBS);
///
/// defines RegulatorKnobs with these members; options have the same names, with dashes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/random.h"
#include "testbench/lockstep/played.h"
#include "tlm/base/field.h"

namespace gputlm {

/// Uniform numbers from a seed; the same everywhere.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(uniform_below(mix(seed_ + ++drawn_ * kGoldenGamma), n));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

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

/// What the random traffic of every kind has. It is drawn in episodes. Unlike a recording it has no end, and each step is one
/// cycle.
template <class Size, class Knobs>
class RandomTraffic {
 public:
  RandomTraffic(const Size& size, std::uint64_t seed, const FixedKnobs& fixed)
      : size_(size), fixed_(fixed), random_(seed) {}
  bool ended() const { return false; }
  std::uint64_t cycles() const { return 1; }
  Played played() const { return {}; }

 protected:
  /// Whether the next cycle is a reset.
  bool draw_reset() { return std::exchange(reset_due_, false) || random_.below(10000) < knobs_.resets; }

  Size size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  Knobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;  ///< reset due at the start of the episode
};

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
