#include "models/dram/config.h"

#include <gtest/gtest.h>

#include <functional>

#include "models/dram/controller_core.h"
#include "tests/unit/dram/random_config.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

TEST(DramConfig, HasBurstsThatAgreeWithTheBus) {
  EXPECT_EQ(burst_cycles(DramConfig{}), 2u);  // GDDR5: 32 bits, burst length 8, four a cycle
  EXPECT_EQ(burst_cycles(hbm2()), 2u);        // HBM2: 64 bits, burst length 4, two a cycle
}

TEST(DramConfig, OfAllKindsThatAreRightIsAccepted) {
  EXPECT_EQ(contradiction(hbm2()), "");
  for (unsigned seed = 0; seed < 500; ++seed) EXPECT_EQ(contradiction(random_config(seed)), "") << seed;
}

TEST(DramConfig, WithRulesBrokenIsRefusedWithWhatWasFoundAndWhatIsAllowed) {
  struct Case {
    std::function<void(DramConfig&)> change;
    const char* message;
  };
  const Case cases[] = {
      {[](DramConfig& c) { c.bank_groups = 32; },
       "dram.bank_groups must not exceed dram.banks; found 32 groups and 16 banks"},
      {[](DramConfig& c) { c.queue = 3; },
       "dram.queue must hold the bursts of one 128-byte access; found 3 bursts of 32 bytes"},
      {[](DramConfig& c) { c.burst_bytes = 64; },
       "dram.timing.tCCDS must be at least the 4 cycles of a burst; found 2, and 64 bytes over 32 pins of 4 bits a "
       "cycle"},
      {[](DramConfig& c) { c.bus_bits = 512; },
       "dram.burst_bytes must take whole cycles of dram.bus_bits x dram.bits_per_cycle bits each; found 32 bytes over "
       "512 "
       "pins of 4 bits a cycle"},
      {[](DramConfig& c) { c.timing.tRC = 27; }, "dram.timing.tRC must be at least dram.timing.tRAS; found 27 and 28"},
      {[](DramConfig& c) { c.timing.tRCDRD = 29; },
       "dram.timing.tRAS must be at least dram.timing.tRCDRD; found 28 and 29"},
      {[](DramConfig& c) { c.timing.tRCDWR = 29; },
       "dram.timing.tRAS must be at least dram.timing.tRCDWR; found 28 and 29"},
      {[](DramConfig& c) { c.timing.tCCDL = 1; },
       "dram.timing.tCCDL must be 0 (no bank groups) or at least dram.timing.tCCDS; found 1 and 2"},
      {[](DramConfig& c) { c.timing.tRRDL = 5; },
       "dram.timing.tRRDL must be 0 (no bank groups) or at least dram.timing.tRRDS; found 5 and 6"},
      {[](DramConfig& c) { c.timing.tWTRL = 4; },
       "dram.timing.tWTRL must be 0 (no bank groups) or at least dram.timing.tWTRS; found 4 and 5"},
      {[](DramConfig& c) { c.timing.tFAW = 5; },
       "dram.timing.tFAW must be 0 (no window) or at least dram.timing.tRRDS and dram.timing.tRRDL; found 5 and 6"},
      {[](DramConfig& c) { c.timing.tREFI = 3900; },
       "dram.timing.tREFI and dram.timing.tRFC must both be 0 (no refresh) or both not; found 3900 and 0"},
      {[](DramConfig& c) { c.timing.tRFC = 65, c.timing.tREFI = 65; },
       "dram.timing.tREFI must exceed dram.timing.tRFC and the time to close all banks, 149 cycles in all; found 65"},
      {[](DramConfig& c) { c.write_high = 2; },
       "dram.write_high and dram.write_low must be 0 without dram.write_queue; found 2 and 0"},
      {[](DramConfig& c) { c.write_queue = 2, c.write_high = 1; },
       "dram.write_queue must hold the bursts of one 128-byte access; found 2 bursts of 32 bytes"},
      {[](DramConfig& c) { c.write_queue = 16; },
       "dram.write_low must be below dram.write_high, and that at most dram.write_queue (16); found 0 and 0"},
      {[](DramConfig& c) { c.write_queue = 16, c.write_high = 17; },
       "dram.write_low must be below dram.write_high, and that at most dram.write_queue (16); found 0 and 17"},
      {[](DramConfig& c) { c.virtual_channels = true; },
       "dram.virtual_channels needs dram.applications of 2 or more; found 1"},
      {[](DramConfig& c) { c.reserved = 4; }, "dram.reserved needs dram.applications of 2 or more; found 1"},
      {[](DramConfig& c) { c.applications = 2, c.reserved = 3; },
       "dram.reserved must hold the bursts of one 128-byte access of each of dram.applications; found 3 bursts of 32 "
       "bytes"},
      {[](DramConfig& c) { c.applications = 8, c.reserved = 9; },
       "dram.reserved x dram.applications must be at most dram.queue (64); found 9 and 8"},
      {[](DramConfig& c) { c.applications = 2, c.reserved = 4, c.virtual_channels = true, c.input_queue = 1; },
       "dram.input_queue must be at least dram.applications with dram.virtual_channels; found 1 and 2"},
      {[](DramConfig& c) { c.applications = 2, c.reserved = 4, c.write_queue = 16, c.write_high = 8; },
       "dram.applications must be 1 with dram.write_queue; found 2 and 16"},
      {[](DramConfig& c) { c.address_map = "rrbbgcccccccooooo"; },
       "dram.address_map: found 'rrbbgcccccccooooo', allowed: default, bursts, or letters for the bits from the most "
       "significant "
       "down: 2 b, 2 g, 6 c, any number of r, last 5 o, at most 64 in all; _ separates"},
  };
  for (const Case& c : cases) {
    DramConfig config;
    c.change(config);
    EXPECT_EQ(contradiction(config), c.message);
    try {
      DramControllerCore(config, 1, 4);
      ADD_FAILURE() << "accepted: " << c.message;
    } catch (const InputError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  }
}

TEST(DramConfig, WithARowCycleBelowItsPartsIsNoContradiction) {
  DramConfig config;
  config.timing.tRC = 39;  // tRAS + tRP = 40: values in ns, rounded up one by one
  EXPECT_EQ(contradiction(config), "");
}

TEST(DramConfig, NamesAnUnknownPagePolicy) {
  DramConfig config;
  config.page = "close";
  try {
    DramControllerCore(config, 1, 4);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "dram.page: found 'close', allowed are open, closed");
  }
}

}  // namespace
}  // namespace gputlm
