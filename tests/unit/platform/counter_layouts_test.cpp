#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <typeindex>

#include "models/cluster_network/core.h"
#include "models/contention/core.h"
#include "models/copy_engine/core.h"
#include "models/dram/statistics.h"
#include "models/host_link/core.h"
#include "models/host_memory/core.h"
#include "models/kernel/block_counters.h"
#include "models/l2/set_aside.h"
#include "models/l2/slice_core.h"
#include "models/mmu/core.h"
#include "models/noc/partition_connection.h"
#include "models/noc/switch_core.h"
#include "models/regulator/regulation.h"
#include "models/sm/blocks/contention_end.h"
#include "models/sm/sm_model.h"
#include "models/sm/sm_tlb.h"
#include "models/work_distributor/engine.h"
#include "platform/run/counters_json.h"
#include "tlm/base/members.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

/// Gives each value another one, and two elements to each vector.
class Distinct {
 public:
  explicit Distinct(std::uint64_t first) : next_(first) {}
  void fill(std::uint64_t& value) { value = next_++; }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) fill(value);
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& values) {
    for (T& value : values) fill(value);
  }
  template <class T>
  void fill(T& counted) {
    for_each_member(counted, [this](auto& member) { fill(member); });
  }

 private:
  std::uint64_t next_;
};

template <class S>
S distinct(std::uint64_t first) {
  S counted;
  Distinct(first).fill(counted);
  return counted;
}

struct SaidValues {
  double a, b, sum;
  bool adds_up;
};

/// What the members of two structs say, by the path in JSON, and what that of their sum has to say.
template <class S>
class Said {
 public:
  using All = std::map<std::string, SaidValues>;

  Said(All& all, const S& a, const S& b, std::string prefix = "") : all_(all), a_(a), b_(b), prefix_(prefix + "/") {
    S::describe(*this);
  }
  void counter(std::uint64_t S::*member, const std::string& name, const char*, const char*) {
    add(name, a_.*member, b_.*member);
  }
  void latest(std::uint64_t S::*member, const std::string& name, const char*, const char*) {
    const auto a = static_cast<double>(a_.*member), b = static_cast<double>(b_.*member);
    all_[path(name)] = {a, b, std::max(a, b), false};
  }
  template <std::size_t N>
  void counters(std::array<std::uint64_t, N> S::*member, const std::string& name, const char*, const char*,
                const std::array<CounterLabel, N>& labels) {
    for (std::size_t i = 0; i < N; ++i) add(name + "." + labels[i].name, (a_.*member)[i], (b_.*member)[i]);
  }
  void counters(std::vector<std::uint64_t> S::*member, const std::string& name, const char*, const char*) {
    for (std::size_t i = 0; i < (a_.*member).size(); ++i)
      add(name + "/" + std::to_string(i), (a_.*member)[i], (b_.*member)[i], false);
  }
  template <class T>
  void part(T S::*member, const std::string& name) {
    Said<T>(all_, a_.*member, b_.*member, name.empty() ? prefix_.substr(0, prefix_.size() - 1) : path(name));
  }
  template <class T>
  void parts(std::vector<T> S::*member, const std::string& name) {
    All inner;
    for (std::size_t i = 0; i < (a_.*member).size(); ++i)
      Said<T>(inner, (a_.*member)[i], (b_.*member)[i], path(name) + "/" + std::to_string(i));
    for (const auto& [where, values] : inner) all_[where] = {values.a, values.b, values.sum, false};
  }
  void ratio(std::uint64_t S::*part, std::uint64_t S::*whole, const std::string& name, const char*, const char*) {
    const auto of = [&](const S& s) { return static_cast<double>(s.*part) / static_cast<double>(s.*whole); };
    S sum = a_;
    sum.*part += b_.*part;
    sum.*whole += b_.*whole;
    all_[path(name)] = {of(a_), of(b_), of(sum), false};
  }

 private:
  std::string path(std::string name) const {
    std::replace(name.begin(), name.end(), '.', '/');
    return prefix_ + name;
  }
  void add(const std::string& name, std::uint64_t a, std::uint64_t b, bool adds_up = true) {
    all_[path(name)] = {static_cast<double>(a), static_cast<double>(b), static_cast<double>(a + b), adds_up};
  }

  All& all_;
  const S& a_;
  const S& b_;
  std::string prefix_;
};

/// The numbers of an object by their paths.
std::map<std::string, double> numbers(const nlohmann::ordered_json& json) {
  std::map<std::string, double> all;
  const nlohmann::ordered_json flat = json.flatten();
  for (const auto& [path, value] : flat.items()) all[path] = value.get<double>();
  return all;
}

template <class S>
void expect_layout_of_members() {
  SCOPED_TRACE(counter_table_of(typeid(S)).name);
  const S a = distinct<S>(1'000), b = distinct<S>(500'000);
  S sum = a;
  sum += b;
  std::map<std::string, SaidValues> all;
  Said<S>(all, a, b);
  std::map<std::string, double> first, both;
  std::size_t adding_up = 0;
  for (const auto& [path, values] : all) {
    first[path] = values.a;
    both[path] = values.sum;
    adding_up += values.adds_up;
  }
  EXPECT_EQ(numbers(counters_json(a)), first);
  EXPECT_EQ(numbers(counters_json(sum)), both);

  const CounterLayout& layout = counter_layout<S>();
  const auto names = layout.sum_names();
  const auto values = layout.sums(&a);
  ASSERT_EQ(names.whole.size(), values.whole.size());
  EXPECT_EQ(names.whole.size(), adding_up);
  for (std::size_t i = 0; i < names.whole.size(); ++i) {
    std::string path = "/" + names.whole[i];
    std::replace(path.begin(), path.end(), '.', '/');
    EXPECT_EQ(static_cast<double>(values.whole[i]), first.at(path)) << path;
  }
  for (std::size_t application = 0; application < values.applications.size(); ++application) {
    ASSERT_EQ(values.applications[application].size(), names.applications.front().size());
    for (std::size_t i = 0; i < names.applications.front().size(); ++i) {
      std::string path = names.applications.front()[i];
      path.insert(path.find('.'), "." + std::to_string(application));
      std::replace(path.begin(), path.end(), '.', '/');
      EXPECT_EQ(static_cast<double>(values.applications[application][i]), first.at("/" + path)) << path;
    }
  }
}

template <class... Structs>
void expect_layouts_of_members() {
  (expect_layout_of_members<Structs>(), ...);
  std::set<std::type_index> registered;
  for (const CounterTable& table : counter_tables()) registered.insert(*table.type);
  EXPECT_EQ(registered, (std::set<std::type_index>{typeid(Structs)...})) << "a table is missing here";
}

TEST(CounterLayout, IsWhatTheDescriptionOfEachTableSaysOfItsMembers) {
  expect_layouts_of_members<BlockCounters, BudgetStatistics, ClusterNetworkStatistics, ContentionStatistics,
                            CopyEngineStatistics, DramStatistics, EngineStatistics, HostLinkStatistics,
                            HostMemoryStatistics, L2Statistics, LostTime, MmuStatistics, OccupancyStatistics,
                            PartitionConnectionStatistics, SetAsideStatistics, SmStatistics, SmTlbStatistics,
                            SwitchStatistics>();
}

}  // namespace
}  // namespace gputlm
