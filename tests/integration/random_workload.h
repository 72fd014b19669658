/// Workload files made from a seed: random mixes of everything that a program can contain, on several streams, with
/// shares of the GPU, priorities, jobs, and a runtime of each launch for the oracles (a wrong one changes only the
/// order).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/integration/random_numbers.h"

namespace gputlm {

class RandomWorkload : private RandomNumbers {
 public:
  explicit RandomWorkload(std::uint64_t seed) : RandomNumbers(seed) {}

  std::string text() {
    const unsigned kernels = number(1, 3);
    std::string text = "managed: {data: {bytes: 1MiB}}\nkernels:\n";
    for (unsigned k = 0; k < kernels; ++k) text += kernel(k);
    text += "applications:\n";
    for (unsigned a = 0, applications = number(1, 2); a < applications; ++a) {
      text += "  - name: a" + std::to_string(a) + "\n" + share() + "    streams:\n";
      for (unsigned s = 0, streams = number(1, 3); s < streams; ++s) {
        text += "      - {name: s" + std::to_string(s) + ", priority: " + one_of({"0", "0", "-1"}) + ", launches: [";
        for (unsigned l = 0, launches = number(1, 3); l < launches; ++l) {
          text += (l ? ", " : "") + ("{kernel: k" + std::to_string(number(0, kernels - 1))) +
                  ", alone_cycles: " + std::to_string(number(1, 20000)) +
                  ", release_us: " + one_of({"0", "0", "1.37", "5"}) +
                  one_of({"", "", ", budget: 3", ", cache_config: l1", ", cache_config: shared"}) +
                  one_of({"", "", "", ", repeat: 3, period_us: 2, deadline_us: 5",
                          ", repeat: 2, period_us: 1, jitter_us: 3", ", repeat: 3, period_us: 0, sporadic_us: 2"}) +
                  "}";
        }
        text += "]}\n";
      }
    }
    return text;
  }

  /// Settings that make a small GPU: few SMs, and sometimes queues and caches in which everything collides.
  std::vector<std::string> settings() {
    const unsigned sms = number(2, 6);
    std::vector<std::string> all{"sms=" + std::to_string(sms), "sms_per_gpc=" + std::to_string(number(1, sms)),
                                 "work_distributor.priorities=2"};
    const auto set = [&](const std::string& key, const std::vector<std::string>& values) {
      all.push_back(key + "=" + one_of(values));
    };
    if (chance(30)) {  // applications wait in separate queues
      set("l2.applications", {"2", "3"});
      set("l2.queue", {"3", "8"});
      set("l2.mshrs", {"3", "4"});
      set("dram.applications", {"2", "3"});
      set("dram.reserved", {"4", "5"});
      set("dram.queue", {"15", "32"});
      set("dram.virtual_channels", {"true", "false"});
      set("dram.input_queue", {"3", "8"});
    } else if (chance(50)) {
      set("noc.queue", {"1", "2", "7"});
      set("l2.queue", {"1", "3", "8"});
      set("l2.mshrs", {"1", "4"});
      set("l2.mshr_merges", {"1", "2"});
      set("sm.l1.mshrs", {"1", "4"});
      set("sm.l1.mshr_merges", {"1", "2"});
      set("sm.l1.queue", {"4", "8"});
      set("sm.lsu_queue", {"1", "2"});
      set("dram.channels", {"1", "2"});
      set("dram.queue", {"4", "8"});
      set("dram.input_queue", {"1", "4"});
      set("work_distributor.kernels_in_flight", {"1", "2"});
    }
    set("work_distributor.placement", {"round_robin", "most_room"});
    set("sm.warp_scheduler", {"lrr", "gto"});
    set("dram.scheduler", {"fcfs", "fr_fcfs"});
    std::vector<std::string> options;
    for (std::string& setting : all) {
      options.push_back("--set");
      options.push_back(std::move(setting));
    }
    return options;
  }

  using RandomNumbers::one_of;

 private:
  /// An application's share of the execution engine.
  std::string share() {
    return one_of({"", "", "    time_slice_us: 3\n", "    timeslice_priority: high\n", "    sm_percent: 50\n",
                   "    thread_percent: 60\n"});
  }

  std::string kernel(unsigned index) {
    return "  k" + std::to_string(index) + ":\n    grid: " + std::to_string(number(1, 30)) +
           "\n    block: " + one_of({"32", "33", "100", "256", "[16, 8, 2]"}) +
           "\n    registers: " + one_of({"16", "40", "64"}) + "\n    shared_memory: " + one_of({"0", "4096", "8000"}) +
           "\n    variation: {spread: " + one_of({"0", "0.2", "0.5"}) +
           "}\n    patterns:\n"
           "      c: {kind: coalesced, footprint: " +
           one_of({"4KiB", "64KiB", "1MiB"}) + "}\n" +
           "      s: {kind: strided, footprint: 256KiB, stride: " + one_of({"8", "32", "128"}) + "}\n" +
           "      r: {kind: random, footprint: " + one_of({"4KiB", "64KiB", "4MiB"}) + "}\n" +
           "      b: {kind: broadcast}\n"
           "      u: {kind: reuse, bytes: 4KiB, cold: 0.1}\n"
           "      m: {kind: random, base: data, footprint: 1MiB}\n"
           "      sh: {kind: affine, footprint: 4KiB, lane_stride: " +
           one_of({"4", "8", "128"}) + "}\n" + "    program:\n      - loop: {count: " + std::to_string(number(1, 6)) +
           ", body: [" + body(1) + "]}\n" + "      - " + element(1) + "\n";
  }

  std::string body(unsigned depth) {
    std::string text = element(depth);
    for (unsigned more = number(0, 5); more > 0; --more) text += ", " + element(depth);
    return text;
  }

  std::string element(unsigned depth) {
    const unsigned kind = number(0, 99);
    if (kind < 25) {
      return "{" + one_of({"fp32", "int", "fp64", "sfu", "tensor"}) + ": {distance: " + one_of({"0", "1"}) +
             ", count: " + std::to_string(number(1, 4)) + "}}";
    }
    if (kind < 40) return one_of({"fp32", "int", "control", "sfu"});
    const std::string reg = std::to_string(number(4, 40));
    if (kind < 70) {
      return "{" +
             one_of({"load: {dst: " + reg + ", width: " + one_of({"1", "4", "8"}),
                     "store: {src: " + reg + ", width: " + one_of({"1", "4", "8"}), "atomic: {src: " + reg}) +
             ", pattern: " + one_of({"c", "s", "r", "b", "u", "m"}) + "}}";
    }
    if (kind < 78) return "{" + one_of({"load", "store"}) + ": {pattern: sh, space: shared}}";
    if (kind < 86) return one_of({"barrier", "{barrier: 1}"});
    if (kind < 88) return "{warps: {last: 0, body: [{load: {pattern: r, dst: 9}}, {fp32: {distance: 1, count: 3}}]}}";
    if (kind < 90) return "{spin: {ns: " + std::to_string(number(1, 3000)) + ", ns_per_sm: 50}}";
    if (depth == 2) return "int";
    return "{loop: {count: " + std::to_string(number(1, 5)) + ", varies: " + one_of({"true", "false"}) + ", body: [" +
           body(depth + 1) + "]}}";
  }
};

}  // namespace gputlm
