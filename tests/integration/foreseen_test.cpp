// Blocks that only spin are not sent to the SMs if no observer needs them, and repetitions are computed once. Everything that
// is visible from outside is the same as if every block were sent, as --check-protocol does.

#include <gmock/gmock.h>

#include "tests/integration/program.h"
#include "tests/integration/random_numbers.h"

namespace gputlm {
namespace {

using Options = std::vector<std::string>;

/// Timelines: kernels of a few blocks and of thousands, in several streams of several applications, on a GPU of a few SMs;
/// and all that may come between the blocks of a kernel.
class RandomTimeline : private RandomNumbers {
 public:
  /// `kPreempt`: several take turns, and their blocks are taken off the SMs.
  enum class Applications : std::uint8_t { kAny, kPreempt };

  explicit RandomTimeline(std::uint64_t seed, Applications applications = Applications::kAny)
      : RandomNumbers(seed), preempt_(applications == Applications::kPreempt) {}

  std::string text() {
    const unsigned kernels = number(1, 4);
    std::string text = "kernels:\n";
    for (unsigned k = 0; k < kernels; ++k) text += kernel(k);
    text += "applications:\n";
    const bool relaunch = chance(10);
    for (unsigned a = 0, applications = preempt_ ? number(2, 4) : number(1, 3); a < applications; ++a) {
      text += "  - name: a" + std::to_string(a) + "\n" + (relaunch ? "    relaunch: true\n" : "") +
              one_of({"", "", "    time_slice_us: 3\n", "    time_slice_us: 50\n", "    timeslice_priority: high\n",
                      "    sm_percent: 50\n"}) +
              "    streams:\n";
      for (unsigned s = 0, streams = number(1, 3); s < streams; ++s) {
        text += "      - {name: s" + std::to_string(s) + ", priority: " + one_of({"0", "0", "-1"}) + ", launches: [";
        for (unsigned l = 0, launches = number(1, 4); l < launches; ++l)
          text += (l ? ", " : "") + launch(number(0, kernels - 1), relaunch);
        text += "]}\n";
      }
      if (!relaunch && chance(40)) text += copies();
    }
    return text;
  }

  Options settings() {
    const unsigned sms = number(2, 8);
    Options all{"--gpu", one_of({"rtx2060", "a100", "gtx480"})};
    const auto set = [&](const std::string& key, const std::vector<std::string>& values) {
      all.push_back("--set");
      all.push_back(key + "=" + one_of(values));
    };
    set("sm.model", {"blocks"});
    set("sms", {std::to_string(sms)});
    set("sms_per_gpc", {std::to_string(number(1, sms))});
    set("copy_engine.detail", {"4MiB"});
    set("sm.launch_fetch_latency", {"0", "452", "5000"});
    const std::string in = "work_distributor.";
    set(in + "priorities", {"2"});
    const std::string application =
        preempt_ ? "time_sliced" : one_of({"concurrent", "concurrent", "time_sliced", "partitioned", "exclusive"});
    set(in + "application", {application});
    if (preempt_) {
      set(in + "time_sliced.time_slice_us", {"2", "7", "20", "60"});
      set(in + "time_sliced.instruction_preemption", {"true"});
      set(in + "time_sliced.learn", {"true", "true", "false"});
      set(in + "time_sliced.switch_us", {"0", "0", "3"});
    } else if (application == "time_sliced") {
      set(in + "time_sliced.time_slice_us", {"5", "30", "1000"});
      set(in + "time_sliced.instruction_preemption", {"false", "false", "false", "true"});
    }
    set(in + "kernel_order",
        {"leftover", "leftover", "leftover", "mpmax", "sjf", "ljf", "srtf", "srtf_adaptive", "srtf_zero_sampling"});
    set(in + "placement", {"most_room", "round_robin"});
    set(in + "division", {"room", "launch", "launch_tpc"});
    set("sm.driver_shared_memory", {"0", "1024"});
    set(in + "host_ns", {"0", "425"});
    set(in + "dispatch_interval", {"1", "1", "2", "7", "40"});
    set(in + "dispatch_width", {"1", "1", "2", "5"});
    set(in + "launch_latency", {"20", "20", "21", "33", "5"});
    set(in + "kernel_launch_latency", {"0", "1062"});
    set(in + "kernel_completion_latency", {"0", "700"});
    if (chance(25)) all.insert(all.end(), {"--max-cycles", std::to_string(number(1000, 400000))});
    return all;
  }

  Options way() {
    const std::vector<Options> ways = {{}, {"--window", std::to_string(number(1, 5))}, {"--threads", "2"}};
    return ways[number(0, 2)];
  }

 private:
  bool preempt_;

  std::string kernel(unsigned index) {
    const std::string spin =
        one_of({"ns: " + std::to_string(number(1, 300)), "ns: " + std::to_string(number(300, 5000)),
                "us: " + std::to_string(number(1, 20))});
    return "  k" + std::to_string(index) + ": {grid: " +
           one_of({"1", std::to_string(number(2, 60)), std::to_string(number(100, preempt_ ? 200 : 1000)),
                   std::to_string(preempt_ ? number(200, 1000) : number(1000, 6000))}) +
           ", block: " + one_of({"32", "64", "100", "128", "256", "512"}) +
           ", registers: " + one_of({"16", "32", "64"}) + ", shared_memory: " + one_of({"0", "0", "4096", "16384"}) +
           one_of({"", "", "", ", variation: {spread: 0.3}"}) + ", program: [spin: {" + spin +
           one_of({"", "", ", ns_per_sm: " + std::to_string(number(1, 90))}) + "}]}\n";
  }

  std::string copies() {
    std::string calls;
    for (unsigned c = 0, copies = number(2, 12); c < copies; ++c) {
      calls += (c ? ", " : "") + one_of({"{host_us: " + std::to_string(number(1, 200)) + "}, ", "", ""}) +
               "{stream: " + (c % 2 == 0 ? "up" : "down") +
               ", copy: " + one_of({"host_to_device", "device_to_host", "device_to_device"}) +
               ", from: 0x100000, to: 0x40000000, bytes: " + one_of({"64", "4KiB", "40KiB", "300KiB", "3MiB"}) + "}";
    }
    return "      - {name: up}\n      - {name: down}\n    threads: [{name: main, calls: [" + calls + "]}]\n";
  }

  std::string launch(unsigned kernel, bool relaunch) {
    return "{kernel: k" + std::to_string(kernel) + ", alone_cycles: " + std::to_string(number(1, 20000)) +
           ", release_us: " + one_of({"0", "0", "1.37", "50", std::to_string(number(1, 400))}) +
           one_of({"", "", ", cache_config: l1", ", cache_config: shared",
                   relaunch ? "" : ", repeat: 3, period_us: 20, deadline_us: 5"}) +
           "}";
  }
};

Options with(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

/// What a run prints as JSON, with what its warnings say: the bytes of result.json.
std::string result_of(const std::string& input, const Options& options) {
  const Outcome outcome = run_program(with({"run", input, "--json"}, options));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

class RandomTimelines : public testing::TestWithParam<unsigned> {};

void expect_as_if_sent(std::uint64_t seed, RandomTimeline::Applications applications) {
  const TestFolder folder;
  RandomTimeline random(seed, applications);
  const std::string input = folder.write("timeline.yaml", random.text());
  const Options options = random.settings();
  ASSERT_EQ(result_of(input, with(options, random.way())), result_of(input, with(options, {"--check-protocol"})))
      << "seed " << seed << " " << testing::PrintToString(options) << "\n"
      << read_file(input);
}

TEST_P(RandomTimelines, AreAsIfEveryBlockWereSent) {
  for (unsigned seed = 8 * GetParam(); seed < 8 * (GetParam() + 1); ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_as_if_sent(seed, RandomTimeline::Applications::kAny));
}

TEST_P(RandomTimelines, AreSoWhereBlocksAreTakenOffTheSms) {
  for (unsigned seed = 8 * GetParam(); seed < 8 * (GetParam() + 1); ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_as_if_sent(seed, RandomTimeline::Applications::kPreempt));
}

INSTANTIATE_TEST_SUITE_P(Foreseen, RandomTimelines, testing::Range(0u, 3u));
INSTANTIATE_TEST_SUITE_P(Nightly, RandomTimelines, testing::Range(3u, 12u));

TEST(Foreseen, BlocksAreWrittenAsIfTheyWereSent) {
  using Applications = RandomTimeline::Applications;
  for (unsigned seed = 1000; seed < 1008; ++seed) {
    const TestFolder folder;
    RandomTimeline random(seed, seed % 2 == 0 ? Applications::kAny : Applications::kPreempt);
    const std::string input = folder.write("timeline.yaml", random.text());
    const Options options = with({"--timeline-detail", "none", "--probe", "slices"}, random.settings());
    const auto files = [&](const std::string& name, const Options& more) {
      const Outcome outcome = run_program(with({"run", input, "--out", folder.path(name)}, with(options, more)));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    };
    files("foreseen", random.way());
    files("sent", {"--check-protocol"});
    for (const char* const name : {"blocks.csv", "predictions.csv", "slices.csv", "kernels.csv", "result.json"}) {
      ASSERT_TRUE(read_file(folder.path("foreseen/") + name) == read_file(folder.path("sent/") + name))
          << name << ", seed " << seed << " " << testing::PrintToString(options) << "\n"
          << read_file(input);
    }
  }
}

TEST(Foreseen, AKernelIsCutWhereverARunEnds) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml",
                                         "kernels: {k: {grid: 20000, block: 128, program: [spin: {ns: 700}]}}\n"
                                         "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  for (unsigned end = 1000; end < 60000; end = end * 3 / 2 + 1) {
    const Options options{"--gpu", "rtx2060", "--set", "sm.model=blocks", "--max-cycles", std::to_string(end)};
    ASSERT_EQ(result_of(input, options), result_of(input, with(options, {"--check-protocol"}))) << end;
  }
}

TEST(Foreseen, SamplesAndChartsSeeEveryBlock) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml",
                                         "kernels: {k: {grid: 3000, block: 128, program: [spin: {ns: 700}]}}\n"
                                         "applications: [{name: a, streams: [{name: s, launches: [k, k]}]}]\n");
  const auto files = [&](const std::string& name, const Options& more) {
    const Outcome outcome = run_program(with(
        {"run", input, "--gpu", "rtx2060", "--set", "sm.model=blocks", "--out", folder.path(name), "--series", "1us"},
        more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::vector<std::string>{read_file(folder.path(name + "/series.csv")),
                                    read_file(folder.path(name + "/timeline.json"))};
  };
  EXPECT_EQ(files("plain", {}), files("checked", {"--check-protocol"}));
}

}  // namespace
}  // namespace gputlm
