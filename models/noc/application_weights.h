/// Weights of applications at an output of the crossbar, for policies that use them.
#pragma once

#include <array>

#include "models/noc/flit_arbiter.h"

namespace gputlm {

struct ApplicationWeights {
  static constexpr unsigned kMax = 63;

  unsigned weight_0 = 1, weight_1 = 1, weight_2 = 1, weight_3 = 1;
  unsigned weight_4 = 1, weight_5 = 1, weight_6 = 1, weight_7 = 1;

  std::array<unsigned, kArbitratedApplications> by_application() const {
    return {weight_0, weight_1, weight_2, weight_3, weight_4, weight_5, weight_6, weight_7};
  }
  template <class Visitor>
  static void describe(Visitor& v) {
    using W = ApplicationWeights;
    const auto weight = [&](unsigned W::*member, const char* name) {
      v.number(
          member, name, "flits", 1, kMax,
          "Flits per turn of the application of this number, modulo 8; its turn ends with the packet that reaches them",
          "chosen: equal shares");
    };
    weight(&W::weight_0, "weight_0");
    weight(&W::weight_1, "weight_1");
    weight(&W::weight_2, "weight_2");
    weight(&W::weight_3, "weight_3");
    weight(&W::weight_4, "weight_4");
    weight(&W::weight_5, "weight_5");
    weight(&W::weight_6, "weight_6");
    weight(&W::weight_7, "weight_7");
  }
};

}  // namespace gputlm
