/// A part of a program: one process, a time interval, some kernels, or the commands called for in ranges of a name.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "platform/programs/program.h"

namespace gputlm {

struct ProgramSelection {
  std::string process = {};  ///< name or id of the process; empty: all
  std::optional<Nanoseconds> from =
      std::nullopt;  ///< start of the first command to keep, relative to the program's first
  std::optional<Nanoseconds> to = std::nullopt;  ///< commands from this start on are left out
  std::function<bool(std::size_t number)>
      kernels;             ///< kernels by number, from 1; a copy goes with the kernel that follows it
  std::string range = {};  ///< commands called for in ranges of this name; empty: all

  bool is_all() const { return process.empty() && !from && !to && !kernels && range.empty(); }
};

/// Keeps labels. Waits for events whose recording is not selected are dropped. Throws InputError, with a list of what exists,
/// if there is no such process or range, or if nothing is selected.
Program selected(const Program& program, const ProgramSelection& selection);

/// The message for a range that the program does not have.
std::string unknown_range(const Program& program, const std::string& name);
/// Whether the thread made the call within the range.
bool is_in(const MeasuredRange& range, const MeasuredThread& thread, const MeasuredCall& call);

}  // namespace gputlm
