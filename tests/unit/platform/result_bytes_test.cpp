#include "platform/run/memory_run.h"
#include "platform/run/result.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/dram/statistics.h"
#include "models/l2/slice_core.h"
#include "models/noc/switch_core.h"
#include "models/work_distributor/engine.h"

#include "platform/run/counters_json.h"
#include "tlm/base/bytes.h"

namespace gputlm {
namespace {

/// Gives every value of a result one that is not 0 and that no other has, two elements to whatever may hold many.
class Fill {
 public:
  template <class T>
  void fill(T& value) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      value = static_cast<T>(1);
    } else if constexpr (std::is_arithmetic_v<T>) {
      ++last_;
      value = static_cast<T>(sizeof(T) > 1 ? last_ % 251 + 256 * (last_ / 251 + 1) : last_ % 251 + 1);
    } else {
      for_each_member(value, [this](auto& member) { fill(member); });
    }
    ++values_;
  }
  void fill(std::string& text) { text = "text " + std::to_string(++last_); }
  template <class T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) fill(value);
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& values) {
    for (T& value : values) fill(value);
  }
  template <class Key, class T>
  void fill(std::map<Key, T>& values) {
    for (int i = 0; i < 2; ++i) {
      Key key{};
      fill(key);
      fill(values[key]);
    }
  }
  unsigned values() const { return values_; }

 private:
  unsigned last_ = 0, values_ = 0;
};

template <class T>
T filled() {
  T value;
  Fill().fill(value);
  return value;
}

TEST(ResultBytes, ARunComesBackWholeWithEveryFieldSet) {
  const auto result = filled<RunResult>();
  const RunResult back = result_from_bytes(to_bytes(result));
  EXPECT_EQ(to_bytes(back), to_bytes(result));
  EXPECT_NE(to_bytes(RunResult()), to_bytes(result));

  EXPECT_EQ(back.state, RunState::kInterrupted);
  EXPECT_EQ(back.kernels.at(1).counters.row_conflicts, result.kernels[1].counters.row_conflicts);
  EXPECT_EQ(back.kernels[0].counters.stall, result.kernels[0].counters.stall);
  EXPECT_EQ(back.kernels[1].prediction->first_of_last.most, result.kernels[1].prediction->first_of_last.most);
  EXPECT_EQ(back.unfinished.at(1).blocks_running, result.unfinished[1].blocks_running);
  EXPECT_EQ(back.applications.at(1).first_end, result.applications[1].first_end);
  EXPECT_EQ(back.blocks.at(1).end, result.blocks[1].end);
  EXPECT_EQ(back.predictions.at(1).actual, result.predictions[1].actual);
  EXPECT_TRUE(back.predictions[0].made.first_of_slice);
  EXPECT_EQ(back.units.entries.at(1).bytes, result.units.entries[1].bytes);
  EXPECT_EQ(back.warnings, result.warnings);
  EXPECT_EQ(back.waiting, result.waiting);
  EXPECT_EQ(back.checked_transactions, result.checked_transactions);
}

TEST(UnitCounters, ComeBackAsTheUnitsHaveReportedThem) {
  const auto slice = filled<L2Statistics>();
  const auto requests = filled<SwitchStatistics>();
  const auto engine = by_application(std::vector{filled<EngineStatistics>(), EngineStatistics()});
  Report report;
  report.add(slice);
  report.add(L2Statistics());
  report.add(requests, "crossbar_requests");
  report.add(requests, "crossbar_requests");
  report.add(engine);
  report.add(std::string("of no table"));
  const UnitCounters units = unit_counters(report);
  ASSERT_EQ(units.all<L2Statistics>().size(), 2u);
  EXPECT_EQ(bytes_of("slice", units.total<L2Statistics>()), bytes_of("slice", slice));
  EXPECT_EQ(units.total<SwitchStatistics>("crossbar_requests").wait, 2 * requests.wait);
  EXPECT_EQ(units.all<EngineStatistics>().at(0).saved_bytes, engine.at(0).saved_bytes);
  EXPECT_TRUE(units.all<DramStatistics>().empty());

  nlohmann::ordered_json json{{"applications", {{{"name", "a"}}, {{"name", "b"}}}}};
  place_counters(json, units);
  EXPECT_EQ(json["l2"]["total"], counters_json(slice));
  EXPECT_EQ(json["l2"]["slices"], (nlohmann::ordered_json{counters_json(slice), counters_json(L2Statistics())}));
  EXPECT_EQ(json["noc"]["crossbar_requests"]["packets"], 2 * requests.packets);
  EXPECT_EQ(json["applications"][0]["engine"], counters_json(engine.at(0)));
  EXPECT_EQ(json["applications"][1]["engine"]["saved_bytes"], 0);
  EXPECT_FALSE(json.contains("dram")) << "nothing is said of units that there are not";
}

TEST(ResultBytes, AnEmptyRunComesBackEmpty) {
  const RunResult back = result_from_bytes(to_bytes(RunResult()));
  EXPECT_EQ(to_bytes(back), to_bytes(RunResult()));
  EXPECT_TRUE(back.kernels.empty() && back.predictions.empty());
}

TEST(ResultBytes, ARunOfAnAddressTraceComesBackWithItsLatencies) {
  auto result = filled<MemoryResult>();
  LatencyDistribution& reads = result.latencies[1].reads;
  reads = LatencyDistribution();
  for (const Cycle latency : {12u, 12u, 40u, 100'000u}) reads.add(latency);
  const MemoryResult back = memory_result_from_bytes(to_bytes(result));
  EXPECT_EQ(to_bytes(back), to_bytes(result));
  EXPECT_EQ(back.latencies.at(1).reads.table(), reads.table());
  EXPECT_EQ(back.latencies[1].reads.quantile(50, 100), 12u);
  EXPECT_EQ(back.channels.at(1).wasted_by, result.channels[1].wasted_by);
}

TEST(ResultBytes, BytesThatAreCutOffOrLongerOrOfAnotherKindAreRefused) {
  const std::string bytes = to_bytes(filled<RunResult>());
  for (std::size_t length = 0; length < bytes.size(); length += length < 100 ? 1 : 97) {
    EXPECT_THROW(result_from_bytes(bytes.substr(0, length)), std::runtime_error) << length;
  }
  EXPECT_THROW(result_from_bytes(bytes + "x"), std::runtime_error);
  EXPECT_THROW(memory_result_from_bytes(bytes), std::runtime_error);
}

TEST(CountersJson, EverythingThatIsCountedIsInTheJson) {
  unsigned numbers = 0;
  const std::function<void(const nlohmann::ordered_json&)> count = [&](const nlohmann::ordered_json& json) {
    if (json.is_structured()) {
      for (const auto& item : json) count(item);
    } else {
      numbers += json != 0;
    }
  };
  count(counters_json(filled<DramStatistics>()));
  // 11 counters, 1 ratio, 4 kinds of cycles, 8 causes, 2 x 6 of applications, 2 x 3 of banks.
  EXPECT_EQ(numbers, 11u + 2 + 1 + 4 + 8 + 12 + 6);
}

TEST(CountersJson, ANameWithDotsIsAPathAndARatioToNothingIsZero) {
  BlockCounters counters;
  counters.memory_latency = 30;
  counters.stall[static_cast<std::size_t>(Stall::kSpin)] = 7;
  nlohmann::ordered_json json = counters_json(counters);
  EXPECT_EQ(json["memory"]["latency_cycles"], 30);
  EXPECT_EQ(json["memory"]["mean_latency_cycles"], 0.0);
  EXPECT_EQ(json["stall_warp_cycles"]["spin"], 7);
  counters.memory_requests = 4;
  EXPECT_EQ(counters_json(counters)["memory"]["mean_latency_cycles"], 7.5);
}

}  // namespace
}  // namespace gputlm
