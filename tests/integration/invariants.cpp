#include "tests/integration/invariants.h"

#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace gputlm {
namespace {

using Json = nlohmann::json;

std::uint64_t count(const Json& json, const std::string& pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

std::uint64_t sum(const Json& list, const std::string& pointer) {
  std::uint64_t total = 0;
  for (const Json& item : list) total += count(item, pointer);
  return total;
}

std::uint64_t product(const Json& list) {
  return std::accumulate(list.begin(), list.end(), std::uint64_t{1},
                         [](std::uint64_t all, const Json& one) { return all * one.get<std::uint64_t>(); });
}

class Invariants {
 public:
  explicit Invariants(const FinishedRun& run) : run_(run), result_(run.result) {
    for (const Json& kernel : result_.at("kernels")) kernels_[kernel.at("kernel")] = &kernel;
    const Json& distributor = result_.at("configuration").at("work_distributor");
    preempts_ = distributor.at("application") == "time_sliced" &&
                distributor.at("time_sliced").at("instruction_preemption").get<bool>();
    translates_ = result_.contains("mmu");
    copies_ = result_.contains("copying");
  }

  void every_block_runs_exactly_once() const {
    std::map<std::string, std::set<std::uint64_t>> seen;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> spans;  // first start and last end
    for (const BlockRow& row : run_.blocks) {
      EXPECT_TRUE(seen[row.kernel].insert(row.block).second) << row.kernel << " block " << row.block << " twice";
      EXPECT_LT(row.sm, result_.at("sms").size());
      EXPECT_LT(row.start, row.end);
      const auto [span, is_new] = spans.try_emplace(row.kernel, row.start, row.end);
      span->second.first = std::min(span->second.first, row.start);
      span->second.second = std::max(span->second.second, row.end);
    }
    EXPECT_EQ(seen.size(), kernels_.size());
    for (const auto& [label, kernel] : kernels_) {
      const std::uint64_t blocks = product(kernel->at("grid"));
      EXPECT_EQ(seen[label].size(), blocks) << label;
      EXPECT_EQ(*seen[label].rbegin() + 1, blocks) << label;
      EXPECT_EQ(count(*kernel, "/first_block_cycle"), spans[label].first) << label;
      EXPECT_EQ(count(*kernel, "/end_cycle"), spans[label].second) << label;
      EXPECT_LE(count(*kernel, "/released_cycle"), count(*kernel, "/submitted_cycle")) << label;
      EXPECT_LT(count(*kernel, "/submitted_cycle"), count(*kernel, "/arrived_cycle")) << label;
      EXPECT_LT(count(*kernel, "/arrived_cycle"), spans[label].first) << label;
      EXPECT_LT(spans[label].second, count(*kernel, "/notified_cycle")) << label;
    }
    EXPECT_EQ(sum(result_.at("sms"), "/blocks"), run_.blocks.size());
  }

  /// Every counter of the groups is the sum of its kernels'.
  void sums_agree(const Json& total, const std::string& path = "") const {
    for (const auto& [key, value] : total.items()) {
      const std::string pointer = path + "/" + key;
      if (value.is_object()) {
        if (key != "deadlines") sums_agree(value, pointer);
        continue;
      }
      if (!value.is_number_unsigned() || path.empty()) continue;  // the counters of a group are in objects
      for (const char* of : {"kernels", "streams", "applications"}) {
        std::uint64_t parts = 0;
        for (const Json& part : result_.at(of)) parts += part.value(Json::json_pointer(pointer), std::uint64_t{0});
        EXPECT_EQ(parts, value.get<std::uint64_t>()) << of << pointer;
      }
    }
  }
  void instructions_are_those_of_sms_and_sub_cores() const {
    EXPECT_EQ(sum(result_.at("sms"), "/instructions"), total("/instructions"));
    EXPECT_EQ(sum(result_.at("kernels"), "/instructions"), total("/instructions"));
    EXPECT_EQ(sum(result_.at("sms"), "/load_store/l1_sector_hits"), total("/l1/sector_hits"));
    EXPECT_EQ(sum(result_.at("sms"), "/load_store/l1_sector_misses"), total("/l1/sector_misses"));
    for (const Json& sm : result_.at("sms")) {
      const auto issued = sm.at("issued_by_sub_core").get<std::vector<std::uint64_t>>();
      EXPECT_EQ(std::accumulate(issued.begin(), issued.end(), std::uint64_t{0}), count(sm, "/instructions"));
    }
  }

  void requests_cross_every_hop_and_are_answered() const {
    const std::uint64_t requests = total("/memory/requests");
    const auto packets = [&](const char* network) {
      return count(result_, std::string("/noc/") + network + "/packets");
    };
    EXPECT_EQ(packets("gpc_requests"), packets("gpc_replies"));
    EXPECT_EQ(packets("crossbar_requests"), packets("crossbar_replies"));
    EXPECT_GE(packets("crossbar_requests"), packets("gpc_requests"));
    EXPECT_GE(packets("gpc_requests"), requests);
    if (!preempts_) {
      EXPECT_EQ(packets("gpc_requests"), requests);
    }
    if (!copies_ && !translates_) {
      EXPECT_EQ(packets("crossbar_requests"), packets("gpc_requests"));
    }
    const Json& l2 = result_.at("l2").at("total");
    EXPECT_EQ(count(l2, "/reads") + count(l2, "/writes") + count(l2, "/atomics"), packets("crossbar_requests"));
    if (copies_ || translates_ || preempts_) return;
    EXPECT_EQ(count(l2, "/reads") + count(l2, "/atomics"), total("/l2/read_hits") + total("/l2/read_misses"));
    EXPECT_EQ(count(l2, "/writes"), total("/l2/write_hits") + total("/l2/write_misses"));
  }

  void dram_serves_what_the_l2_asks_for() const {
    const Json &l2 = result_.at("l2").at("total"), &dram = result_.at("dram").at("total");
    // A read waits for its fill. When the last kernel ends, fills that writes have asked for, one an MSHR at most, and
    // write-backs may still be under way.
    const std::uint64_t under_way =
        count(l2, "/writes") > 0 ? result_.at("l2").at("slices").size() * count(result_, "/configuration/l2/mshrs") : 0;
    const std::uint64_t served = count(dram, "/row_hits") + count(dram, "/row_misses") + count(dram, "/row_conflicts");
    EXPECT_GE(served + under_way, count(l2, "/fills"));
    EXPECT_LE(served, count(l2, "/fills") + count(l2, "/write_backs"));
    const std::uint64_t burst = count(result_, "/configuration/dram/burst_bytes");
    std::uint64_t read = 0, written = 0;
    for (const Json& application : result_.at("dram").at("applications")) {
      read += count(application, "/read_bytes");
      written += count(application, "/written_bytes");
    }
    EXPECT_EQ(read, count(dram, "/reads") * burst);
    EXPECT_EQ(written, count(dram, "/writes") * burst);
    const Json& cycles = dram.at("cycles");
    EXPECT_EQ(count(cycles, "/useful") + count(cycles, "/wasted") + count(cycles, "/idle"), count(cycles, "/total"));
    std::uint64_t wasted = 0;
    for (const auto& [why, n] : cycles.at("wasted_by").items()) wasted += n.get<std::uint64_t>();
    EXPECT_EQ(wasted, count(cycles, "/wasted"));
  }

  void no_sm_holds_more_than_its_limits() const {
    if (preempts_) return;  // a block that is off the SM has not ended
    struct Change {
      std::uint64_t at;
      bool starts;
      const Json* kernel;
    };
    std::map<std::uint64_t, std::vector<Change>> changes;
    for (const BlockRow& row : run_.blocks) {
      const Json* kernel = kernels_.at(row.kernel);
      changes[row.sm].push_back({row.start, true, kernel});
      changes[row.sm].push_back({row.end, false, kernel});
    }
    const Json& sm = result_.at("configuration").at("sm");
    for (auto& [id, list] : changes) {
      std::sort(list.begin(), list.end(),
                [](const Change& a, const Change& b) { return std::tie(a.at, a.starts) < std::tie(b.at, b.starts); });
      std::uint64_t blocks = 0, threads = 0, warps = 0, registers = 0, shared = 0;
      for (const Change& change : list) {
        const std::uint64_t sign = change.starts ? 1 : ~std::uint64_t{0};
        const std::uint64_t block_threads = product(change.kernel->at("block")),
                            block_warps = (block_threads + 31) / 32;
        const std::uint64_t step = count(sm, "/register_granularity");
        blocks += sign;
        threads += sign * block_threads;
        warps += sign * block_warps;
        registers += sign * block_warps * ((count(*change.kernel, "/registers") * 32 + step - 1) / step * step);
        shared += sign * count(*change.kernel, "/shared_memory_bytes");
        ASSERT_LE(blocks, count(sm, "/blocks"));
        ASSERT_LE(threads, count(sm, "/threads"));
        ASSERT_LE(warps, count(sm, "/warps"));
        ASSERT_LE(registers, count(sm, "/registers"));
        ASSERT_LE(shared, count(sm, "/shared_memory"));
      }
      EXPECT_EQ(blocks, 0u);
    }
  }

  /// Cycles in which a warp is on an SM, from the one after its block's start until it has exited and its accesses are
  /// done: it issues, or is counted as waiting for something.
  void warps_account_for_their_time() const {
    std::map<std::string, std::uint64_t> resident;  // block cycles
    for (const BlockRow& row : run_.blocks) resident[row.kernel] += row.end - row.start - 1;
    for (const auto& [label, kernel] : kernels_) {
      const std::uint64_t warps = (product(kernel->at("block")) + 31) / 32;
      std::uint64_t accounted = count(*kernel, "/instructions");
      for (const auto& [reason, cycles] : kernel->at("stall_warp_cycles").items())
        accounted += cycles.get<std::uint64_t>();
      EXPECT_LE(accounted, warps * resident[label]) << label;
      EXPECT_GE(accounted, resident[label]) << label << ": a block ends with its last warp";
      if (warps == 1) {
        EXPECT_EQ(accounted, resident[label]) << label;
      }
    }
  }

  void copies_count_the_same_at_both_ends() const {
    if (!copies_) return;
    const Json& copying = result_.at("copying");
    const auto count = [&](const Json& of, const char* path) {  // a unit that is not there moves nothing
      const nlohmann::json::json_pointer where(path);
      return of.contains(where) ? of.at(where).get<std::uint64_t>() : 0;
    };
    EXPECT_EQ(count(copying, "/engines/host_read_bytes"), count(copying, "/link/to_device_bytes"));
    EXPECT_EQ(count(copying, "/link/to_device_bytes"), count(copying, "/host_memory/read_bytes"));
    EXPECT_EQ(count(copying, "/engines/host_written_bytes"), count(copying, "/link/to_host_bytes"));
    EXPECT_EQ(count(copying, "/link/to_host_bytes"), count(copying, "/host_memory/written_bytes"));
  }

  const Json& group() const { return result_.at("total"); }

 private:
  /// 0 of a run without kernels, whose group has no counters.
  std::uint64_t total(const std::string& pointer) const {
    return result_.at("total").value(Json::json_pointer(pointer), std::uint64_t{0});
  }

  const FinishedRun& run_;
  const Json& result_;
  std::map<std::string, const Json*> kernels_;  ///< by label
  bool preempts_, translates_, copies_;
};

}  // namespace

void expect_invariants(const FinishedRun& run) {
  ASSERT_TRUE(run.result.at("complete").get<bool>());
  const Invariants invariants(run);
  invariants.every_block_runs_exactly_once();
  invariants.sums_agree(invariants.group());
  invariants.instructions_are_those_of_sms_and_sub_cores();
  invariants.requests_cross_every_hop_and_are_answered();
  invariants.dram_serves_what_the_l2_asks_for();
  invariants.no_sm_holds_more_than_its_limits();
  invariants.warps_account_for_their_time();
  invariants.copies_count_the_same_at_both_ends();
}

void expect_same_work(const FinishedRun& one, const FinishedRun& other) {
  const Json &a = one.result.at("kernels"), &b = other.result.at("kernels");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const char* counter : {"/instructions", "/thread_instructions", "/memory/global_loads",
                                "/memory/global_stores", "/memory/shared_accesses"})
      EXPECT_EQ(count(a[i], counter), count(b[i], counter)) << a[i].at("kernel") << counter;
  }
}

}  // namespace gputlm
