// Random host programs with kernels, copies, memsets, events, waits, synchronization, default and non-blocking streams,
// priorities, threads and applications; their results must match the calls.

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/integration/program.h"
#include "tests/integration/random_host_program.h"
#include "tlm/base/time.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

/// When a command left the host and when the host knew that it had ended.
struct Span {
  std::uint64_t left = 0, known = 0;
};

class Checker {
 public:
  Checker(const RandomHostProgram& program, const Json& result) : program_(program), result_(result) {
    for (const auto& [list, label] : {std::pair{"kernels", "kernel"}, {"copies", "copy"}}) {
      if (!result.contains(list)) continue;
      for (const Json& command : result.at(list)) {
        const Span span{command.at("submitted_cycle"), command.at("notified_cycle")};
        EXPECT_TRUE(spans_.emplace(command.at(label), span).second) << command.at(label) << " ended twice";
      }
    }
  }

  void every_command_ended_once() const {
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

  void commands_keep_the_order_of_their_calls() const {
    const double mhz = this->mhz();
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
              for (const auto* earlier : {&mine, &awaited[call.stream], &held}) follows(call, *earlier);
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
  void streams_take_turns() const {
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

  void every_byte_is_counted_where_it_passes() const {
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
    EXPECT_EQ(result_.at("copying").contains("link"), linked);
    const std::uint64_t in = bytes["host_to_device"], out = bytes["device_to_host"];
    EXPECT_EQ(number("/copying/engines/host_read_bytes"), linked ? in : 0);
    if (linked) {
      EXPECT_EQ(number("/copying/link/to_device_bytes"), in);
      EXPECT_EQ(number("/copying/host_memory/read_bytes"), in);
    }
    EXPECT_EQ(number("/copying/engines/host_written_bytes"), linked ? out : 0);
    if (linked) {
      EXPECT_EQ(number("/copying/link/to_host_bytes"), out);
      EXPECT_EQ(number("/copying/host_memory/written_bytes"), out);
    }
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
  double mhz() const { return result_.at("configuration").at("core_mhz").get<double>(); }
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
  /// A command goes its delay after what it waits for.
  void follows(const Call& later, const std::vector<std::string>& earlier) const {
    const Cycle delay = Clock::from_mhz(mhz()).at_or_after(later.delay_ns * Femtoseconds{1000000});
    for (const std::string& label : earlier) {
      EXPECT_GE(spans_.at(later.label).left, spans_.at(label).known + delay)
          << later.label << " goes before the end of " << label << " and its delay";
    }
  }

  const RandomHostProgram& program_;
  const Json& result_;
  std::map<std::string, Span> spans_;
};

class HostPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(HostPrograms, DoWhatTheirCallsAskForWhateverTheWindow) {
  RandomHostProgram program(GetParam());
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", program.text());
  std::vector<std::string> options = program.options();
  options.insert(options.end(), {"--window", "1"});
  const FinishedRun run = run_workload(input, options);
  ASSERT_EQ(run.outcome.code, 0) << program.text();
  SCOPED_TRACE(program.text());
  const Checker checker(program, run.result);
  checker.every_command_ended_once();
  if (HasFailure()) return;
  checker.commands_keep_the_order_of_their_calls();
  checker.streams_take_turns();
  checker.every_byte_is_counted_where_it_passes();
  for (const char* window : {"4", "0"}) {
    options.back() = window;
    const FinishedRun other = run_workload(input, options);
    EXPECT_EQ(other.result_text, run.result_text) << "window " << window;
    EXPECT_EQ(other.blocks_text, run.blocks_text) << "window " << window;
    EXPECT_EQ(other.copies_text, run.copies_text) << "window " << window;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, HostPrograms, testing::Range<std::uint64_t>(1, 21));
INSTANTIATE_TEST_SUITE_P(Nightly, HostPrograms, testing::Range<std::uint64_t>(21, 81));

}  // namespace
}  // namespace gputlm
