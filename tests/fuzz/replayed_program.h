/// Checks the properties of a program that was read from a capture, and processes it as far as no simulation is needed.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "platform/input/preset.h"
#include "platform/programs/replay.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {

/// Checks that commands are in the order of their starts, and that they and the calls refer only to what exists.
inline void check(const Program& program) {
  std::set<std::string> labels;
  const auto earlier = [](const MeasuredCommand& a, const MeasuredCommand& b) { return a.start < b.start; };
  require(std::is_sorted(program.commands.begin(), program.commands.end(), earlier), "commands are out of order");
  for (const MeasuredCommand& command : program.commands) {
    require(command.start > 0 && command.start <= command.end, "a command ends before it starts");
    require(command.stream < program.streams.size(), "a command of no stream");
    require(!command.called || *command.called <= command.start, "a command starts before it is called for");
    require(!command.next || *command.next < program.commands.size(), "a command behind the last");
    require(labels.insert(command.label).second, "two commands are called " + command.label);
    if (const MeasuredKernel* kernel = command.kernel(); kernel && kernel->share)
      require(*kernel->share < program.shares.size(), "a kernel of no share");
  }
  for (const MeasuredThread& thread : program.threads) {
    require(!thread.calls.empty(), "a thread without calls");
    for (const MeasuredCall& call : thread.calls) {
      require(call.start <= call.entered && call.entered <= call.end, "a call ends before it starts");
      require(call.stream < program.streams.size(), "a call of no stream");
      const bool of_commands = call.kind == MeasuredCall::Kind::kCommands;
      const bool of_event = call.kind == MeasuredCall::Kind::kRecordEvent ||
                            call.kind == MeasuredCall::Kind::kWaitEvent ||
                            call.kind == MeasuredCall::Kind::kSynchronizeEvent;
      require(!of_commands || call.what < program.commands.size(), "a call of no command");
      require(!of_event || call.what < program.events, "a call of no event");
    }
  }
}

/// Replays it in each way; this throws InputError only if it has no calls or no ranges.
inline void use(const Program& program) {
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  check(program);
  for (const Release release : {Release::kProgram, Release::kLaunch, Release::kStart, Release::kNone}) {
    if (release == Release::kProgram && program.threads.empty()) continue;
    ProgramRun run;
    run.release = release;
    run.measured_sms = 4;
    if (release != Release::kNone && !program.ranges.empty()) run.jobs = program.ranges.front().name;
    const Workload workload = replayed({program}, {"input"}, run, gpu);
    require(workload.launches.size() + workload.copies.size() == program.commands.size(), "commands got lost");
    use(workload);
  }
}

}  // namespace gputlm::fuzz
