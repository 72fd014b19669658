#include "tlm/tap.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tap, NobodyWatchesUntilSomebodyDoes) {
  Tap<int> tap;
  EXPECT_FALSE(tap.watched());
  tap.watch([](int) {});
  EXPECT_TRUE(tap.watched());
}

TEST(Tap, EventsAreToldWhenItIsFlushedInTheirOrderAndOnce) {
  Tap<int> tap;
  std::vector<int> heard;
  tap.watch([&](int event) { heard.push_back(event); });
  tap.note(3);
  tap.note(1);
  EXPECT_THAT(heard, IsEmpty()) << "the window is still being computed";
  tap.flush();
  EXPECT_THAT(heard, ElementsAre(3, 1));
  tap.flush();
  EXPECT_THAT(heard, ElementsAre(3, 1));
}

TEST(Tap, AllWatchersAreToldOfEverything) {
  Tap<int> tap;
  std::vector<int> first, second;
  tap.watch([&](int event) { first.push_back(event); });
  tap.watch([&](int event) { second.push_back(event); });
  tap.note(7);
  tap.flush();
  EXPECT_THAT(first, ElementsAre(7));
  EXPECT_THAT(second, ElementsAre(7));
}

}  // namespace
}  // namespace gputlm
