// A miss is known as long as it stays where it was. Other misses are new, and entries that no longer miss are reported.

#include "platform/lab/figure.h"

#include <gtest/gtest.h>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

const char* const kList = R"(
a/b:
  - since: 2026-01-31
    why: queues
    tried: longer ones
    ours: {STP: 1.41, order: "srtf, fifo"}
    quick: {order: "fifo, srtf"}
)";

KnownMisses list(const std::string& yaml = kList) { return {yaml, "known.yaml"}; }

Figure stp_figure(double ours) { return {"STP", "1.00", Quantity::number(ours, 2), Band::range(0.9, 1.1, 1), ""}; }
Figure order(const std::string& ours) { return exact_figure("order", "srtf", ours); }

Judgement judged(const std::vector<Figure>& figures, bool quick = false) {
  return judge(figures, list().of("a/b"), quick);
}

TEST(KnownMisses, AreKnownWithinATenthOfWhereTheyWere) {
  EXPECT_EQ(judged({stp_figure(1.41)}).verdicts[0], Verdict::kKnownMiss);
  EXPECT_EQ(judged({stp_figure(1.55)}).verdicts[0], Verdict::kKnownMiss);
  EXPECT_EQ(judged({stp_figure(1.56)}).verdicts[0], Verdict::kNewMiss);
  EXPECT_EQ(judged({stp_figure(1.27)}).verdicts[0], Verdict::kKnownMiss);
  EXPECT_EQ(judged({stp_figure(1.26)}).verdicts[0], Verdict::kNewMiss);
  EXPECT_EQ(judged({stp_figure(1.05)}).verdicts[0], Verdict::kAgrees);
}

TEST(KnownMisses, OfATextAreTheSameText) {
  EXPECT_EQ(judged({order("srtf, fifo")}).verdicts[0], Verdict::kKnownMiss);
  EXPECT_EQ(judged({order("fifo, srtf")}).verdicts[0], Verdict::kNewMiss);
  EXPECT_EQ(judged({order("fifo, srtf")}, true).verdicts[0], Verdict::kKnownMiss);
}

TEST(KnownMisses, OfTheFullFormAreNewInTheQuickOne) {
  EXPECT_EQ(judged({stp_figure(1.41)}, true).verdicts[0], Verdict::kNewMiss);
}

TEST(KnownMisses, SayWhyAndSinceWhen) {
  EXPECT_EQ(judged({stp_figure(1.41)}).why[0], "known since 2026-01-31: queues");
  EXPECT_EQ(judged({stp_figure(1.05)}).why[0], "");
}

TEST(KnownMisses, ThatAgreeOrAreGoneAreCalledOut) {
  EXPECT_EQ(judged({stp_figure(1.05), order("srtf")}).stale, (std::vector<std::string>{"STP", "order"}));
  EXPECT_EQ(judged({stp_figure(1.05)}, true).stale, std::vector<std::string>{"order"});
  EXPECT_TRUE(judged({stp_figure(1.56), order("srtf, fifo")}).stale.empty());  // one that moved still misses
}

TEST(KnownMisses, AreCountedByVerdict) {
  const Judgement judgement = judged({stp_figure(1.05), stp_figure(1.41), stp_figure(2), order("srtf")});
  EXPECT_EQ(judgement.count(Verdict::kAgrees), 2u);
  EXPECT_EQ(judgement.count(Verdict::kKnownMiss), 1u);
  EXPECT_EQ(judgement.count(Verdict::kNewMiss), 1u);
  EXPECT_EQ(counts_text(2, 1, 1), "4 figures: 2 agree, 1 known misses, 1 new misses");
}

TEST(KnownMisses, WithoutAPlaceOrAReasonAreRefusedWithTheirLine) {
  for (const char* bad : {"a/b:\n  - {since: 2026-01-31, why: queues, tried: x}",
                          "a/b:\n  - {since: 2026-01-31, ours: {STP: 1}, tried: x}",
                          "a/b:\n  - {since: 2026-01-31, ours: {STP: 1}, why: queues, tried: x, wy: y}"}) {
    try {
      list(bad);
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("known.yaml:2"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace gputlm
