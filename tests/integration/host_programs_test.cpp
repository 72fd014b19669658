// Random host programs with everything in them - kernels, copies, memsets, events, waits, synchronization, default and
// non-blocking streams, priorities, threads, applications - whose results are held against what the calls ask for.

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

enum class Action { kKernel, kCopy, kRecord, kWait, kHost, kSynchronizeStream, kSynchronizeDevice };

struct Call {
  Action action;
  unsigned stream = 0;  ///< of its application
  std::string label = {};
  std::string kind = {};  ///< of a copy
  std::uint64_t from = 0, to = 0, bytes = 0;
  bool pageable = false, blocking = false;
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

/// A program that cannot deadlock: what waits, waits for what was issued before it, or, where each stream has one thread
/// and no thread synchronizes with others, for a thread before its own.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {
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

  /// Of a small GPU in which queues are scarce.
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
    set("host_link.queue", {"1", "3", "64"});
    set("host_link.latency", {"40", "500"});
    set("host_link.lanes", {"1", "16"});
    set("noc.queue", {"2", "56"});
    set("l2.queue", {"2", "32"});
    set("dram.channels", {"1", "2"});
    return all;
  }

 private:
  // Not the standard distributions: these differ from library to library.
  unsigned number(unsigned least, unsigned most) {
    return least + static_cast<unsigned>(random_() % (most - least + 1));
  }
  std::string one_of(const std::vector<std::string>& values) {
    return values[number(0, static_cast<unsigned>(values.size()) - 1)];
  }

  Application application() {
    Application made;
    const bool shared = number(0, 1) == 0;  // streams are, among threads
    const unsigned threads = number(1, 3), streams = std::max(threads, number(1, 4));
    for (unsigned s = 0; s < streams; ++s) {
      const unsigned kind = number(0, 3);
      made.streams.push_back({s == 0 && shared ? "default" : kind == 0 ? "non_blocking" : "", number(0, 1) ? 0 : -1});
    }
    std::vector<unsigned> recorded;  // events, by threads before
    std::vector<bool> called(streams, false);
    for (unsigned t = 0; t < threads; ++t) {
      std::vector<Call> calls;
      if (shared) recorded.clear();
      for (unsigned c = 0, count = number(3, 12); c < count || (t + 1 == threads && c < 3 * streams); ++c) {
        // Of those that the thread may use; the last calls see to it that each is used.
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
    const std::string stream = "stream: s" + std::to_string(call.stream);
    switch (call.action) {
      case Action::kKernel: return stream + ", kernel: " + call.kind + ", label: " + call.label;
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

  std::mt19937_64 random_;
  unsigned events_ = 0, commands_ = 0;
};

/// When a command left the host and when the host knew that it had ended.
struct Span {
  std::uint64_t left = 0, known = 0;
};

class Checker {
 public:
  Checker(const RandomProgram& program, const Json& result) : program_(program), result_(result) {
    for (const char* list : {"kernels", "copies"}) {
      if (!result.contains(list)) continue;
      for (const Json& command : result.at(list)) {
        const Span span{command.at(list[0] == 'k' ? "launch_cycle" : "submitted_cycle"), command.at("notified_cycle")};
        EXPECT_TRUE(spans_.emplace(command.at("label"), span).second) << command.at("label") << " ended twice";
      }
    }
  }

  void everyCommandEndedOnce() const {
    std::size_t commands = 0;
    for (const Application& application : program_.applications) {
      for (const auto& thread : application.threads) {
        for (const Call& call : thread) {
          if (!call.is_command()) continue;
          ++commands;
          EXPECT_EQ(spans_.count(call.label), 1u) << call.label << " is lost";
        }
      }
    }
    EXPECT_EQ(spans_.size(), commands);
  }

  void commandsKeepTheOrderOfTheirCalls() const {
    const double mhz = result_.at("configuration").at("core_mhz").get<double>();
    for (const Application& application : program_.applications) {
      std::map<unsigned, std::vector<std::string>> before_event;  // commands that the record stands behind
      for (const auto& thread : application.threads) {
        std::map<unsigned, std::vector<std::string>> in_stream;  // issued by the thread
        std::map<unsigned, std::vector<std::string>> awaited;    // by what comes next in the stream
        std::vector<std::string> held;                           // what the thread has waited for
        double host_us = 0;
        for (const Call& call : thread) {
          std::vector<std::string>& mine = in_stream[call.stream];
          switch (call.action) {
            case Action::kRecord: before_event[call.event] = mine; break;
            case Action::kHost: host_us += call.host_us; break;
            case Action::kSynchronizeStream: held.insert(held.end(), mine.begin(), mine.end()); break;
            case Action::kWait: {
              const auto& others = before_event.at(call.event);
              awaited[call.stream].insert(awaited[call.stream].end(), others.begin(), others.end());
              break;
            }
            case Action::kSynchronizeDevice:
              for (const auto& [stream, commands] : in_stream)
                held.insert(held.end(), commands.begin(), commands.end());
              break;
            case Action::kKernel:
            case Action::kCopy:
              for (const auto* earlier : {&mine, &awaited[call.stream], &held}) follows(call.label, *earlier);
              EXPECT_GE(static_cast<double>(spans_.at(call.label).left) + 1, host_us * mhz) << call.label;
              mine.push_back(call.label);
              if (call.holds_thread()) held.push_back(call.label);
          }
        }
      }
    }
  }

  /// One stream's commands never overlap, nor those of the default stream with those of blocking streams; in the order
  /// of the calls, where one thread makes both.
  void streamsTakeTurns() const {
    for (const Application& application : program_.applications) {
      struct Command {
        std::size_t thread;
        const Call* call;
      };
      std::vector<Command> commands;
      for (std::size_t t = 0; t < application.threads.size(); ++t) {
        for (const Call& call : application.threads[t]) {
          if (call.is_command()) commands.push_back({t, &call});
        }
      }
      const auto takes_turns = [&](const Call& one, const Call& other) {
        if (one.stream == other.stream) return true;
        const std::string &a = application.streams[one.stream].kind, &b = application.streams[other.stream].kind;
        return (a == "default" && b.empty()) || (b == "default" && a.empty());
      };
      for (std::size_t i = 0; i < commands.size(); ++i) {
        for (std::size_t k = i + 1; k < commands.size(); ++k) {
          if (!takes_turns(*commands[i].call, *commands[k].call)) continue;
          const Span &one = spans_.at(commands[i].call->label), &other = spans_.at(commands[k].call->label);
          const bool in_order = one.known <= other.left, reversed = other.known <= one.left;
          EXPECT_TRUE(in_order || (reversed && commands[i].thread != commands[k].thread))
              << commands[i].call->label << " and " << commands[k].call->label;
        }
      }
    }
  }

  void everyByteIsCountedWhereItPasses() const {
    std::map<std::string, std::uint64_t> bytes;
    std::uint64_t accesses = 0;
    const std::uint64_t packet = number("/configuration/copy_engine/packet");
    const bool linked = number("/configuration/host_link/lanes") > 0;
    for (const Application& application : program_.applications) {
      for (const auto& thread : application.threads) {
        for (const Call& call : thread) {
          if (call.action != Action::kCopy) continue;
          bytes[call.kind] += call.bytes;
          if (call.kind != "memset" && !(linked && call.kind == "host_to_device"))
            accesses += lines(call.from, call.bytes, packet);
          if (!(linked && call.kind == "device_to_host")) accesses += lines(call.to, call.bytes, packet);
        }
      }
    }
    if (bytes.empty()) return;
    const std::uint64_t in = bytes["host_to_device"], out = bytes["device_to_host"];
    EXPECT_EQ(number("/copying/engines/host_read_bytes"), linked ? in : 0);
    EXPECT_EQ(number("/copying/link/to_device_bytes"), linked ? in : 0);
    EXPECT_EQ(number("/copying/host_memory/read_bytes"), linked ? in : 0);
    EXPECT_EQ(number("/copying/engines/host_written_bytes"), linked ? out : 0);
    EXPECT_EQ(number("/copying/link/to_host_bytes"), linked ? out : 0);
    EXPECT_EQ(number("/copying/host_memory/written_bytes"), linked ? out : 0);
    EXPECT_EQ(number("/copying/engines/device_read_bytes"), out + bytes["device_to_device"] + (linked ? 0 : in));
    EXPECT_EQ(number("/copying/engines/device_written_bytes"),
              in + bytes["device_to_device"] + bytes["memset"] + (linked ? 0 : out));
    std::uint64_t of_applications = 0;
    for (const Json& application : result_.at("applications"))
      of_applications += application.at("copies").at("bytes").get<std::uint64_t>();
    EXPECT_EQ(of_applications, in + out + bytes["device_to_device"] + bytes["memset"]);
    const Json& distributor = result_.at("configuration").at("work_distributor");
    if (distributor.at("application") == "time_sliced" &&
        distributor.at("time_sliced").at("instruction_preemption") == true) {
      return;  // the state of preempted blocks goes there too
    }
    // Every access of an SM and of a copy engine crosses the crossbar and comes to a slice, once, and is answered.
    const std::uint64_t requests = number("/total/memory/requests") + accesses;
    EXPECT_EQ(number("/noc/crossbar_requests/packets"), requests);
    EXPECT_EQ(number("/noc/crossbar_replies/packets"), requests);
    EXPECT_EQ(number("/l2/total/reads") + number("/l2/total/writes") + number("/l2/total/atomics"), requests);
  }

 private:
  std::uint64_t number(const char* pointer) const {
    return result_.at(Json::json_pointer(pointer)).get<std::uint64_t>();
  }
  /// Pieces of lines in the packets of a copy.
  static std::uint64_t lines(std::uint64_t address, std::uint64_t bytes, std::uint64_t packet) {
    std::uint64_t count = 0;
    for (const std::uint64_t end = address + bytes; address < end; address = std::min(end, address + packet)) {
      const std::uint64_t last = std::min(end, address + packet) - 1;
      count += last / 128 - address / 128 + 1;
    }
    return count;
  }
  void follows(const std::string& later, const std::vector<std::string>& earlier) const {
    for (const std::string& label : earlier) {
      EXPECT_GE(spans_.at(later).left, spans_.at(label).known) << later << " goes before the end of " << label;
    }
  }

  const RandomProgram& program_;
  const Json& result_;
  std::map<std::string, Span> spans_;
};

class HostPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(HostPrograms, DoWhatTheirCallsAskForWhateverTheWindow) {
  RandomProgram program(GetParam());
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", program.text());
  std::vector<std::string> options = program.options();
  options.insert(options.end(), {"--window", "1"});
  const FinishedRun run = run_workload(input, options);
  ASSERT_EQ(run.outcome.code, 0) << program.text();
  SCOPED_TRACE(program.text());
  const Checker checker(program, run.result);
  checker.everyCommandEndedOnce();
  if (HasFailure()) return;
  checker.commandsKeepTheOrderOfTheirCalls();
  checker.streamsTakeTurns();
  checker.everyByteIsCountedWhereItPasses();
  for (const char* window : {"4", "0"}) {
    options.back() = window;
    const FinishedRun other = run_workload(input, options);
    EXPECT_EQ(other.result_text, run.result_text) << "window " << window;
    EXPECT_EQ(other.blocks_text, run.blocks_text) << "window " << window;
    EXPECT_EQ(other.copies_text, run.copies_text) << "window " << window;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, HostPrograms, testing::Range<std::uint64_t>(1, 41));

}  // namespace
}  // namespace gputlm
