/// SystemC elaborates once per process, so that a test with modules needs its own process; CTest gives it one.
#pragma once

#include <gtest/gtest.h>

#include <systemc>

namespace gputlm {

class Simulation : public testing::Test {
 protected:
  void SetUp() override {
    if (sc_core::sc_get_status() != sc_core::SC_ELABORATION) GTEST_SKIP() << "needs a process of its own: run by ctest";
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  }
};

}  // namespace gputlm
