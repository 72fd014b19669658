#include "platform/input/address_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "models/kernel/random.h"
#include "tests/support/address_trace_writers.h"
#include "tlm/base/error.h"

namespace gputlm {

bool operator==(const TraceAccess& a, const TraceAccess& b) {
  return a.address == b.address && a.earliest == b.earliest && a.application == b.application && a.write == b.write &&
         a.relative == b.relative;
}
void PrintTo(const TraceAccess& a, std::ostream* out) {
  *out << fmt::format("{}{}: {} {:#x} {}", a.relative ? "+" : "", a.earliest, a.write ? 'W' : 'R', a.address,
                      a.application);
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<TraceAccess> read_all(AddressTrace& trace) {
  std::vector<TraceAccess> all;
  for (TraceAccess access; trace.next(access);) all.push_back(access);
  return all;
}

class AddressTraceFile : public testing::Test {
 protected:
  std::vector<TraceAccess> read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return read_all(*open_address_trace(path_, 64, 1));
  }
  /// The message of the error that reading gives; empty if there is none.
  std::string error(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  ~AddressTraceFile() override { std::remove(path_.c_str()); }
  std::string path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".trace";
};

TEST_F(AddressTraceFile, TakesAccessesOfApplications) {
  EXPECT_THAT(read("# a comment\n"
                   "40\n"
                   "0xDEADBEEF00 3\n"
                   "  R 0x80\n"
                   "W c0 255   # another\n"
                   "\n"
                   "R 0x100\r\n"
                   "W\t0x140\t7\n"
                   "31: read 0x400140\n"
                   "10000000000:\twrite\tffffffffffffffff 2\n"),
              ElementsAre(TraceAccess{0x40, 0, 0, false}, TraceAccess{0xdeadbeef00, 0, 3, false},
                          TraceAccess{0x80, 0, 0, false}, TraceAccess{0xc0, 0, 255, true},
                          TraceAccess{0x100, 0, 0, false}, TraceAccess{0x140, 0, 7, true},
                          TraceAccess{0x400140, 31, 0, false}, TraceAccess{~Address{0}, 10000000000, 2, true}));
}

TEST_F(AddressTraceFile, OfRamulatorHasTheAddressFirst) {
  EXPECT_THAT(read(written::ramulator_line(0x12345680, false) + written::ramulator_line(0x4cbd56c0, true) + "0x80\n"),
              ElementsAre(TraceAccess{0x12345680, 0, 0, false}, TraceAccess{0x4cbd56c0, 0, 0, true},
                          TraceAccess{0x80, 0, 0, false}));
}

TEST_F(AddressTraceFile, OfRamulator2HasDecimalAddressesUnless0xIsInFront) {
  EXPECT_THAT(read(written::ramulator2_line(0x1400c0, false) + written::ramulator2_line(0x1102c0, true) +
                   written::ramulator2_decimal_line(100, false) + written::ramulator2_decimal_line(1048576, true)),
              ElementsAre(TraceAccess{0x1400c0, 0, 0, false}, TraceAccess{0x1102c0, 0, 0, true},
                          TraceAccess{100, 0, 0, false}, TraceAccess{1048576, 0, 0, true}));
  EXPECT_THAT(error("LD 1400c0\n"), HasSubstr("found 'LD 1400c0'"));
  // What LoadStoreDataTrace has there is a size, and no application.
  EXPECT_THAT(error("LD 0x40 64\n"), HasSubstr("found 'LD 0x40 64'"));
}

TEST_F(AddressTraceFile, OfDramsysNamesCyclesAndLengthsAndData) {
  EXPECT_THAT(
      read(written::dramsys_line(31, 0x400140, false) +
           written::dramsys_line(56, 0x7fff8000, true, {}, "123456789abcdef0") + "57 read 0x40\n# 58: read 0x0\n"),
      ElementsAre(TraceAccess{0x400140, 31, 0, false}, TraceAccess{0x7fff8000, 56, 0, true},
                  TraceAccess{0x40, 57, 0, false}));
  // An access of 64 bytes.
  EXPECT_THAT(read(written::dramsys_line(81, 0x400180, false, 128) + written::dramsys_line(90, 0x4001a0, true, 64) +
                   written::dramsys_line(91, 0x40, false, 32)),
              ElementsAre(TraceAccess{0x400180, 81, 0, false}, TraceAccess{0x4001c0, 0, 0, false},
                          TraceAccess{0x4001a0, 90, 0, true}, TraceAccess{0x4001c0, 0, 0, true},
                          TraceAccess{0x40, 91, 0, false}));
}

TEST_F(AddressTraceFile, ThatIsCalledRstlCountsFromTheAccessBefore) {
  path_ += ".rstl";
  EXPECT_THAT(read(written::dramsys_line(31, 0x400140, false) + written::dramsys_line(2, 0x400160, false)),
              ElementsAre(TraceAccess{0x400140, 31, 0, false, true}, TraceAccess{0x400160, 2, 0, false, true}));
}

TEST_F(AddressTraceFile, OfDramsim3HasTheCycleLast) {
  EXPECT_THAT(read(written::dramsim3_line(0, 0x1000, false) + written::dramsim3_line(17, 0xffc0, true)),
              ElementsAre(TraceAccess{0x1000, 0, 0, false}, TraceAccess{0xffc0, 17, 0, true}));
}

TEST_F(AddressTraceFile, ReadsBackWhateverIsWritten) {
  std::string text;
  std::vector<TraceAccess> written;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    const std::uint64_t bits = derive(7, i);
    TraceAccess a{mix(bits) >> (bits & 63), 0, static_cast<ApplicationId>(bits >> 8 & 255), (bits >> 16 & 1) != 0};
    switch (bits >> 20 & 3) {
      case 0: text += fmt::format("{} {:x} {}\n", a.write ? 'W' : 'R', a.address, a.application); break;
      case 1:
        text += fmt::format("{}: {} {:#x} {}\n", a.earliest = i, a.write ? "write" : "read", a.address, a.application);
        break;
      case 2:
        a.application = 0;
        a.address >>= 1;  // of 63 bits
        text += i % 2 == 0 ? written::ramulator2_line(a.address, a.write)
                           : written::ramulator2_decimal_line(a.address, a.write);
        break;
      default:
        a.application = 0;
        text += i % 2 == 0 ? written::ramulator_line(a.address, a.write)
                           : written::dramsim3_line(a.earliest = i, a.address, a.write);
    }
    written.push_back(a);
  }
  EXPECT_EQ(read(text), written);
}

TEST_F(AddressTraceFile, SaysWhereALineIsWrongAndWhatIsAllowed) {
  for (const char* line : {"R",
                           "X 40",
                           "W 0xg0",
                           "0x",
                           "40 256",
                           "40 -1",
                           "40 1 2",
                           "40 1x",
                           "LD 0x11112222333344445",
                           "LD ff",
                           "31:",
                           "31: load 0x40",
                           "31: 0x40",
                           "31: read",
                           "31: (0) read 0x40",
                           "31: (64 read 0x40",
                           "(64) read 0x40",
                           "31: (1048577) read 0x40",
                           "31: (64) read 0xffffffffffffffe0",
                           "0x40 READ",
                           "0x40 READ 0x1",
                           "R 0x40 W",
                           "10000000001: read 0x40",
                           "x: read 0x40",
                           "r 40",
                           "R40"}) {
    const std::string found = error(fmt::format("R 0x40\n\n{}\nR 0x80\n", line));
    EXPECT_THAT(found, HasSubstr(path_ + ":3: found '" + line + "', allowed: [R|W] HEX")) << line;
  }
  EXPECT_LT(error(std::string(100000, 'x') + "\n").size(), 500u) << "a long line is shown in part";
}

TEST_F(AddressTraceFile, ATraceCutAnywhereWithinALineIsAnError) {
  const std::string text = "R 0x12345678\nST 0xabc\n7: write 0x40\n# the end\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const bool whole = length == 0 || text[length - 1] == '\n';
    const std::string found = error(text.substr(0, length));
    if (whole) {
      EXPECT_EQ(found, "") << length;
    } else {
      EXPECT_THAT(found, HasSubstr("cut off here")) << length;
    }
  }
}

TEST_F(AddressTraceFile, AMissingFileIsAnError) {
  EXPECT_THROW(open_address_trace("/no/such/file", 64, 1), InputError);
  EXPECT_THROW(open_address_trace("randon:10", 64, 1), InputError);
}

TEST(GeneratedTrace, StreamGoesOnByTheStep) {
  const auto all = read_all(*open_address_trace("stream:4", 32, 1));
  EXPECT_THAT(all, ElementsAre(TraceAccess{0, 0, 0, false}, TraceAccess{32, 0, 0, false}, TraceAccess{64, 0, 0, false},
                               TraceAccess{96, 0, 0, false}));
}

TEST(GeneratedTrace, RandomPlacesFillTheRangeAndLieAtMultiplesOfTheStep) {
  constexpr std::uint64_t kCount = 160000, kRange = 512u << 20, kParts = 16;
  for (const Bytes step : {32, 64, 128}) {
    std::vector<unsigned> part(kParts, 0);
    for (const TraceAccess& a : read_all(*open_address_trace(fmt::format("random:{}", kCount), step, 3))) {
      ASSERT_LT(a.address, kRange);
      ASSERT_EQ(a.address % step, 0u);
      ASSERT_FALSE(a.write);
      ++part[a.address / (kRange / kParts)];
    }
    // Standard deviation 97: six of them.
    for (const unsigned count : part) EXPECT_NEAR(count, kCount / kParts, 600);
  }
}

TEST(GeneratedTrace, MixWritesHalfTheTimeAtThePlacesOfRandom) {
  const auto mixed = read_all(*open_address_trace("mix:100000", 64, 9));
  const auto random = read_all(*open_address_trace("random:100000", 64, 9));
  unsigned writes = 0;
  ASSERT_EQ(mixed.size(), random.size());
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    ASSERT_EQ(mixed[i].address, random[i].address);
    writes += mixed[i].write;
  }
  EXPECT_NEAR(writes, 50000, 1000);  // standard deviation 158
}

// Written down once: a change of the generator would change results of everybody's runs.
TEST(GeneratedTrace, IsTheSameEverywhere) {
  const auto all = read_all(*open_address_trace("mix:4", 64, 1));
  EXPECT_THAT(all, ElementsAre(TraceAccess{0x17fdf000, 0, 0, false}, TraceAccess{0xbeaa580, 0, 0, true},
                               TraceAccess{0xe066bc0, 0, 0, true}, TraceAccess{0x1e881fc0, 0, 0, false}));
  EXPECT_NE(read_all(*open_address_trace("random:4", 64, 2)), read_all(*open_address_trace("random:4", 64, 1)));
}

TEST(GeneratedTrace, SaysWhatCountsAreAllowed) {
  for (const char* name : {"random:", "random:0", "stream:-1", "mix:1x", "random:1099511627777", "stream:1.5"}) {
    try {
      open_address_trace(name, 64, 1);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("allowed: 1 to 1099511627776")) << name;
    }
  }
}

}  // namespace
}  // namespace gputlm
