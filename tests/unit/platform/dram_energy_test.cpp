#include "platform/run/counters_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

DramConfig config_with_energy() {
  DramConfig config;
  config.command_mhz = 500;  // 2 ns
  config.burst_bytes = 32;
  config.energy = {100, 10, 20, 1000, 3};
  return config;
}

TEST(DramEnergyAccount, IsTheSumOfWhatTheCommandsTake) {
  DramStatistics total;
  total.activates = 7;
  total.reads = 11;
  total.writes = 13;
  total.refreshes = 2;
  total.cycles = 50;
  const DramEnergyAccount account = dram_energy(total, config_with_energy());
  EXPECT_EQ(account.activate, 700);
  EXPECT_EQ(account.read, 110);
  EXPECT_EQ(account.write, 260);
  EXPECT_EQ(account.refresh, 2000);
  EXPECT_EQ(account.background, 300);  // 3 mW for 100 ns
  EXPECT_EQ(account.total(), 3370);
  EXPECT_EQ(account.per_bit(), 3370.0 / (24 * 256));
  EXPECT_EQ(to_json(account)["pj_per_bit"], account.per_bit());
}

TEST(DramEnergyAccount, OfAnApplicationIsThatOfItsBursts) {
  DramApplicationStatistics application;
  application.reads = 3;
  application.writes = 4;
  EXPECT_EQ(data_energy(application, config_with_energy()), 110);
}

TEST(DramEnergyAccount, OfNothingIsNothing) { EXPECT_EQ(dram_energy({}, config_with_energy()).per_bit(), 0); }

TEST(DramEnergyParameters, AreLeftOutOfAConfigurationWhereTheyAreNotKnown) {
  EXPECT_FALSE(load_gpu("gtx480").dram.energy.known());
  EXPECT_FALSE(to_json(load_gpu("gtx480")).at("dram").contains("energy"));
  EXPECT_FALSE(load_gpu("xavier").dram.energy.known());  // its base has another memory
  EXPECT_TRUE(load_gpu("titan_v").dram.energy.known());
  EXPECT_EQ(to_json(load_gpu("titan_v")).at("dram").at("energy").at("activate_pj"), 828);
}

}  // namespace
}  // namespace gputlm
