// Replays of captured programs: a run of the model, written in the form of a profiler and read again, is repeated to the cycle.
#include <gmock/gmock.h>

#include <map>

#include "tests/integration/program.h"
#include "tests/integration/random_numbers.h"
#include "tests/support/nsight_export.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kBegin = 1'000'000;  // of the recording, before which nothing happens [ns]

/// Kernels that spin, on streams of all kinds and priorities; threads that launch them, record events, let streams wait
/// for these, and wait themselves.
class RandomSpins : private RandomNumbers {
 public:
  struct Call {
    enum class Kind { kLaunch, kRecord, kWait, kHost, kSynchronizeStream, kSynchronizeDevice, kSynchronizeEvent } kind;
    unsigned stream = 0, event = 0, kernel = 0;
    std::string label = {};
    unsigned nanoseconds = 0;
    unsigned line = 0;  ///< in the text
  };
  struct Kernel {
    unsigned blocks, threads, spin_ns;
  };
  struct Stream {
    bool is_default, non_blocking;
  };

  explicit RandomSpins(std::uint64_t seed) : RandomNumbers(seed) {
    // Kernels of several streams have room beside each other: what they cost each other is part of what was measured, and
    // a replay takes each for alone.
    const unsigned many = number(1, 4);
    for (unsigned k = 0, count = number(1, 4); k < count; ++k)
      kernels.push_back(
          {many > 1 ? number(1, 30) : number(1, 300), 32 * number(1, many > 1 ? 8 : 16), number(200, 20'000)});
    for (unsigned s = 0; s < many; ++s) {
      const bool is_default = s == 0 && number(0, 2) == 0;
      streams.push_back({is_default, !is_default && number(0, 2) == 0});
    }
    unsigned label = 0, event = 0;
    std::vector<unsigned> recorded;
    for (unsigned t = 0, count = number(1, 3); t < count; ++t) {
      std::vector<Call> calls{host(t), launch(label)};
      for (unsigned c = 0, most = number(4, 25); c < most; ++c) {
        const unsigned which = number(0, 99);
        const unsigned stream = number(0, static_cast<unsigned>(streams.size()) - 1);
        if (which < 50) {
          calls.push_back(launch(label));
        } else if (which < 62) {
          recorded.push_back(event);
          calls.push_back({Call::Kind::kRecord, stream, event++});
        } else if (which < 72 && !recorded.empty()) {
          calls.push_back({Call::Kind::kWait, stream, recorded[number(0, static_cast<unsigned>(recorded.size()) - 1)]});
        } else if (which < 78 && !recorded.empty()) {
          calls.push_back(
              {Call::Kind::kSynchronizeEvent, 0, recorded[number(0, static_cast<unsigned>(recorded.size()) - 1)]});
          calls.push_back(host(t));
        } else if (which < 84) {
          calls.push_back({Call::Kind::kSynchronizeStream, stream});
          calls.push_back(host(t));
        } else if (which < 88) {
          calls.push_back({Call::Kind::kSynchronizeDevice});
          calls.push_back(host(t));
        } else {
          calls.push_back(host(t));
        }
      }
      recorded.clear();  // by threads before it, none waits for a later one
      threads.push_back(std::move(calls));
    }
    for (unsigned s = 0; s < streams.size(); ++s) {
      threads[0].push_back(launch(label));
      threads[0].back().stream = s;
    }
  }

  std::string text() {
    std::string text = "kernels:\n";
    unsigned line = 1;
    const auto add = [&](const std::string& what) {
      text += what + "\n";
      return ++line;
    };
    for (std::size_t k = 0; k < kernels.size(); ++k)
      add("  k" + std::to_string(k) + ": {grid: " + std::to_string(kernels[k].blocks) +
          ", block: " + std::to_string(kernels[k].threads) +
          ", registers: 16, program: [spin: {us: " + std::to_string(kernels[k].spin_ns / 1e3) + "}]}");
    add("applications:");
    add("  - name: a");
    add("    streams:");
    for (std::size_t s = 0; s < streams.size(); ++s)
      add("      - {name: stream " + std::to_string(id(s)) + (streams[s].is_default ? ", default: true" : "") +
          (streams[s].non_blocking ? ", non_blocking: true" : "") + "}");
    add("    threads:");
    for (std::size_t t = 0; t < threads.size(); ++t) {
      add("      - name: t" + std::to_string(t));
      add("        calls:");
      for (Call& call : threads[t]) {
        call.line = line + 1;
        add("          - {" + text_of(call) + "}");
      }
    }
    return text;
  }

  /// 7 is that of the default stream, whether or not it is used.
  unsigned id(std::size_t stream) const { return streams[stream].is_default ? 7 : 13 + static_cast<unsigned>(stream); }

  std::vector<Kernel> kernels;
  std::vector<Stream> streams;
  std::vector<std::vector<Call>> threads;

 private:
  Call launch(unsigned& label) {
    Call made{Call::Kind::kLaunch, number(0, static_cast<unsigned>(streams.size()) - 1)};
    made.kernel = number(0, static_cast<unsigned>(kernels.size()) - 1);
    made.label = "c" + std::to_string(label++);
    return made;
  }
  /// No two threads make a call at the same time: which of two such calls is first, no profiler says.
  Call host(unsigned thread) {
    Call made{Call::Kind::kHost};
    made.nanoseconds = 3 * number(1, 5'000) + thread;
    return made;
  }
  std::string text_of(const Call& call) const {
    const std::string stream = "stream: stream " + std::to_string(id(call.stream)),
                      event = "e" + std::to_string(call.event);
    switch (call.kind) {
      case Call::Kind::kLaunch: return stream + ", kernel: k" + std::to_string(call.kernel) + ", label: " + call.label;
      case Call::Kind::kRecord: return stream + ", record: " + event;
      case Call::Kind::kWait: return stream + ", wait: " + event;
      case Call::Kind::kHost: return "host_us: " + std::to_string(call.nanoseconds / 1e3);
      case Call::Kind::kSynchronizeStream: return stream + ", synchronize: stream";
      case Call::Kind::kSynchronizeDevice: return "synchronize: device";
      case Call::Kind::kSynchronizeEvent: return "synchronize: event, event: " + event;
    }
    return "";
  }
};

struct Times {
  std::int64_t start = 0, end = 0;
};

/// Times of kernels by label, in cycles of a nanosecond.
std::map<std::string, Times> kernels_of(const Json& result) {
  std::map<std::string, Times> times;
  for (const Json& kernel : result.at("kernels"))
    times[kernel.at("kernel")] = {kernel.at("first_block_cycle"), kernel.at("end_cycle")};
  return times;
}

/// Times of calls by line.
std::map<unsigned, Times> calls_of(const Json& timeline) {
  std::map<unsigned, Times> times;
  for (const Json& event : timeline.at("traceEvents")) {
    if (!event.contains("args") || !event.at("args").contains("line") || event.at("ph") != "X") continue;
    const auto ns = [&](const char* key) { return std::llround(event.at(key).get<double>() * 1e3); };
    times[event.at("args").at("line")] = {ns("ts"), ns("ts") + ns("dur")};
  }
  return times;
}

class Programs : public testing::Test {
 protected:
  /// Runs on a GPU with a cycle of a nanosecond, so that a profiler's times are exact.
  Json run(const std::string& input, const std::string& out, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run",   input,
                                       "--gpu", "rtx2060",
                                       "--set", "core_mhz=1000",
                                       "--out", folder.path(out),
                                       "--set", "work_distributor.priorities=2",
                                       "--set", "sm.model=blocks"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    log += outcome.out + outcome.err;
    return Json::parse(read_file(folder.path(out + "/result.json")));
  }

  /// What the run did, as Nsight Systems would have recorded it. Gives the kernels the labels that the reader will.
  void record(const RandomSpins& program, const Json& result, const Json& timeline, const std::string& path) {
    using Kind = RandomSpins::Call::Kind;
    const auto kernels = kernels_of(result);
    const auto calls = calls_of(timeline);
    NsightExport file(NsightVersion::k2026_2);
    file.gpu();
    std::vector<captured::Thread> threads;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      threads.push_back(file.thread(100, 100 + static_cast<std::uint32_t>(t), "t" + std::to_string(t)));
    std::vector<captured::Stream> streams;
    for (std::size_t s = 0; s < program.streams.size(); ++s) {
      const auto& stream = program.streams[s];
      streams.push_back(file.stream(program.id(s), 0,
                                    stream.is_default     ? captured::StreamKind::kNull
                                    : stream.non_blocking ? captured::StreamKind::kNonBlocking
                                                          : captured::StreamKind::kDefault));
    }
    std::map<unsigned, captured::Record> records;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      for (const RandomSpins::Call& call : program.threads[t]) {
        const auto made_at = calls.find(call.line);
        if (call.kind == Kind::kHost || made_at == calls.end()) continue;  // the run has ended before it was made
        const Times at = made_at->second;
        const captured::Call made{kBegin + at.start, at.end - at.start};
        switch (call.kind) {
          case Kind::kLaunch: {
            const Times times = kernels.at(call.label);
            const auto& kernel = program.kernels[call.kernel];
            file.launch(threads[t], made, streams[call.stream],
                        captured::kernel(call.label, {kernel.blocks}, {kernel.threads}).with_registers(16),
                        {kBegin + times.start, kBegin + times.end});
            break;
          }
          case Kind::kRecord:
            records.emplace(call.event, file.record_event(threads[t], made, streams[call.stream], call.event + 1));
            break;
          case Kind::kWait: file.wait_event(threads[t], made, streams[call.stream], records.at(call.event)); break;
          case Kind::kSynchronizeEvent: file.synchronize_event(threads[t], made, records.at(call.event)); break;
          case Kind::kSynchronizeStream: file.synchronize_stream(threads[t], made, streams[call.stream]); break;
          case Kind::kSynchronizeDevice: file.synchronize_device(threads[t], made); break;
          case Kind::kHost: break;
        }
      }
    }
    file.write(path);
  }

  TestFolder folder;
  std::string log;
};

class RandomPrograms : public Programs, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(RandomPrograms, WhatTheModelDidIsDoneAgainToTheCycle) {
  for (std::uint64_t seed = GetParam() * 10; seed < (GetParam() + 1) * 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSpins program(seed);
    const std::string text = program.text();
    SCOPED_TRACE(text);
    const Json made =
        run(folder.write("w.yaml", text), "made", {"--force", "--probe", "timeline", "--set", "host.call_cycles=6"});
    record(program, made, Json::parse(read_file(folder.path("made/timeline.json"))), folder.path("c.sqlite"));
    const auto before = kernels_of(made);
    const Json again = run(folder.path("c.sqlite"), "again", {"--force"});
    const auto after = kernels_of(again);
    ASSERT_EQ(before.size(), after.size());
    std::int64_t shift = 0;  // time 0 is the first call
    bool first = true;
    for (const auto& [label, times] : before) {
      const Times other = after.at(label);
      if (first) shift = other.start - times.start;
      first = false;
      EXPECT_EQ(other.start - shift, times.start) << label;
      EXPECT_EQ(other.end - shift, times.end) << label;
    }
    if (HasFailure()) FAIL() << log;
    log.clear();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range<std::uint64_t>(0, 5));
INSTANTIATE_TEST_SUITE_P(Nightly, RandomPrograms, testing::Range<std::uint64_t>(5, 40));

/// A step of two kernels and a wait between streams, again and again, whose host waits for each.
void write_steps(const std::string& path, const std::string& name, unsigned steps, std::int64_t lasts) {
  NsightExport file(NsightVersion::k2026_2);
  file.gpu();
  const auto thread = file.thread(100);
  const auto one = file.stream(13), other = file.stream(14);
  std::int64_t at = kBegin;
  for (unsigned s = 0; s < steps; ++s) {
    const std::int64_t begin = at;
    file.launch(thread, {at, 3'000}, one, captured::kernel(name + "_first", {60}, {256}),
                {at + 8'000, at + 8'000 + lasts});
    const auto record = file.record_event(thread, {at + 4'000, 1'000}, one, s + 1);
    file.wait_event(thread, {at + 6'000, 1'000}, other, record);
    const std::int64_t second = at + 10'000 + lasts;
    file.launch(thread, {at + 8'000, 3'000}, other, captured::kernel(name + "_second", {30}, {128}),
                {second, second + lasts});
    file.synchronize_stream(thread, {at + 12'000, second + lasts + 4'000 - at - 12'000}, other);
    at = second + lasts + 9'000;
    file.push_pop(thread, {"step"}, {begin, at - 1'000});
  }
  file.write(path);
}

class TwoPrograms : public Programs {
 protected:
  Json run_workload(const std::string& text) {
    write_steps(folder.path("a.sqlite"), "a", 5, 40'000);
    write_steps(folder.path("b.sqlite"), "b", 4, 90'000);
    return run(folder.write("w.yaml", text), "out", {"--force"});
  }
  static std::string applications(const std::string& of_a = "", const std::string& of_b = "") {
    return "applications:\n  - {capture: a.sqlite, jobs: step" + of_a + "}\n  - {capture: b.sqlite, jobs: step" + of_b +
           "}\n";
  }
  static void expect_all(const Json& result) {
    EXPECT_EQ(result.at("kernels").size(), 2u * 5 + 2u * 4);
    std::map<std::string, int> jobs;
    for (const Json& task : result.at("responses").at("tasks")) jobs[task.at("application")] = task.at("jobs");
    EXPECT_THAT(jobs, testing::ElementsAre(testing::Pair("a", 5), testing::Pair("b", 4)));
  }
  static std::int64_t end_of(const Json& result, const std::string& application) {
    std::int64_t end = 0;
    for (const Json& kernel : result.at("kernels")) {
      if (kernel.at("application") == application) end = std::max<std::int64_t>(end, kernel.at("end_cycle"));
    }
    return end;
  }
};

TEST_F(TwoPrograms, OfOneGpuHaveAllTheirKernelsAndJobsHoweverTheyShareIt) {
  const Json together = run_workload(applications());
  expect_all(together);
  const Json sliced = run_workload("settings: {work_distributor.application: time_sliced}\n" + applications());
  expect_all(sliced);
  const Json preferred = run_workload(applications(", priority: -1"));
  expect_all(preferred);
  EXPECT_LE(end_of(preferred, "a"), end_of(sliced, "a"));
  const Json divided = run_workload("instances: {x: {gpcs: 1, channels: 4}, y: {gpcs: 1, channels: 4}}\n" +
                                    applications(", instance: x", ", instance: y"));
  expect_all(divided);
}

TEST_F(TwoPrograms, OnTheCommandLineAreTwoApplications) {
  write_steps(folder.path("a.sqlite"), "a", 5, 40'000);
  write_steps(folder.path("b.sqlite"), "b", 4, 90'000);
  const Outcome outcome = run_program({"run", folder.path("a.sqlite"), folder.path("b.sqlite"), "--gpu", "rtx2060",
                                       "--out", folder.path("out"), "--job-range", "step"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_all(Json::parse(read_file(folder.path("out/result.json"))));
}

TEST_F(Programs, AKernelThatTakesTwiceAsLongMovesAllThatIsBehindIt) {
  write_steps(folder.path("a.sqlite"), "a", 3, 40'000);
  const Json measured = run(folder.path("a.sqlite"), "measured");
  ASSERT_EQ(run_program({"convert", folder.path("a.sqlite"), "--gpu", "rtx2060", "--set", "core_mhz=1000", "-o",
                         folder.path("a.yaml")})
                .code,
            0);
  std::string text = read_file(folder.path("a.yaml"));
  EXPECT_EQ(kernels_of(run(folder.path("a.yaml"), "converted")).size(), 6u);
  const std::size_t kernel = text.find("a_first:"), spin = text.find("us: ", kernel) + 4;
  const double us = std::stod(text.substr(spin));
  text.replace(spin, text.find_first_not_of("0123456789.", spin) - spin, std::to_string(2 * us));
  const auto before = kernels_of(measured), after = kernels_of(run(folder.write("longer.yaml", text), "longer"));
  const auto longer = static_cast<std::int64_t>(us * 1e3);
  for (int step = 1; step <= 3; ++step) {
    const std::string first = "a_first#" + std::to_string(step), second = "a_second#" + std::to_string(step);
    EXPECT_NEAR(after.at(first).start - before.at(first).start, (step - 1) * longer, 3)
        << "the host waited for the step before";
    EXPECT_NEAR(after.at(second).start - before.at(second).start, step * longer, 3)
        << "its stream waited for the event";
  }
}

}  // namespace
}  // namespace gputlm
