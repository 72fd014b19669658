#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Kind = HostCall::Kind;

/// An application whose lines from 5 on are `streams`, and then more.
Workload load_application(const std::string& text) {
  return load_text(kKernels + ("applications:\n  - name: a\n" + text));
}
std::string application_error(const std::string& text) {
  return workload_error(kKernels + ("applications:\n  - name: a\n" + text));
}

std::vector<std::pair<Kind, StreamId>> calls_of(const ThreadSpec& thread) {
  std::vector<std::pair<Kind, StreamId>> calls;
  for (const HostCall& call : thread.calls) calls.emplace_back(call.kind, call.stream);
  return calls;
}

TEST(WorkloadFile, AStreamOfCommandsHasAThreadOfItsOwn) {
  const Workload workload = load_application(
      "    streams:\n"
      "      - name: s\n"
      "        default: true\n"
      "        commands: [k, {kernel: other, repeat: 2}, {record: e}, {host_us: 1.5}, {synchronize: stream},\n"
      "                   {malloc: x, bytes: 4KiB}, {free: x}, {kernel: k, cache_config: l1}]\n"
      "      - {name: t, non_blocking: true, commands: [{wait: e}, k]}\n"
      "      - {name: u, launches: [k]}\n");
  EXPECT_EQ(workload.streams[0].kind, StreamKind::kDefault);
  EXPECT_EQ(workload.streams[1].kind, StreamKind::kNonBlocking);
  EXPECT_EQ(workload.streams[2].kind, StreamKind::kBlocking);
  ASSERT_EQ(workload.threads.size(), 2u);
  EXPECT_THAT(calls_of(workload.threads[0]),
              ElementsAre(std::pair(Kind::kLaunch, 0u), std::pair(Kind::kLaunch, 0u), std::pair(Kind::kLaunch, 0u),
                          std::pair(Kind::kRecordEvent, 0u), std::pair(Kind::kHostFunction, 0u),
                          std::pair(Kind::kSynchronizeStream, 0u), std::pair(Kind::kSynchronizeDevice, 0u),
                          std::pair(Kind::kSynchronizeDevice, 0u), std::pair(Kind::kLaunch, 0u)));
  EXPECT_EQ(workload.launches[workload.threads[0].calls[8].what].cache_config, CacheConfig::kL1);
  EXPECT_EQ(workload.threads[0].calls[4].time, 1'500'000'000u);
  EXPECT_THAT(calls_of(workload.threads[1]),
              ElementsAre(std::pair(Kind::kWaitEvent, 1u), std::pair(Kind::kLaunch, 1u)));
  for (const ThreadSpec& thread : workload.threads) {
    for (const HostCall& call : thread.calls) {
      if (call.kind == Kind::kLaunch) {
        EXPECT_EQ(workload.launches[call.what].stream, call.stream);
      }
    }
  }
  EXPECT_EQ(workload.launches[workload.threads[0].calls[2].what].kernel->name, "other");
}

TEST(WorkloadFile, ThreadsCallStreamsByName) {
  const Workload workload = load_application(
      "    streams: [{name: s}, {name: t, priority: -1}]\n"
      "    threads:\n"
      "      - {name: main, calls: [{stream: t, kernel: k}, {stream: s, kernel: other, label: x}, {host_us: 3}]}\n"
      "      - {name: more, calls: [{stream: s, record: e}, {stream: t, wait: e}, {stream: s, synchronize: "
      "stream}]}\n");
  ASSERT_EQ(workload.threads.size(), 2u);
  EXPECT_EQ(workload.threads[0].name, "main");
  EXPECT_THAT(calls_of(workload.threads[0]), ElementsAre(std::pair(Kind::kLaunch, 1u), std::pair(Kind::kLaunch, 0u),
                                                         std::pair(Kind::kHostFunction, 0u)));
  EXPECT_EQ(workload.launches[workload.threads[0].calls[1].what].label, "x");
  EXPECT_THAT(calls_of(workload.threads[1]),
              ElementsAre(std::pair(Kind::kRecordEvent, 0u), std::pair(Kind::kWaitEvent, 1u),
                          std::pair(Kind::kSynchronizeStream, 0u)));
}

TEST(WorkloadFile, EventsBelongToTheirApplication) {
  const std::string text = "streams: [{name: s, commands: [{record: e}, k]}]}";
  const Workload workload = load_text(kKernels + ("applications: [{name: a, " + text + ", {name: b, " + text + "]"));
  ASSERT_EQ(workload.events.size(), 2u);
  EXPECT_EQ(workload.events[1].application, 1u);
}

TEST(WorkloadErrors, OfWhatTheHostDoesNameLineFoundAndAllowed) {
  const auto commands = [](const std::string& list) {
    return application_error("    streams: [{name: s, commands: [k, " + list + "]}]\n");
  };
  EXPECT_THAT(commands("{wait: e}"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("event 'e', which no call records")));
  EXPECT_THAT(commands("{wait: e}, {record: e}"), HasSubstr("wait for each other (event 'e' in line 6)"));
  EXPECT_THAT(commands("{record: e}, {record: e}"), HasSubstr("recorded a second time"));
  EXPECT_THAT(commands("{sleep: 1}"), HasSubstr("found none of 'kernel', 'record', 'wait', 'host_us'"));
  EXPECT_THAT(commands("{synchronize: world}"), AllOf(HasSubstr("world"), HasSubstr("stream, device")));
  EXPECT_THAT(commands("{stream: s, record: e}"), HasSubstr("stream"));
  EXPECT_THAT(commands("{free: x}"), HasSubstr("'x' is not allocated"));
  EXPECT_THAT(commands("{malloc: x, bytes: 1}, {malloc: x, bytes: 1}"), HasSubstr("'x' is allocated already"));
  EXPECT_THAT(commands("{kernel: k, cache_config: l2}"), HasSubstr("l2"));
  EXPECT_THAT(application_error("    streams: [{name: s, launches: [k], commands: [k]}]\n"), HasSubstr("not both"));
  EXPECT_THAT(application_error("    streams: [{name: s, default: true, non_blocking: true, launches: [k]}]\n"),
              HasSubstr("not both"));
  EXPECT_THAT(application_error("    streams: [{name: s, default: true, launches: [k]},\n"
                                "              {name: t, default: true, launches: [k]}]\n"),
              AllOf(StartsWith("w.yaml:7: "), HasSubstr("a second stream of the application is its default stream")));
  EXPECT_THAT(application_error("    relaunch: true\n    streams: [{name: s, commands: [{host_us: 1}]}]\n"),
              HasSubstr("launches nothing"));
}

TEST(WorkloadErrors, OfThreadsNameLineFoundAndAllowed) {
  const auto threads = [](const std::string& calls) {
    return application_error(
        "    streams: [{name: stream}, {name: t, launches: [k]}]\n    threads: [{name: m, calls: [" + calls + "]}]\n");
  };
  EXPECT_THAT(threads("{stream: strem, kernel: k}"),
              AllOf(StartsWith("w.yaml:7: "), HasSubstr("no stream of the application is named 'strem'; did you mean "
                                                        "'stream'?")));
  EXPECT_THAT(threads("{stream: stream, kernel: k}, {stream: t, kernel: k}"),
              HasSubstr("a thread calls stream 't', which has"));
  EXPECT_THAT(threads("{host_us: 1}"), HasSubstr("no thread calls stream 'stream'"));
  EXPECT_THAT(threads("k"), HasSubstr("needs 'stream'"));
  EXPECT_THAT(threads("{kernel: k}"), HasSubstr("'stream' is missing"));
  EXPECT_THAT(threads("{record: e}"), HasSubstr("stream"));
}

}  // namespace
}  // namespace gputlm
