/// Host programs made from a seed: threads that make calls of every kind - kernels, copies, memsets, events, waits,
/// synchronization - on default and non-blocking streams with priorities, in several applications.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/integration/random_numbers.h"

namespace gputlm {

enum class Action { kKernel, kCopy, kRecord, kWait, kHost, kSynchronizeStream, kSynchronizeDevice };

struct Call {
  Action action;
  unsigned stream = 0;  ///< index of the stream in its application
  std::string label = {};
  std::string kind = {};  ///< kind of a copy
  std::uint64_t from = 0, to = 0, bytes = 0;
  bool pageable = false, blocking = false;
  unsigned delay_ns = 0;
  unsigned event = 0;
  unsigned host_us = 0;

  bool is_command() const { return action == Action::kKernel || action == Action::kCopy; }
  bool holds_thread() const { return pageable || blocking; }
};

struct Stream {
  std::string kind;  ///< default, non_blocking or nothing
  int priority = 0;
};

struct Application {
  std::vector<Stream> streams;
  std::vector<std::vector<Call>> threads;
};

/// A program that cannot deadlock: whatever waits waits for something issued before it or, if each stream has one thread and
/// no thread synchronizes with others, for an earlier thread.
class RandomHostProgram : private RandomNumbers {
 public:
  explicit RandomHostProgram(std::uint64_t seed) : RandomNumbers(seed) {
    for (unsigned a = 0, count = number(1, 3); a < count; ++a) applications.push_back(application());
  }

  std::vector<Application> applications;

  std::string text() const {
    std::string text =
        "kernels:\n"
        "  short: {grid: 6, block: 64, patterns: {p: {kind: coalesced, base: 0x10000000}}, program: [load: p, int: 4, "
        "store: p]}\n"
        "  wide: {grid: 40, block: 100, patterns: {p: {kind: random, footprint: 64KiB, base: 0x20000000}}, program: "
        "[load: p, fp32: 8, atomic: p]}\n"
        "  long: {grid: 10, block: 256, program: [loop: {count: 20, body: [fp32: {distance: 1, count: 8}]}]}\n"
        "applications:\n";
    for (std::size_t a = 0; a < applications.size(); ++a) {
      text += "  - name: a" + std::to_string(a) + "\n    streams:\n";
      for (std::size_t s = 0; s < applications[a].streams.size(); ++s) {
        const Stream& stream = applications[a].streams[s];
        text += "      - {name: s" + std::to_string(s) + ", priority: " + std::to_string(stream.priority) +
                (stream.kind.empty() ? "" : ", " + stream.kind + ": true") + "}\n";
      }
      text += "    threads:\n";
      for (std::size_t t = 0; t < applications[a].threads.size(); ++t) {
        text += "      - name: t" + std::to_string(t) + "\n        calls:\n";
        for (const Call& call : applications[a].threads[t]) text += "          - {" + text_of(call) + "}\n";
      }
    }
    return text;
  }

  /// Options for a small GPU with few queues.
  std::vector<std::string> options() {
    std::vector<std::string> all{"--gpu", one_of({"rtx2060", "xavier", "gtx480"}), "--check-protocol"};
    const auto set = [&](const std::string& key, const std::vector<std::string>& values) {
      all.push_back("--set");
      all.push_back(key + "=" + one_of(values));
    };
    set("sms", {"3", "4"});
    set("sms_per_gpc", {"2", "3"});
    set("work_distributor.priorities", {"2"});
    set("work_distributor.kernels_in_flight", {"1", "2", "16"});
    set("work_distributor.application", {"concurrent", "exclusive", "time_sliced", "partitioned"});
    set("work_distributor.time_sliced.time_slice_us", {"1", "5", "1024"});
    set("work_distributor.time_sliced.instruction_preemption", {"false", "true"});
    set("host.call_cycles", {"0", "150"});
    set("copy_engine.engines", {"1", "2", "3"});
    set("copy_engine.packet", {"128", "256"});
    set("copy_engine.packets", {"1", "5", "128"});
    set("copy_engine.sm_bytes", {"0", "256", "6144"});
    set("host_link.queue", {"1", "3", "64"});
    set("host_link.latency", {"40", "500"});
    set("host_link.lanes", {"1", "16"});
    set("noc.queue", {"2", "56"});
    set("l2.queue", {"2", "32"});
    set("dram.channels", {"1", "2"});
    return all;
  }

 private:
  Application application() {
    Application made;
    const bool shared = number(0, 1) == 0;  // whether threads share streams
    const unsigned threads = number(1, 3), streams = std::max(threads, number(1, 4));
    for (unsigned s = 0; s < streams; ++s) {
      const unsigned kind = number(0, 3);
      made.streams.push_back({s == 0 && shared ? "default" : kind == 0 ? "non_blocking" : "", number(0, 1) ? 0 : -1});
    }
    std::vector<unsigned> recorded;  // events that earlier threads recorded
    std::vector<bool> called(streams, false);
    for (unsigned t = 0; t < threads; ++t) {
      std::vector<Call> calls;
      if (shared) recorded.clear();
      for (unsigned c = 0, count = number(3, 12); c < count || (t + 1 == threads && c < 3 * streams); ++c) {
        // A stream that the thread may use; the last calls make sure that each is used.
        unsigned stream = shared ? number(0, streams - 1) : t + threads * number(0, (streams - 1 - t) / threads);
        calls.push_back(call(stream, recorded, shared));
      }
      for (unsigned s = 0; s < streams; ++s) {
        if (shared ? t == 0 : s % threads == t) calls.push_back(command(s));
      }
      made.threads.push_back(std::move(calls));
    }
    return made;
  }

  Call call(unsigned stream, std::vector<unsigned>& recorded, bool shared) {
    Call made{Action::kHost, stream};
    const unsigned kind = number(0, 99);
    if (kind < 65) return command(stream);
    if (kind < 77) {
      made.action = Action::kRecord;
      made.event = events_++;
      recorded.push_back(made.event);
    } else if (kind < 88 && !recorded.empty()) {
      made.action = Action::kWait;
      made.event = recorded[number(0, static_cast<unsigned>(recorded.size()) - 1)];
    } else if (kind < 92) {
      made.action = Action::kSynchronizeStream;
    } else if (kind < 95 && shared) {
      made.action = Action::kSynchronizeDevice;
    } else {
      made.host_us = number(0, 5);
    }
    return made;
  }

  Call command(unsigned stream) {
    Call made{Action::kKernel, stream, "c" + std::to_string(commands_++)};
    if (number(0, 3) == 0) made.delay_ns = number(1, 3000);
    made.kind = one_of({"short", "wide", "long"});
    if (number(0, 2) == 0) return made;
    made.action = Action::kCopy;
    made.kind = one_of({"host_to_device", "device_to_host", "device_to_device", "memset"});
    made.bytes = number(0, 3) == 0 ? number(1, 300) : number(1, 20000);
    made.from = made.kind == "host_to_device" ? 0x600000000000 : 0x10000000 + number(0, 1000);
    made.to = made.kind == "device_to_host" ? 0x600000000000 : 0x20000000 + number(0, 1000);
    made.pageable = (made.kind == "host_to_device" || made.kind == "device_to_host") && number(0, 3) == 0;
    made.blocking = number(0, 4) == 0;
    return made;
  }

  static std::string text_of(const Call& call) {
    std::string stream = "stream: s" + std::to_string(call.stream);
    if (call.delay_ns > 0) stream += ", delay_us: " + std::to_string(1e-3 * call.delay_ns);
    switch (call.action) {
      case Action::kKernel: return stream + ", kernel: " + call.kind + ", alone_cycles: 1000, label: " + call.label;
      case Action::kRecord: return stream + ", record: e" + std::to_string(call.event);
      case Action::kWait: return stream + ", wait: e" + std::to_string(call.event);
      case Action::kHost: return "host_us: " + std::to_string(call.host_us);
      case Action::kSynchronizeStream: return stream + ", synchronize: stream";
      case Action::kSynchronizeDevice: return "synchronize: device";
      case Action::kCopy: break;
    }
    std::string text = stream + ", label: " + call.label;
    if (call.kind == "memset") {
      text += ", memset: " + std::to_string(call.bytes);
    } else {
      text += ", copy: " + call.kind + ", bytes: " + std::to_string(call.bytes);
    }
    if (call.kind == "device_to_host" || call.kind == "device_to_device")
      text += ", from: " + std::to_string(call.from);
    if (call.kind != "device_to_host") text += ", to: " + std::to_string(call.to);
    if (call.pageable) text += ", pageable: true";
    if (call.blocking) text += ", blocking: true";
    return text;
  }

  unsigned events_ = 0, commands_ = 0;
};

}  // namespace gputlm
