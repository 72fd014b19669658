/// Descriptions of a program in words, for tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/programs/program.h"

namespace gputlm {

inline std::vector<std::string> labels(const Program& program) {
  std::vector<std::string> all;
  for (const MeasuredCommand& command : program.commands) all.push_back(command.label);
  return all;
}

/// "2 commands end before they start; they are left out (CUPTI_ACTIVITY_KIND_KERNEL, row 3)"
inline std::vector<std::string> notes(const Program& program) {
  std::vector<std::string> all;
  for (const ProgramNote& note : program.notes)
    all.push_back(fmt::format("{} {} ({})", note.count, note.what, note.first));
  return all;
}

inline const MeasuredCommand& command_of(const Program& program, const std::string& label) {
  const auto found = std::find_if(program.commands.begin(), program.commands.end(),
                                  [&](const MeasuredCommand& c) { return c.label == label; });
  if (found == program.commands.end()) throw std::logic_error("no command is called " + label);
  return *found;
}

inline const MeasuredKernel& kernel_of(const Program& program, const std::string& label) {
  return std::get<MeasuredKernel>(command_of(program, label).what);
}

inline const MeasuredStream& stream_of(const Program& program, std::uint64_t id) {
  const auto found =
      std::find_if(program.streams.begin(), program.streams.end(), [&](const MeasuredStream& s) { return s.id == id; });
  if (found == program.streams.end()) throw std::logic_error(fmt::format("there is no stream {}", id));
  return *found;
}

/// "60 x 2 x 1"
inline std::string text_of(const Dim3& shape) { return fmt::format("{} x {} x {}", shape.x, shape.y, shape.z); }

/// The calls of all threads, in words: "gemm", "event 0 in 13", "14 waits for event 0", "waits for 14", "waits for the device".
inline std::vector<std::string> calls(const Program& program) {
  using Kind = MeasuredCall::Kind;
  std::vector<std::string> all;
  for (const MeasuredThread& thread : program.threads) {
    for (const MeasuredCall& call : thread.calls) {
      const std::uint64_t stream = program.streams.at(call.stream).id;
      switch (call.kind) {
        case Kind::kCommands: all.push_back(program.commands.at(call.what).label); break;
        case Kind::kRecordEvent: all.push_back(fmt::format("event {} in {}", call.what, stream)); break;
        case Kind::kWaitEvent: all.push_back(fmt::format("{} waits for event {}", stream, call.what)); break;
        case Kind::kSynchronizeStream: all.push_back(fmt::format("waits for {}", stream)); break;
        case Kind::kSynchronizeDevice: all.push_back("waits for the device"); break;
        case Kind::kSynchronizeEvent: all.push_back(fmt::format("waits for event {}", call.what)); break;
      }
    }
  }
  return all;
}

}  // namespace gputlm
