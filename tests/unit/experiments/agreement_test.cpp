/// The table of the model's deviation from measurements on GPUs.
#include "platform/experiments/silicon/agreement.h"

#include <gtest/gtest.h>

#include "platform/experiments/silicon/measured.h"

namespace gputlm {
namespace {

/// A figure of the first measurement of an experiment, or of a later one, with an error of the model.
Figure off_by(double factor, const std::string& experiment, std::size_t which) {
  const Measurement m = measurements().at(experiment).all().at(which);
  return {m.figure, m.value, Quantity::number(m.value.number().value() * factor, 6), silicon_band(), ""};
}

TEST(Agreement, HalfAndTwiceAreAsFarOff) {
  Agreement agreement;
  agreement.add("silicon/strides", {off_by(0.5, "silicon/strides", 0), off_by(2, "silicon/strides", 1)});
  EXPECT_NEAR(agreement.all().mean(), 2, 1e-4);
  EXPECT_EQ(agreement.all().within, 0u);
}

TEST(Agreement, TheMeanIsGeometricAndTheShareThatOfFigures) {
  Agreement agreement;
  agreement.add("silicon/strides", {off_by(1, "silicon/strides", 0), off_by(4, "silicon/strides", 1)});
  EXPECT_NEAR(agreement.all().mean(), 2, 1e-4);
  EXPECT_DOUBLE_EQ(agreement.all().share(), 50);
}

TEST(Agreement, SetsAreAnExperimentAndAGpuEachAndAddUp) {
  Agreement agreement;
  agreement.add("silicon/strides", {off_by(1, "silicon/strides", 0)});
  agreement.add("silicon/pairs", {off_by(1.1, "silicon/pairs", 0), off_by(0.7, "silicon/pairs", 1)});
  const std::string csv = agreement.sets().csv();
  EXPECT_NE(csv.find("silicon/strides," + measurements().at("silicon/strides").all().at(0).gpu + ",1,"), csv.npos)
      << csv;
  EXPECT_NE(csv.find("\nall,,3,"), csv.npos) << csv;
  EXPECT_EQ(agreement.all().within, 2u);
  EXPECT_EQ(agreement.rows().rows().size(), 3u);
}

TEST(Agreement, WhatNobodyMeasuredAsANumberDoesNotCount) {
  Agreement agreement;
  agreement.add("most-room/turing", {{"a figure of a paper", "1", "2", silicon_band(), ""}});
  agreement.add("silicon/strides",
                {{"no measurement is called so", Quantity::number(1, 0), Quantity::number(2, 0), silicon_band(), ""}});
  EXPECT_TRUE(agreement.empty());
  EXPECT_TRUE(agreement.sets().rows().empty());
}

TEST(Agreement, EveryMeasurementNamesItsGpu) {
  for (const Measurements& of : measurements()) {
    for (const Measurement& m : of.all()) EXPECT_NE(m.gpu, "") << m.figure;
  }
}

}  // namespace
}  // namespace gputlm
