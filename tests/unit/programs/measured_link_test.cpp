// The link that a program's copies show, and its use in a replay.
#include "platform/programs/measured_kernels.h"

#include <gmock/gmock.h>

#include "platform/input/preset.h"
#include "platform/programs/replay.h"

namespace gputlm {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bytes kMiB = Bytes{1} << 20;

MeasuredCopy pinned(Bytes bytes, CopyKind kind = CopyKind::kHostToDevice) { return {kind, bytes}; }

MeasuredLink measured(double gb_per_s) { return {gb_per_s, 1, "copy"}; }

/// Copies one after the other, each at `gb_per_s`.
class WithCopies : public testing::Test {
 protected:
  WithCopies() {
    program.path = "t";
    program.streams = {{1, 1, 7}};
    program.process_names = {"p"};
  }
  void add(const MeasuredCopy& copy, double gb_per_s) {
    MeasuredCommand command;
    command.label = "copy#" + std::to_string(program.commands.size() + 1);
    command.start = end_;
    end_ += static_cast<Nanoseconds>(static_cast<double>(copy.bytes) / gb_per_s);
    command.end = end_;
    command.what = copy;
    program.commands.push_back(command);
  }
  Program program;

 private:
  Nanoseconds end_ = 1000;
};

using TheMeasuredLink = WithCopies;

TEST_F(TheMeasuredLink, IsThatOfTheFastestLargePinnedCopy) {
  EXPECT_FALSE(measured_link(program));
  add(pinned(4 * kMiB - 1), 50);
  add({CopyKind::kHostToDevice, 64 * kMiB, true}, 40);
  add(pinned(64 * kMiB, CopyKind::kDeviceToDevice), 900);
  add(pinned(64 * kMiB, CopyKind::kMemset), 900);
  EXPECT_FALSE(measured_link(program));
  add(pinned(4 * kMiB), 8);
  add(pinned(64 * kMiB, CopyKind::kDeviceToHost), 13);
  add(pinned(64 * kMiB), 11);
  const auto link = measured_link(program);
  ASSERT_TRUE(link);
  EXPECT_NEAR(link->gb_per_s, 13, 0.01);
  EXPECT_EQ(link->copies, 3u);
  EXPECT_EQ(link->first, "copy#5");
}

TEST_F(TheMeasuredLink, CarriesWhatItsGbitsGive) {
  for (const unsigned lanes : {4, 8, 16}) {
    for (const Bytes payload : {128, 256}) {
      for (const double gbits : {7.877, 15.754, 31.508}) {
        HostLinkConfig link;
        link.lanes = lanes;
        link.payload = payload;
        link.lane_gbits = gbits;
        EXPECT_FALSE(lane_gbits_of(measured(gb_per_s(link)), link));
        EXPECT_FALSE(lane_gbits_of(measured(gb_per_s(link) * 1.18), link));
        for (const double factor : {0.3, 0.78, 1.22, 3.0}) {
          const auto other = lane_gbits_of(measured(gb_per_s(link) * factor), link);
          ASSERT_TRUE(other);
          EXPECT_NEAR(*other, gbits * factor, 0.001);
        }
      }
    }
  }
  HostLinkConfig none;
  none.lanes = 0;
  EXPECT_FALSE(lane_gbits_of(measured(10), none));
}

TEST_F(TheMeasuredLink, IsTakenByTheReplayOfProgramsThatAgreeOnIt) {
  const GpuConfig gpu = load_gpu("rtx2060");  // carries 13.3 GB/s
  const auto settings = [&](const std::vector<double>& paces) {
    std::vector<Program> programs;
    std::vector<std::string> names;
    for (const double pace : paces) {
      program.commands.clear();
      add(pace > 0 ? pinned(64 * kMiB) : pinned(64), std::max(pace, 1.0));
      programs.push_back(program);
      names.push_back("p" + std::to_string(names.size()));
    }
    const Workload workload = replayed(programs, names, {}, gpu);
    const auto& replayed_programs = dynamic_cast<const ReplayOrigin&>(*workload.origin).programs;
    std::vector<std::string> said;
    for (const ReplayedProgram& one : replayed_programs) {
      for (const ProgramCheck& check : one.checks) {
        if (check.name == "host link") said.push_back(check.meaning);
      }
    }
    return std::make_pair(workload.settings, said);
  };
  auto [set, said] = settings({6.3});
  EXPECT_THAT(set, Contains(HasSubstr("host_link.lane_gbits=3.74")));
  EXPECT_THAT(said,
              testing::ElementsAre(HasSubstr("moved at up to 6.3 GB/s, where the link of rtx2060 carries 13.3; the "
                                             "run has one of that pace, host_link.lane_gbits=3.74")));
  EXPECT_THAT(settings({13.4}).first, IsEmpty());
  EXPECT_THAT(settings({13.4}).second, IsEmpty());
  EXPECT_EQ(settings({6.3, 6.4}).first, set);
  EXPECT_EQ(settings({6.3, 0}).first, set) << "one without copies has nothing against it";
  for (const auto& paces : std::vector<std::vector<double>>{{6.3, 13.3}, {13.3, 6.3}, {6.3, 25}}) {
    EXPECT_THAT(settings(paces).first, IsEmpty()) << paces[0] << ", " << paces[1];
    EXPECT_THAT(settings(paces).second, Contains(HasSubstr("of that pace is host_link.lane_gbits=3.74")));
  }
}

}  // namespace
}  // namespace gputlm
