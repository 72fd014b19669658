/// A recording of a run, played on the reference alone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "testbench/lockstep/played.h"

namespace gputlm {

/// Cycles that were played one by one, and their results.
template <class Inputs, class Expected>
struct Course {
  std::vector<Inputs> inputs;
  std::vector<Expected> expected;
  std::vector<std::uint64_t> cycles;
  Played played;
};

/// As the bench plays it (testbench/kind/bench_of.h), with no design.
template <class Reference, class Traffic>
auto play(Reference reference, Traffic traffic) {
  using Inputs = decltype(traffic.reset());
  using Expected = decltype(reference.expect(Inputs()));
  Course<Inputs, Expected> course;
  Expected expected{};
  while (!traffic.ended()) {
    Inputs inputs = traffic.next(reference, expected);
    expected = reference.expect(inputs);
    traffic.answer(inputs, expected);
    course.inputs.push_back(inputs);
    course.expected.push_back(expected);
    course.cycles.push_back(traffic.cycles());
    reference.rise(inputs, expected);
    traffic.done(inputs, expected);
  }
  course.played = traffic.played();
  return course;
}

}  // namespace gputlm
