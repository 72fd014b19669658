// timeline.json (docs/timeline.md): it has what Perfetto, Chrome's viewer and speedscope need, and every event once, at its
// time.

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/integration/program.h"
#include "tlm/base/time.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

/// A time in whole nanoseconds, as in the file.
std::uint64_t ns(const Json& us) { return static_cast<std::uint64_t>(std::llround(us.get<double>() * 1000)); }

struct Slice {
  std::string process, track, name;
  std::uint64_t from = 0, to = 0;
  Json event;
  const Json& arg(const char* key) const { return event.at("args").at(key); }
  bool has(const char* key) const { return event.contains("args") && event.at("args").contains(key); }
  auto key() const { return std::tie(process, track, from); }
};

/// A run with its timeline.
struct TimelineRun {
  explicit TimelineRun(const Strings& arguments, int code = 0) {
    Strings all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--out", folder.path("out")});
    const Outcome outcome = run_program(all);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    result = Json::parse(read_file(folder.path("out/result.json")));
    text = read_file(folder.path("out/timeline.json"));
    blocks = read_blocks(folder.path("out/blocks.csv"));
    read();
  }
  std::uint64_t ns_of(Cycle cycle) const {
    return Clock::from_mhz(result.at("configuration").at("core_mhz").get<double>()).edge(cycle) / 1'000'000;
  }
  std::vector<Slice> of(const std::string& process) const {
    std::vector<Slice> found;
    std::copy_if(slices.begin(), slices.end(), std::back_inserter(found),
                 [&](const Slice& s) { return s.process == process; });
    return found;
  }

  TestFolder folder;
  Json result;
  std::string text;
  std::vector<BlockRow> blocks;
  std::vector<Slice> slices;  ///< by process, track and time
  std::vector<Json> counters, instants;

 private:
  void read() {
    const Json file = Json::parse(text);
    EXPECT_EQ(file.at("displayTimeUnit"), "ns");
    std::map<int, std::string> processes;
    std::map<std::pair<int, int>, std::string> tracks;
    for (const Json& e : file.at("traceEvents")) {
      if (e.at("ph") != "M") continue;
      if (e.at("name") == "process_name") processes[e.at("pid")] = e.at("args").at("name");
      if (e.at("name") == "thread_name") tracks[{e.at("pid"), e.at("tid")}] = e.at("args").at("name");
    }
    for (const Json& e : file.at("traceEvents")) {
      const std::string phase = e.at("ph");
      if (phase == "C") counters.push_back(e);
      if (phase == "i") instants.push_back(e);
      if (phase != "X") continue;
      const std::uint64_t from = ns(e.at("ts"));
      slices.push_back({processes.at(e.at("pid")), tracks.at({e.at("pid"), e.at("tid")}), e.at("name"), from,
                        from + ns(e.at("dur")), e});
    }
    std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.key() < b.key(); });
  }
};

const char* const kStreamsOfTwo = R"(
kernels:
  short: {grid: 40, block: 64, program: [loop: {count: 20, body: [fp32, int]}]}
  long: {grid: 20, block: 96, patterns: {p: {kind: coalesced}}, program: [loop: {count: 9, body: [load: p, fp32: 1]}]}
applications:
- name: a "quoted"
  streams:
  - {name: s, launches: [short, {kernel: short, period_us: 2, repeat: 3, deadline_us: 1}]}
  - {name: t, launches: [long]}
)";

const Strings kPreemption{"--gpu", "rtx2060",
                          "--set", "work_distributor.application=time_sliced",
                          "--set", "work_distributor.time_sliced.instruction_preemption=true",
                          "--set", "work_distributor.time_sliced.time_slice_us=5"};

/// What a run goes through: streams, two contexts under TDMA with copies and preemptions, the hand-over of SRTF, deadlines
/// under QAWS, launches again and again, pages that migrate.
std::vector<std::pair<std::string, Strings>> scenarios(const TestFolder& folder) {
  const auto with = [](Strings first, const Strings& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  };
  const std::string relaunch = folder.write("relaunch.yaml", R"(
kernels: {k: {grid: 9, block: 64, program: [loop: {count: 20, body: [fp32]}]}, l: {grid: 60, block: 64, program: [loop: {count: 90, body: [fp32]}]}}
applications:
- {name: a, relaunch: true, streams: [{name: s, launches: [k]}]}
- {name: b, streams: [{name: s, launches: [l]}]}
)");
  return {{"streams", {folder.write("streams.yaml", kStreamsOfTwo)}},
          {"contexts", with({workload_file("time_slices.yaml")}, kPreemption)},
          {"orders",
           {workload_file("kernel_orders.yaml"), "--gpu", "gtx480", "--set", "work_distributor.kernel_order=srtf",
            "--max-cycles", "30000"}},
          {"deadlines", {workload_file("deadlines.yaml"), "--set", "sm.warp_scheduler=qaws", "--max-cycles", "60000"}},
          {"relaunch", {relaunch, "--set", "sms=2"}},
          {"pages", {workload_file("unified_memory.yaml"), "--set", "mmu.enabled=true", "--max-cycles", "300000"}}};
}

TEST(Timeline, SlicesOfATrackNestOrFollowEachOther) {
  const TestFolder folder;
  for (const auto& [name, arguments] : scenarios(folder)) {
    SCOPED_TRACE(name);
    const TimelineRun run(arguments);
    ASSERT_GT(run.slices.size(), 20u);
    std::vector<const Slice*> open;
    for (const Slice& slice : run.slices) {
      if (!open.empty() && std::tie(open.back()->process, open.back()->track) != std::tie(slice.process, slice.track))
        open.clear();
      while (!open.empty() && open.back()->to <= slice.from) open.pop_back();
      if (!open.empty()) {
        ASSERT_LE(slice.to, open.back()->to)
            << slice.process << ", " << slice.track << ": " << slice.name << " in " << open.back()->name;
      }
      open.push_back(&slice);
    }
  }
}

TEST(Timeline, IsTheSameWhateverTheWindow) {
  const TestFolder folder;
  for (auto [name, arguments] : scenarios(folder)) {
    SCOPED_TRACE(name);
    const bool quick = name == "streams" || name == "relaunch" || name == "orders";
    if (quick) arguments.insert(arguments.end(), {"--timeline-detail", "warps,dram,l2"});
    const std::string largest = TimelineRun(arguments).text;
    for (const char* window : {"1", "4"}) {
      if (!quick && std::string(window) == "1") continue;  // long
      Strings with = arguments;
      with.insert(with.end(), {"--window", window});
      EXPECT_EQ(TimelineRun(with).text == largest, true) << "--window " << window;
    }
  }
}

TEST(Timeline, EveryBlockIsInItsSlotForItsTime) {
  const TestFolder folder;
  for (const auto& [name, arguments] : scenarios(folder)) {
    SCOPED_TRACE(name);
    const TimelineRun run(arguments);
    std::map<std::pair<std::string, std::uint64_t>, std::vector<const Slice*>> pieces;  // by launch and block
    for (const Slice& slice : run.slices) {
      if (slice.process.rfind("SM ", 0) != 0 || slice.has("unfinished")) continue;
      pieces[{slice.name, slice.arg("block")}].push_back(&slice);
    }
    std::uint64_t preemptions = 0;
    for (const BlockRow& row : run.blocks) {
      const auto found = pieces.find({row.kernel, row.block});
      ASSERT_NE(found, pieces.end()) << row.kernel << " " << row.block;
      std::vector<const Slice*> of_block = found->second;
      std::sort(of_block.begin(), of_block.end(), [](const Slice* a, const Slice* b) { return a->from < b->from; });
      EXPECT_EQ(of_block.front()->from, run.ns_of(row.start));
      EXPECT_EQ(of_block.back()->to, run.ns_of(row.end));
      for (std::size_t i = 0; i < of_block.size(); ++i) {
        EXPECT_EQ(of_block[i]->process, "SM " + std::to_string(row.sm));
        EXPECT_EQ(of_block[i]->track, "slot " + std::to_string(row.slot));
        EXPECT_EQ(of_block[i]->has("preempted"), i + 1 < of_block.size());
        if (i > 0) {
          EXPECT_LT(of_block[i - 1]->to, of_block[i]->from) << "its state has to be moved";
        }
      }
      preemptions += of_block.size() - 1;
      pieces.erase(found);
    }
    for (const auto& [block, rest] : pieces) {
      for (const Slice* piece : rest) EXPECT_TRUE(piece->has("preempted")) << "of a block that did not end";
    }
    if (name != "contexts") continue;
    std::uint64_t counted = 0;
    for (const Json& application : run.result.at("applications")) {
      counted += application.at("engine").at("preempted_blocks").get<std::uint64_t>();
    }
    EXPECT_EQ(preemptions, counted);
    EXPECT_GT(preemptions, 100u);
  }
}

TEST(Timeline, LaunchesAndCopiesAreInTheirStreamsWithWhatTheyWaitedFor) {
  const TestFolder folder;
  const auto all = scenarios(folder);
  for (const std::size_t i : {0, 1}) {
    const TimelineRun run(all[i].second);
    const auto streams = run.of("streams");
    const auto expect = [&](const Json& command, const std::string& name, Cycle submitted, Cycle begun, Cycle ended,
                            const char* inner) {
      const std::string track =
          command.at("application").get<std::string>() + ": " + command.at("stream").get<std::string>();
      const auto is = [&](const Slice& slice, const std::string& what, Cycle from, Cycle to) {
        return slice.track == track && slice.name == what && slice.from == run.ns_of(from) && slice.to == run.ns_of(to);
      };
      const auto found = std::count_if(streams.begin(), streams.end(), [&](const Slice& slice) {
        return is(slice, name, submitted, command.at("notified_cycle"));
      });
      EXPECT_EQ(found, 1) << name;
      EXPECT_TRUE(std::any_of(streams.begin(), streams.end(),
                              [&](const Slice& s) { return is(s, "queued", submitted, begun); }));
      EXPECT_TRUE(
          std::any_of(streams.begin(), streams.end(), [&](const Slice& s) { return is(s, inner, begun, ended); }));
    };
    std::size_t commands = 0;
    for (const Json& k : run.result.at("kernels")) {
      expect(k, k.at("kernel"), k.at("submitted_cycle"), k.at("first_block_cycle"), k.at("end_cycle"), "running");
      ++commands;
    }
    if (run.result.contains("copies")) {
      std::multiset<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> moved, told;
      for (const Json& c : run.result.at("copies")) {
        expect(c, c.at("copy"), c.at("submitted_cycle"), c.at("start_cycle"), c.at("end_cycle"), "copying");
        told.emplace("engine " + std::to_string(c.at("engine").get<int>()), c.at("copy"),
                     run.ns_of(c.at("start_cycle")), run.ns_of(c.at("end_cycle")));
        ++commands;
      }
      for (const Slice& s : run.of("copy engines")) moved.emplace(s.track, s.name, s.from, s.to);
      EXPECT_EQ(moved, told);
    }
    EXPECT_EQ(streams.size(), 3 * commands);
  }
}

TEST(Timeline, HasTheSlicesOfTheExecutionEngine) {
  const TestFolder folder;
  Strings arguments = scenarios(folder)[1].second;
  arguments.insert(arguments.end(), {"--probe", "slices"});
  const TimelineRun run(arguments);
  std::istringstream lines(read_file(run.folder.path("out/slices.csv")));
  std::multiset<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> told, shown;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string application;
    Cycle come = 0, start = 0, end = 0, off = 0;
    char comma = 0;
    std::getline(fields, application, ',');
    fields >> come >> comma >> start >> comma >> end >> comma >> off;
    told.emplace(application, application, run.ns_of(come), run.ns_of(off));
    if (come < start) told.emplace(application, "comes", run.ns_of(come), run.ns_of(start));
    if (end < off) told.emplace(application, "leaves", run.ns_of(end), run.ns_of(off));
  }
  for (const Slice& s : run.of("execution engine")) shown.emplace(s.track, s.name, s.from, s.to);
  EXPECT_EQ(shown, told);
  EXPECT_GT(told.size(), 10u);
}

TEST(Timeline, AnArrowLeadsFromACallToItsKernelToItsFirstBlock) {
  const TestFolder folder;
  const TimelineRun run(scenarios(folder)[0].second);
  std::map<std::string, std::multiset<std::string>> ends;  // by arrow
  std::map<std::string, std::set<std::string>> names;
  for (const Slice& slice : run.slices) {
    if (!slice.event.contains("bind_id")) continue;
    const std::string process = slice.process.substr(0, 2);
    const bool in = slice.event.value("flow_in", false), out = slice.event.value("flow_out", false);
    ends[slice.event.at("bind_id")].insert(process + (in ? " in" : "") + (out ? " out" : ""));
    names[slice.event.at("bind_id")].insert(process == "ho" ? slice.name.substr(7) : slice.name);
  }
  EXPECT_EQ(ends.size(), run.result.at("kernels").size());
  for (const auto& [arrow, tips] : ends) {
    EXPECT_THAT(tips, testing::ElementsAre("SM in", "ho out", "st in out"));
    EXPECT_EQ(names[arrow].size(), 1u) << "all of one launch";
  }
}

TEST(Timeline, JobsHaveTheirReleasesAndDeadlines) {
  const TestFolder folder;
  const TimelineRun run(scenarios(folder)[0].second);
  std::istringstream lines(read_file(run.folder.path("out/jobs.csv")));
  const auto jobs = run.of("jobs");
  std::string line;
  std::getline(lines, line);
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    Strings f;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
    const std::uint64_t released = run.ns_of(std::stoull(f[3]));
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Slice& s) { return s.name == f[0]; });
    ASSERT_NE(job, jobs.end());
    EXPECT_EQ(job->from, released);
    EXPECT_EQ(job->to, run.ns_of(std::stoull(f[4])));
    EXPECT_EQ(job->arg("deadline_met"), f[7] == "true");
    const auto instant = [&](const char* name, std::uint64_t at) {
      return std::any_of(run.instants.begin(), run.instants.end(), [&](const Json& e) {
        return e.at("name") == name && ns(e.at("ts")) == at && e.at("tid") == job->event.at("tid");
      });
    };
    EXPECT_TRUE(instant("release", released));
    EXPECT_TRUE(instant("deadline", released + 1000));
    ++count;
  }
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(jobs.size(), count);
}

TEST(Timeline, ChartsCountWhatIsResident) {
  const TestFolder folder;
  const TimelineRun run(scenarios(folder)[0].second);
  std::map<std::string, std::int64_t> last;
  unsigned points = 0;
  for (const Json& e : run.counters) {
    const auto value = e.at("args").at("a \"quoted\"").get<std::int64_t>();
    last[e.at("name")] = value;
    if (e.at("name") != "resident blocks") continue;
    ++points;
    const auto there = std::count_if(run.blocks.begin(), run.blocks.end(), [&](const BlockRow& row) {
      return run.ns_of(row.start) <= ns(e.at("ts")) && ns(e.at("ts")) < run.ns_of(row.end);
    });
    EXPECT_NEAR(static_cast<double>(value), static_cast<double>(there), 2) << "of two cycles in one nanosecond";
  }
  EXPECT_GT(points, 30u);
  EXPECT_THAT(last, testing::ElementsAre(testing::Pair("launches under way", 0),
                                         testing::Pair("launches waiting in streams", 0),
                                         testing::Pair("resident blocks", 0), testing::Pair("resident threads", 0)));
}

TEST(Timeline, WithTheirDetailHasEveryWarp) {
  const TestFolder folder;
  for (const std::size_t scenario : {0, 1}) {
    Strings arguments = scenarios(folder)[scenario].second;
    arguments.insert(arguments.end(), {"--timeline-detail", "warps"});
    const TimelineRun run(arguments);
    std::map<std::pair<std::string, std::uint64_t>, std::map<unsigned, std::vector<Slice>>> warps;
    for (const Slice& slice : run.slices) {
      if (slice.process.find(", warps") == std::string::npos) continue;
      EXPECT_EQ(slice.track.rfind("sub-core ", 0), 0u);
      warps[{slice.name, slice.arg("block")}][slice.arg("warp")].push_back(slice);
    }
    for (const BlockRow& row : run.blocks) {
      auto& of_block = warps.at({row.kernel, row.block});
      EXPECT_EQ(of_block.size(), (row.threads + 31) / 32);
      std::uint64_t last = 0;
      for (auto& [warp, pieces] : of_block) {
        std::sort(pieces.begin(), pieces.end(), [](const Slice& a, const Slice& b) { return a.from < b.from; });
        EXPECT_EQ(pieces.front().process, "SM " + std::to_string(row.sm) + ", warps");
        EXPECT_EQ(pieces.front().from, run.ns_of(row.start));
        EXPECT_FALSE(pieces.back().has("preempted"));
        last = std::max(last, pieces.back().to);
      }
      EXPECT_EQ(last, run.ns_of(row.end));
    }
    EXPECT_EQ(warps.size(), run.blocks.size());
  }
}

TEST(Timeline, WithTheirDetailHasWhatL2AndDramCount) {
  const TestFolder folder;
  Strings arguments = scenarios(folder)[0].second;
  arguments.insert(arguments.end(), {"--timeline-detail", "dram,l2"});
  const TimelineRun run(arguments);
  std::map<std::string, std::uint64_t> l2, dram;
  for (const Slice& slice : run.slices) {
    if (slice.process == "L2") ++l2[slice.name];
    if (slice.process.rfind("DRAM", 0) == 0) ++dram[slice.name];
  }
  const Json& caches = run.result.at("l2").at("total");
  EXPECT_EQ(l2["read hit"], caches.at("read_hits"));
  EXPECT_EQ(l2["read hit"] + l2["read miss"], caches.at("reads"));
  const Json& channels = run.result.at("dram").at("total");
  EXPECT_EQ(dram["read"], channels.at("reads"));
  EXPECT_EQ(dram["write"], channels.at("writes"));
  EXPECT_EQ(dram["refresh"], channels.at("refreshes"));
  EXPECT_EQ(dram["row open"], channels.at("activates"));
  EXPECT_GT(dram["read"], 0u);
}

TEST(Timeline, OfARunThatIsCutShowsWhatWasUnderWay) {
  const TestFolder folder;
  const TimelineRun run({folder.write("w.yaml", busy_workload(40, 400)), "--max-cycles", "2000"});
  unsigned blocks = 0, launches = 0;
  for (const Slice& slice : run.slices) {
    if (!slice.has("unfinished")) continue;
    slice.process == "streams" ? ++launches : ++blocks;
    EXPECT_LE(slice.to, run.ns_of(2000));
  }
  EXPECT_EQ(blocks, 40u);
  EXPECT_EQ(launches, 1u);
}

TEST(Timeline, IsLeftOutWhereNobodyWantsIt) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", busy_workload(4, 2));
  ASSERT_EQ(run_program({"run", input, "--out", folder.path("out"), "--timeline-detail", "none"}).code, 0);
  EXPECT_THAT(folder.files("out"), testing::Not(testing::Contains("timeline.json")));
}

TEST(Timeline, RefusesADetailThatThereIsNot) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", busy_workload(4, 2));
  const Outcome outcome = run_program({"run", input, "--out", folder.path("out"), "--timeline-detail", "l2,drma"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, testing::HasSubstr(
                               "--timeline-detail: found 'drma'; did you mean 'dram'? allowed: none, warps, l2, dram"));
}

}  // namespace
}  // namespace gputlm
