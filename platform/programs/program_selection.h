/// A part of a program: of a process, of a time, some of its kernels, or what was called for in ranges of a name.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "platform/programs/program.h"

namespace gputlm {

struct ProgramSelection {
  std::string process = {};                        ///< its name, or its id; empty: all
  std::optional<Nanoseconds> from = std::nullopt;  ///< commands that begin so long after the first one,
  std::optional<Nanoseconds> to = std::nullopt;    ///< and before this
  std::function<bool(std::size_t number)>
      kernels;             ///< by their number, from 1; a copy goes with the kernel that follows it
  std::string range = {};  ///< commands called for in ranges of this name; empty: all

  bool is_all() const { return process.empty() && !from && !to && !kernels && range.empty(); }
};

/// Labels stay. Waits for events that are recorded in no part of it are over. Throws InputError, whose message says what there
/// is, if there is no such process or range, or nothing in the part.
Program selected(const Program& program, const ProgramSelection& selection);

/// The message for a range that the program does not have.
std::string unknown_range(const Program& program, const std::string& name);
/// Whether the call, of a thread, was made in the range.
bool is_in(const MeasuredRange& range, const MeasuredThread& thread, const MeasuredCall& call);

}  // namespace gputlm
