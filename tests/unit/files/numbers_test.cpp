#include "platform/files/numbers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <random>

namespace gputlm {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(Numbers, AreTheWholeTextOrNone) {
  EXPECT_EQ(parse_number<unsigned>("42"), 42u);
  EXPECT_EQ(parse_number<int>("-42"), -42);
  EXPECT_EQ(parse_number<double>("-1.5e3"), -1500.0);
  for (const char* const text : {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "4294967296", "one"})
    EXPECT_EQ(parse_number<unsigned>(text), std::nullopt) << text;
}

TEST(Numbers, AreTakenFromTheFront) {
  std::string_view text = "3-17";
  EXPECT_EQ(take_number<unsigned>(text), 3u);
  EXPECT_EQ(text, "-17");
  EXPECT_EQ(take_number<unsigned>(text), std::nullopt);
  EXPECT_EQ(text, "-17");
}

TEST(Numbers, WholeOnesMayBeHexadecimal) {
  EXPECT_EQ(parse_whole("18446744073709551615"), kMax);
  EXPECT_EQ(parse_whole("0xff"), 255u);
  EXPECT_EQ(parse_whole("0XFFFFFFFFFFFFFFFF"), kMax);
  for (const char* const text : {"", "0x", "0x-1", "0x1g", "ff", "18446744073709551616", "1e3"})
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
}

TEST(Numbers, SizesHaveBinaryUnits) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("48KiB"), 48u << 10);
  EXPECT_EQ(parse_size("2  MiB"), 2u << 20);
  EXPECT_EQ(parse_size("0x10GiB"), std::uint64_t{16} << 30);
  EXPECT_EQ(parse_size("17179869183GiB"), kMax - (1u << 30) + 1);
  for (const char* const text : {"", "KiB", " KiB", "48kB", "48K", "1.5KiB", "-1KiB", "17179869184GiB", "1 KiB "})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

TEST(Microseconds, AreExact) {
  const std::pair<const char*, Femtoseconds> times[] = {{"0", 0},
                                                        {"1", 1'000'000'000},
                                                        {"1.5", 1'500'000'000},
                                                        {".5", 500'000'000},
                                                        {"2.", 2'000'000'000},
                                                        {"007.000000001", 7'000'000'001},
                                                        {"0.123456789", 123'456'789},
                                                        {"2e3", 2'000'000'000'000},
                                                        {"2.5E+3", 2'500'000'000'000},
                                                        {"25e-4", 2'500'000},
                                                        {"0e2000000000", 0},
                                                        {"1e-2000000000", 0},
                                                        {"18000000000", kEndOfTime},
                                                        {"18446744073.709551615", kMax}};
  for (const auto& [text, time] : times) EXPECT_EQ(parse_microseconds(text), time) << text;
}

TEST(Microseconds, AreRoundedBelowAFemtosecondHalfAwayFromZero) {
  const std::pair<const char*, Femtoseconds> times[] = {{"0.0000000004", 0},
                                                        {"0.0000000005", 1},
                                                        {"0.00000000049999999999", 0},
                                                        {"1.00000000049", 1'000'000'000},
                                                        {"1.0000000005", 1'000'000'001},
                                                        {"1.9999999999", 2'000'000'000},
                                                        {"0.00000000005", 0},
                                                        {"18446744073.7095516154", kMax}};
  for (const auto& [text, time] : times) EXPECT_EQ(parse_microseconds(text), time) << text;
}

TEST(Microseconds, ThatNoFemtosecondsHoldAreNone) {
  for (const char* const text :
       {"", ".", "-1", "+1", " 1", "1 ", "1us", "1e", "1e+", "1e+-1", "1.5.1", "0x1", "nan", "inf",
        "18446744073.709551616", "18446744073.7095516155", "1e11", "1e2000000000", "1e99999999999"})
    EXPECT_EQ(parse_microseconds(text), std::nullopt) << text;
}

TEST(Microseconds, AreWrittenAsShortAsTheyAreReadBack) {
  EXPECT_EQ(microseconds_text(0), "0");
  EXPECT_EQ(microseconds_text(1'500'000'000), "1.5");
  EXPECT_EQ(microseconds_text(20'000'000'000), "20");
  EXPECT_EQ(microseconds_text(1), "0.000000001");
  EXPECT_EQ(microseconds_text(kMax), "18446744073.709551615");
  std::mt19937_64 draw(1);
  for (int i = 0; i < 10'000; ++i) {
    const Femtoseconds time = draw() >> (draw() % 64);
    const std::string text = microseconds_text(time);
    EXPECT_EQ(parse_microseconds(text), time) << text;
    EXPECT_TRUE(text.find('.') == std::string::npos || text.back() != '0') << text;
  }
}

}  // namespace
}  // namespace gputlm
