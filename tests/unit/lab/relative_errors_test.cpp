// Statistics of a model's errors.
#include "platform/lab/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gputlm {
namespace {

RelativeErrors four() {
  RelativeErrors errors;
  errors.add("a", 200, 220);
  errors.add("b, the \"second\"", 100, 70);
  errors.add("c", 0, 0);
  errors.add("d", 50, 50);
  return errors;
}

TEST(RelativeErrors, MeanIsOfSizesAndBiasOfSignedErrors) {
  EXPECT_DOUBLE_EQ(four().mean(), 10);
  EXPECT_DOUBLE_EQ(four().bias(), -5);
  EXPECT_TRUE(RelativeErrors().empty());
  EXPECT_FALSE(four().empty());
}

TEST(RelativeErrors, WhatShouldBeNothingAndIsSomethingIsWhollyWrong) {
  RelativeErrors errors;
  errors.add("a", 0, 3);
  EXPECT_EQ(errors.mean(), 100);
}

/// Quantiles of the errors 1 to n, in another order (37 has no divisor in common with n).
TEST(RelativeErrors, QuantileIsTheSmallestThatTheShareDoesNotExceed) {
  for (const unsigned n : {1u, 2u, 7u, 19u, 20u, 21u, 100u}) {
    RelativeErrors errors;
    for (unsigned i = 0; i < n; ++i) errors.add("x", 100, 100 + (i % 2 ? 1.0 : -1.0) * ((i * 37) % n + 1));
    for (const double share : {0.05, 0.5, 0.95, 1.0})
      EXPECT_NEAR(errors.quantile(share), std::ceil(share * n), 1e-9) << n << " " << share;
  }
}

TEST(RelativeErrors, TablesHaveEachErrorAndTheWorst) {
  Table summary = RelativeErrors::summary(), details = RelativeErrors::details();
  four().add_to(summary, details, "of, all");
  EXPECT_EQ(details.csv(),
            "of,what,right,model,error_percent\n"
            "\"of, all\",a,200,220,10.00\n"
            "\"of, all\",\"b, the \"\"second\"\"\",100,70,30.00\n"
            "\"of, all\",c,0,0,0.00\n"
            "\"of, all\",d,50,50,0.00\n");
  ASSERT_EQ(summary.rows().size(), 1u);
  EXPECT_EQ(summary.csv().substr(summary.csv().find('\n') + 1),
            "\"of, all\",4,10.0,-5.0,0.0,30.0,30.0,\"b, the \"\"second\"\"\"\n");
}

}  // namespace
}  // namespace gputlm
