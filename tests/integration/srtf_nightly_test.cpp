// Table 5 of srtf and what goes with it in full: 23 minutes on 2 cores, so with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_report.h"
#include "platform/experiments/srtf/srtf.h"

namespace gputlm {
namespace {

TEST(SrtfTable5, ComesOutAsKnown) { expect_as_known("srtf/workloads", srtf_workloads({})); }

TEST(SrtfWorkloads, RefutesFifoInThePlaceOfSrtf) {
  EXPECT_FALSE(figure(srtf_workloads(quick(), "fifo"), "srtf has a lower ANTT").agrees());
}

TEST(SrtfPredictor, MostPredictionsAreWithinAFactorOfTwo) { expect_as_known("srtf/predictor", srtf_predictor({})); }

TEST(SrtfArrival, GapsShrinkAsKernelsStartFartherApart) { expect_as_known("srtf/arrival", srtf_arrival({})); }

TEST(SrtfDispatch, OneBlockACycleLeavesRoomBesideSha1) { expect_as_known("srtf/dispatch", srtf_dispatch({})); }

}  // namespace
}  // namespace gputlm
