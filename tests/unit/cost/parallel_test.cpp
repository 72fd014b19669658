#include "testbench/lockstep/parallel.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

using testing::ThrowsMessage;
using tools::Stopped;

TEST(Parallel, RunsEveryJobOnceWhateverTheNumberOfThreads) {
  for (const unsigned threads : {0u, 1u, 2u, 7u, 50u}) {
    std::vector<std::atomic<int>> runs(20);
    std::size_t last = 0;
    run_parallel(
        runs.size(), threads, [&](std::size_t i, const std::atomic<bool>&) { ++runs[i]; },
        [&](std::size_t done, std::size_t count) {
          EXPECT_GE(done, last);
          EXPECT_EQ(count, runs.size());
          last = done;
          return true;
        });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
    EXPECT_EQ(last, runs.size());
  }
  run_parallel(
      0, 2, [](std::size_t, const std::atomic<bool>&) { FAIL(); }, [](std::size_t, std::size_t) { return true; });
}

TEST(Parallel, OneFailureEndsTheOthersAndIsTheOneThatIsThrown) {
  std::atomic<int> begun{0};
  const auto job = [&](std::size_t i, const std::atomic<bool>& stop) {
    ++begun;
    if (i == 1) throw InputError("job 1");
    while (!stop) std::this_thread::yield();
    throw Stopped();
  };
  EXPECT_THAT([&] { run_parallel(50, 2, job, [](std::size_t, std::size_t) { return true; }); },
              ThrowsMessage<InputError>("job 1"));
  EXPECT_EQ(begun, 2);
}

TEST(Parallel, TheCallerCanStopIt) {
  const auto job = [](std::size_t, const std::atomic<bool>& stop) {
    while (!stop) std::this_thread::yield();
    throw Stopped();
  };
  EXPECT_THROW(run_parallel(5, 2, job, [](std::size_t, std::size_t) { return false; }), Stopped);
}

}  // namespace
}  // namespace gputlm
