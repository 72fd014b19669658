#include "testbench/cost/study.h"

#include <gtest/gtest.h>

namespace gputlm::cost {
namespace {

Implementation with_paths(double register_to_register, double input_to_output) {
  Implementation implementation;
  implementation.delays.register_to_register = register_to_register;
  implementation.delays.input_to_output = input_to_output;
  return implementation;
}

TEST(Clock, ABlockFitsWhoseLongestPathIsACycleAtMost) {
  EXPECT_EQ(fit(with_paths(0.25, 0.5), 2000).cycles, 1u);
  EXPECT_EQ(fit(with_paths(0.25, 0.5), 2000).share, 1);
  EXPECT_EQ(fit(with_paths(0.25, 0.51), 2000).cycles, 2u);
  EXPECT_EQ(fit(with_paths(0.25, 1.01), 2000).cycles, 3u);
}

TEST(Clock, WhatIsBetweenRegistersIsSaidByItself) {
  EXPECT_EQ(fit(with_paths(0.25, 0.5), 2000).state_share, 0.5);
  Implementation combinational;
  combinational.delays.input_to_output = 0.5;
  EXPECT_EQ(fit(combinational, 2000).state_share, 0);
}

}  // namespace
}  // namespace gputlm::cost
