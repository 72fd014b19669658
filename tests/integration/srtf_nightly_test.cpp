// Table 5 of srtf and its figures in full: 23 minutes on 2 cores, so with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(SrtfTable5, ComesOutAsKnown) { expect_as_known("srtf/workloads"); }

TEST(SrtfWorkloads, RefutesFifoInThePlaceOfSrtf) {
  EXPECT_FALSE(figure(reproduce("srtf/workloads", instead("srtf", "fifo", quick())), "srtf has a lower ANTT").agrees());
}

TEST(SrtfPredictor, MostPredictionsAreWithinAFactorOfTwo) { expect_as_known("srtf/predictor"); }

TEST(SrtfArrival, GapsShrinkAsKernelsStartFartherApart) { expect_as_known("srtf/arrival"); }

TEST(SrtfDispatch, OneBlockACycleLeavesRoomBesideSha1) { expect_as_known("srtf/dispatch"); }

}  // namespace
}  // namespace gputlm
