#include "tlm/flushable.h"

#include <gmock/gmock.h>

#include <deque>
#include <vector>

#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Teller final : public Flushable {
 public:
  Teller(unsigned number, std::vector<unsigned>& told) : number_(number), told_(told) {}
  void flush() override { told_.push_back(number_); }
  void has_something() { mark().set(); }
  const FlushMark& its_mark() const { return mark(); }

 private:
  unsigned number_;
  std::vector<unsigned>& told_;
};

class FlushListTest : public testing::Test {
 protected:
  void add(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      tellers_.emplace_back(static_cast<unsigned>(tellers_.size()), told_);
      list_.add(tellers_.back());
    }
  }
  std::vector<unsigned> flushed() {
    told_.clear();
    list_.flush();
    return told_;
  }

  std::vector<unsigned> told_;
  std::deque<Teller> tellers_;
  FlushList list_;
};

TEST_F(FlushListTest, FlushesAllTheFirstTimeAndThenWhatIsMarkedInOrder) {
  add(3);
  EXPECT_THAT(flushed(), ElementsAre(0, 1, 2));
  EXPECT_THAT(flushed(), IsEmpty());
  tellers_[2].has_something();
  tellers_[0].has_something();
  tellers_[2].has_something();
  EXPECT_THAT(flushed(), ElementsAre(0, 2));
  EXPECT_THAT(flushed(), IsEmpty());
}

TEST_F(FlushListTest, FindsEachOfHundreds) {
  add(300);
  flushed();
  for (unsigned step = 1; step < 300; step += 7) {
    std::vector<unsigned> marked;
    for (unsigned i = 0; i < 300; i += step) {
      tellers_[i].has_something();
      marked.push_back(i);
    }
    EXPECT_EQ(flushed(), marked);
  }
}

TEST_F(FlushListTest, MarksLastWhileItGrows) {
  add(1);
  flushed();
  tellers_[0].has_something();
  for (unsigned added = 1; added < 100; ++added) {
    add(1);
    tellers_[added / 2].has_something();
  }
  std::vector<unsigned> all(100);
  for (unsigned i = 0; i < 100; ++i) all[i] = i;
  EXPECT_EQ(flushed(), all);
}

TEST_F(FlushListTest, HasEachOnce) {
  add(2);
  list_.add(tellers_[0]);
  EXPECT_EQ(list_.size(), 2u);
  EXPECT_THAT(flushed(), ElementsAre(0, 1));
}

TEST_F(FlushListTest, KeepsTheMarkOfWhatIsNotTaken) {
  add(20);
  std::vector<std::size_t> offered;
  list_.take([&](std::size_t number) {
    offered.push_back(number);
    return number % 3 != 0;
  });
  EXPECT_EQ(offered.size(), 20u);
  EXPECT_THAT(flushed(), ElementsAre(0, 3, 6, 9, 12, 15, 18));
}

struct Piece {
  unsigned flits = 1;
};

TEST_F(FlushListTest, IsToldByTheEndsOfALink) {
  add(1);
  flushed();
  Outbox<Piece> out(1, 4);
  Inbox<Piece> in(4);
  Piece piece;
  out.send(0, piece);
  in.freed(0);  // nobody asks yet
  EXPECT_THAT(flushed(), IsEmpty());
  out.mark_with(tellers_[0].its_mark());
  in.mark_with(tellers_[0].its_mark());
  out.send(1, piece);
  EXPECT_THAT(flushed(), ElementsAre(0));
  in.report_in_batches_of(2);
  in.freed(2);
  EXPECT_THAT(flushed(), IsEmpty()) << "half a batch";
  in.freed(3);
  EXPECT_THAT(flushed(), ElementsAre(0));
  in.freed(4, 2);
  EXPECT_THAT(flushed(), ElementsAre(0));
}

TEST(FlushList, IsToldByATap) {
  FlushList list;
  Tap<int> tap;
  list.add(tap);
  std::vector<int> heard;
  tap.watch([&](int event) { heard.push_back(event); });
  list.flush();
  for (int event = 1; event < 4; ++event) {
    tap.note(event);
    list.flush();
  }
  EXPECT_THAT(heard, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace gputlm
