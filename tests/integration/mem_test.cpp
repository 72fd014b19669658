// `gputlm mem`: an address trace on DRAM controllers alone.

#include <chrono>
#include <map>
#include <thread>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"
#include "tests/support/address_trace_writers.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;
using Json = nlohmann::json;

struct CommandRow {
  std::uint64_t cycle = 0, channel = 0;
  std::string command;
  std::uint64_t bank = 0, row = 0;
};

std::vector<CommandRow> read_commands(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "cycle,channel,command,bank,row");
  std::vector<CommandRow> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    CommandRow row;
    char comma = 0;
    fields >> row.cycle >> comma >> row.channel >> comma;
    std::getline(fields, row.command, ',');
    fields >> row.bank >> comma;
    EXPECT_TRUE(fields) << line;
    const bool for_a_request = static_cast<bool>(fields >> row.row);  // banks are closed for a refresh, too
    if (row.command != "PRE") {
      EXPECT_EQ(for_a_request, row.command != "REF") << line;
    }
    rows.push_back(row);
  }
  return rows;
}

struct MemRun {
  Json json;
  std::string text;
  std::vector<CommandRow> commands;
};

MemRun run_mem(const std::string& trace, const Strings& options = {}) {
  const TestFolder folder;
  Strings arguments{"mem", trace, "--out", folder.path("out"), "--probe", "commands", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  MemRun run;
  if (outcome.code != 0) return run;
  EXPECT_EQ(folder.files("out"), (Strings{"commands.csv", "memory.json"}));
  run.text = read_file(folder.path("out/memory.json"));
  EXPECT_EQ(outcome.out, run.text);
  run.json = Json::parse(run.text);
  run.commands = read_commands(folder.path("out/commands.csv"));
  return run;
}

std::uint64_t count(const std::vector<CommandRow>& commands, const std::string& name) {
  return static_cast<std::uint64_t>(
      std::count_if(commands.begin(), commands.end(), [&](const CommandRow& c) { return c.command == name; }));
}

// Timing of the device gddr5, in cycles: a row takes 12 to open, and a read's data ends tCL + 2 after its command. Without
// refreshes, which would interfere.
const Strings kTiming{"--set", "dram.timing.tREFI=0", "--set", "dram.timing.tRFC=0"};

TEST(Mem, ALoneReadTakesActivateReadAndItsData) {
  const TestFolder folder;
  const MemRun run = run_mem(folder.write("t", "R 0x40\n"), kTiming);
  EXPECT_EQ(run.json.at("latency").at("reads").at("max_cycles"), 12 + 12 + 2);
  ASSERT_EQ(run.commands.size(), 2u);
  EXPECT_EQ(run.commands[0].command, "ACT");
  EXPECT_EQ(run.commands[1].command, "RD");
  EXPECT_EQ(run.commands[1].cycle, run.commands[0].cycle + 12);
  EXPECT_EQ(run.json.at("cycles").get<std::uint64_t>(), run.commands[1].cycle + 12 + 2);
}

// The latency that the player measures, against the log of commands: with one access at a time, the n-th read command
// belongs to the n-th access, which arrives n intervals after the first.
TEST(Mem, TheLatencyIsFromArrivalToTheEndOfData) {
  constexpr std::uint64_t kInterval = 150;
  Strings options = kTiming;
  options.insert(options.end(), {"--interval", std::to_string(kInterval)});
  const MemRun run = run_mem("random:300", options);
  std::vector<std::uint64_t> ends;
  for (const CommandRow& c : run.commands) {
    if (c.command == "RD") ends.push_back(c.cycle + 12 + 2);
  }
  ASSERT_EQ(ends.size(), 300u);
  ASSERT_EQ(run.commands[0].command, "ACT");
  const std::uint64_t first_arrival = run.commands[0].cycle;
  std::vector<std::uint64_t> latencies;
  for (std::size_t i = 0; i < ends.size(); ++i) latencies.push_back(ends[i] - (first_arrival + i * kInterval));
  std::sort(latencies.begin(), latencies.end());
  double sum = 0;
  for (const std::uint64_t latency : latencies) sum += static_cast<double>(latency);
  const Json& reads = run.json.at("latency").at("reads");
  EXPECT_DOUBLE_EQ(reads.at("mean_cycles").get<double>(), sum / 300);
  EXPECT_EQ(reads.at("min_cycles"), latencies.front());
  EXPECT_EQ(reads.at("p50_cycles"), latencies[149]);
  EXPECT_EQ(reads.at("p99_cycles"), latencies[296]);
  EXPECT_EQ(reads.at("max_cycles"), latencies.back());
}

TEST(Mem, EveryAccessIsServedOnceForItsApplication) {
  const TestFolder folder;
  std::string text;
  std::map<std::string, std::uint64_t> expected;
  for (unsigned i = 0; i < 5000; ++i) {
    const unsigned mixed = i * 2654435761u;
    const unsigned application = mixed >> 30, write = mixed >> 29 & 1;
    text += std::string(write ? "W " : "R ") + std::to_string(mixed >> 8) + " " + std::to_string(application) + "\n";
    ++expected[std::to_string(application) + (write ? "writes" : "reads")];
  }
  const std::string plain = folder.write("t", text);
  for (const std::string scheduler : {"fcfs", "fr_fcfs", "fr_rr_fcfs"}) {
    for (const std::string channels : {"1", "3"}) {
      const MemRun run = run_mem(plain, {"--channels", channels, "--set", "dram.scheduler=" + scheduler});
      EXPECT_EQ(run.json.at("accesses"), 5000);
      for (const auto& [application, entry] : run.json.at("applications").items()) {
        for (const char* kind : {"reads", "writes"}) {
          EXPECT_EQ(entry.at("latency").at(kind).at("accesses"), expected[application + kind]) << application << kind;
        }
      }
      EXPECT_EQ(run.json.at("channels").size(), std::stoul(channels));
      EXPECT_EQ(count(run.commands, "RD"), run.json.at("total").at("reads"));
      EXPECT_EQ(count(run.commands, "WR"), run.json.at("total").at("writes"));
      EXPECT_EQ(count(run.commands, "ACT"), run.json.at("total").at("activates"));
      EXPECT_EQ(count(run.commands, "PRE"), run.json.at("total").at("precharges"));
      EXPECT_EQ(count(run.commands, "RD") + count(run.commands, "WR"), 5000u);
    }
  }
}

TEST(Mem, ACompressedTraceAndItsTextAreTheSame) {
  const TestFolder folder;
  std::string text;
  for (unsigned i = 0; i < 20000; ++i) text += written::ramulator2_line(i * 7919, false);
  MemRun plain = run_mem(folder.write("t", text)), packed = run_mem(folder.write("t.xz", xz(text)));
  plain.json.erase("trace");
  packed.json.erase("trace");
  EXPECT_EQ(plain.json, packed.json);
}

TEST(Mem, TheSameTraceGivesTheSameBytes) {
  EXPECT_EQ(run_mem("mix:3000").text, run_mem("mix:3000").text);
  EXPECT_NE(run_mem("mix:3000").json.at("cycles"), run_mem("mix:3000", {"--seed", "2"}).json.at("cycles"));
}

TEST(Mem, ATimeStampIsTheEarliestIssue) {
  const TestFolder folder;
  const MemRun run = run_mem(folder.write("t", "0: read 0x0\n70000: read 0x100000\n5: read 0x200000\n"));
  std::vector<std::uint64_t> activates;
  for (const CommandRow& c : run.commands) {
    if (c.command == "ACT") activates.push_back(c.cycle);
  }
  ASSERT_EQ(activates.size(), 3u);
  EXPECT_GE(activates[1], activates[0] + 70000);
  EXPECT_LT(activates[2], activates[0] + 70100) << "in the order of the trace, as soon as it is allowed";
}

TEST(Mem, CyclesOfATraceWithAClockOfItsOwnAreTimes) {
  const TestFolder folder;
  // The command clock of gddr5 has 924 MHz (a period of 1,082,251 fs); 100 cycles of 100 MHz are 1 us.
  const std::string trace =
      folder.write("t.stl", written::dramsys_line(0, 0, false) + written::dramsys_line(100, 0x100000, false));
  const auto begins = [&](const Strings& options) {
    const MemRun run = run_mem(trace, options);
    std::vector<std::uint64_t> activates;
    for (const CommandRow& c : run.commands) {
      if (c.command == "ACT") activates.push_back(c.cycle);
    }
    return activates.at(1) - activates.at(0);
  };
  EXPECT_EQ(begins({}), 100u);
  EXPECT_EQ(begins({"--trace-mhz", "100"}), 925u);
}

TEST(Mem, CyclesOfARelativeTraceCountFromTheIssueOfTheAccessBefore) {
  const TestFolder folder;
  const std::string text = written::dramsys_line(1000, 0, false) + written::dramsys_line(100, 0x100000, false) +
                           written::dramsys_line(0, 0x200000, true);
  const auto activates = [&](const char* name) {
    std::vector<std::uint64_t> cycles;
    for (const CommandRow& c : run_mem(folder.write(name, text)).commands) {
      if (c.command == "ACT") cycles.push_back(c.cycle);
    }
    return cycles;
  };
  const auto relative = activates("t.rstl"), absolute = activates("t.stl");
  EXPECT_EQ(relative.at(1) - relative.at(0), 100u);
  EXPECT_LT(absolute.at(1) - absolute.at(0), 100u) << "the second is late from the beginning";
}

TEST(Mem, OneOutstandingAccessNeverMeetsAnother) {
  Strings one = kTiming;
  one.insert(one.end(), {"--outstanding", "1"});
  const MemRun run = run_mem("random:500", one);
  const Json& reads = run.json.at("latency").at("reads");
  // At most a precharge, an activate and a read: nobody waits for anybody else.
  EXPECT_EQ(reads.at("max_cycles"), 12 + 12 + 12 + 2);
  // More of them wait, and share the cycles.
  for (const char* outstanding : {"16", "64"}) {
    const MemRun more = run_mem("random:500", {"--outstanding", outstanding});
    EXPECT_GT(more.json.at("latency").at("reads").at("mean_cycles").get<double>(), reads.at("mean_cycles"));
    EXPECT_LT(more.json.at("cycles").get<double>(), run.json.at("cycles").get<double>() / 4);
  }
}

TEST(Mem, AnAccessOfSeveralBurstsEndsWithItsLast) {
  const MemRun run = run_mem("stream:64", {"--bytes", "128"});
  EXPECT_EQ(run.json.at("accesses"), 64);
  EXPECT_EQ(run.json.at("total").at("reads"), 128);
  const Outcome text = run_program({"mem", "stream:64", "--bytes", "128"});
  EXPECT_NE(text.out.find("64 (128 bytes each)"), std::string::npos) << text.out;
}

TEST(Mem, TheBaseProtocolHolds) {
  for (const char* trace : {"mix:20000", "stream:20000"}) {
    const Outcome outcome = run_program({"mem", trace, "--channels", "3", "--check-protocol"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("no violation in 20000 transactions"), std::string::npos) << outcome.err;
  }
}

TEST(Mem, AnInterruptLeavesWhatWasReachedMarkedIncomplete) {
  const TestFolder folder;
  StartedProgram program({"mem", "random:1000000000000", "--out", folder.path("out"), "--json"});
  for (int i = 0; i < 1000 && folder.files("out").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.err.find("interrupted at cycle"), std::string::npos) << outcome.err;
  const Json json = Json::parse(read_file(folder.path("out/memory.json")));
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("state"), "interrupted");
  EXPECT_GT(json.at("accesses"), 0);
}

struct BadMem {
  std::string name;
  Strings arguments;
  Strings parts;
};
void PrintTo(const BadMem& c, std::ostream* out) { *out << c.name; }

class MemBadInput : public testing::TestWithParam<BadMem> {};

TEST_P(MemBadInput, IsRejectedAndLeavesNoFile) {
  const TestFolder folder;
  folder.write("cut", "R 0x40\nR 0x8");
  folder.write("bad", "R 0x40\nR 0x80\nread 0x40\n");
  folder.write("none", "# nothing\n\n");
  std::string many;
  for (unsigned i = 0; i < 100000; ++i) many += "R " + std::to_string(i * 7919 % 100000) + "\n";
  const std::string packed = xz(many);
  folder.write("cut.xz", packed.substr(0, packed.size() / 2));
  folder.write("late", many + "oops\n");
  Strings arguments{"mem"};
  for (const std::string& argument : GetParam().arguments) {
    arguments.push_back(argument.rfind('@', 0) == 0 ? folder.path(argument.substr(1)) : argument);
  }
  arguments.insert(arguments.end(), {"--out", folder.path("out"), "--probe", "commands"});
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& part : GetParam().parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "`" << part << "` is not in: " << outcome.err;
  EXPECT_EQ(folder.files("out"), Strings{});
}

INSTANTIATE_TEST_SUITE_P(
    All, MemBadInput,
    testing::Values(
        BadMem{"CutLine", {"@cut"}, {"cut:2: ", "cut off here"}},
        BadMem{"CutXz", {"@cut.xz"}, {"cut.xz: ", "truncated"}},
        BadMem{"Malformed", {"@bad"}, {"bad:3: found 'read 0x40', allowed: "}},
        BadMem{"MalformedLate", {"@late"}, {"late:100001: found 'oops', allowed: "}},
        BadMem{"Empty", {"@none"}, {"none", "no access"}}, BadMem{"Missing", {"@missing"}, {"missing", "opened"}},
        BadMem{"Generator", {"random:0"}, {"random:0: found '0' accesses, allowed: 1 to "}},
        BadMem{"ZeroBanks", {"stream:9", "--set", "dram.banks=0"}, {"dram.banks", "found '0'", "a power of two"}},
        BadMem{"OddBanks", {"stream:9", "--set", "dram.banks=12"}, {"dram.banks", "found '12'", "a power of two"}},
        BadMem{"OddRow", {"stream:9", "--set", "dram.row_bytes=3000"}, {"dram.row_bytes", "found '3000'"}},
        BadMem{"Groups", {"stream:9", "--set", "dram.banks=4", "--set", "dram.bank_groups=8"}, {"dram.bank_groups"}},
        BadMem{"NoChannel", {"stream:9", "--channels", "0"}, {"--channels", "found '0'", "1 to 256"}},
        BadMem{"Contradiction",
               {"stream:9", "--set", "dram.timing.tRAS=50"},
               {"dram.timing.tRC must be at least dram.timing.tRAS", "40 and 50"}},
        BadMem{"LongBurst", {"stream:9", "--set", "dram.timing.tCCDS=1"}, {"dram.timing.tCCDS must be at least the 2"}},
        BadMem{"AddressMap", {"stream:9", "--set", "dram.address_map=rbc"}, {"dram.address_map"}},
        BadMem{"Device", {"stream:9", "--dram", "gddr55"}, {"--dram gddr55", "did you mean 'gddr5'"}},
        BadMem{"DeviceFile", {"stream:9", "--dram", "/no/such.yaml"}, {"/no/such.yaml"}},
        BadMem{"NotDram", {"stream:9", "--set", "sm.warps=4"}, {"--set sm.warps=4", "allowed", "dram"}},
        BadMem{"SmallAccess", {"stream:9", "--bytes", "32"}, {"--bytes", "found 32", "allowed", "128"}},
        BadMem{"OddAccess", {"stream:9", "--bytes", "96"}, {"--bytes", "found 96", "allowed", "128"}},
        BadMem{"NoBytes", {"random:1", "--bytes", "0"}, {"--bytes", "found 0", "allowed", "128"}},
        BadMem{"TogetherWithThePreset",
               {"stream:9", "--set", "dram.timing.tRAS=9"},
               {"--set dram.timing.tRAS=9: ", "dram.timing.tRCDRD set at platform/input/presets/dram/gddr5.yaml:"}},
        BadMem{"Number", {"stream:9", "--outstanding", "x"}, {"--outstanding", "found 'x'"}}),
    [](const auto& test) { return test.param.name; });

TEST(Mem, CommandsNeedAFolder) {
  const Outcome outcome = run_program({"mem", "stream:9", "--probe", "commands"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--out"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace gputlm
