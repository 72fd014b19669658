#include "platform/programs/program_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "platform/input/nearest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using CallKind = MeasuredCall::Kind;

class Selector {
 public:
  Selector(const Program& program, const ProgramSelection& selection)
      : program_(program), selection_(selection), kept_(program.commands.size(), true) {}

  Program select() {
    if (!selection_.process.empty()) keep_process();
    if (selection_.from || selection_.to) keep_time();
    if (selection_.kernels) keep_kernels();
    if (!selection_.range.empty()) keep_range();
    if (std::none_of(kept_.begin(), kept_.end(), [](bool kept) { return kept; }))
      throw InputError(program_.path + ": the selected part is empty");
    copy_what_stays();
    return std::move(out_);
  }

 private:
  void keep(std::size_t command, bool stays) { kept_[command] = kept_[command] && stays; }

  void keep_process() {
    std::set<std::uint64_t> processes;
    for (const MeasuredStream& stream : program_.streams) processes.insert(stream.process);
    std::set<std::uint64_t> wanted;
    std::vector<std::string> names;
    std::size_t place = 0;
    for (const std::uint64_t process : processes) {
      const std::string& name = program_.process_names[place++];
      names.push_back(name);
      if (name == selection_.process || std::to_string(process) == selection_.process) wanted.insert(process);
    }
    if (wanted.empty())
      throw InputError(program_.path + ": no process is called '" + shortened(selection_.process) + "'" +
                       suggestion(selection_.process, names));
    for (std::size_t c = 0; c < kept_.size(); ++c)
      keep(c, wanted.count(program_.streams[program_.commands[c].stream].process) > 0);
  }

  void keep_time() {
    const Nanoseconds first = program_.commands.front().start;
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      const Nanoseconds at = program_.commands[c].start - first;
      keep(c, at >= selection_.from.value_or(0) && (!selection_.to || at < *selection_.to));
    }
  }

  void keep_kernels() {
    std::size_t kernels = 0;
    for (const MeasuredCommand& command : program_.commands) kernels += command.kernel() != nullptr;
    std::size_t number = 1;  // number of the kernel that the copy belongs to
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      keep(c, selection_.kernels(std::min(number, kernels)));
      if (program_.commands[c].kernel()) ++number;
    }
  }

  void keep_range() {
    std::vector<const MeasuredRange*> ranges;
    for (const MeasuredRange& range : program_.ranges) {
      if (range.name == selection_.range) ranges.push_back(&range);
    }
    if (ranges.empty()) throw InputError(unknown_range(program_, selection_.range));
    std::vector<bool> in(kept_.size(), false);
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.kind != CallKind::kCommands) continue;
        if (std::none_of(ranges.begin(), ranges.end(), [&](const auto* range) { return is_in(*range, thread, call); }))
          continue;
        for (std::optional<std::size_t> c = call.what; c; c = program_.commands[*c].next) in[*c] = true;
      }
    }
    for (std::size_t c = 0; c < kept_.size(); ++c) keep(c, in[c]);
  }

  void copy_what_stays() {
    out_.path = program_.path;
    out_.gpu = program_.gpu;
    out_.shares = program_.shares;
    out_.ranges = program_.ranges;
    out_.profiles = program_.profiles;
    out_.notes = program_.notes;
    out_.warnings = program_.warnings;
    std::vector<std::size_t> stream_of(program_.streams.size(), kNone), command_of(kept_.size(), kNone);
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      if (kept_[c]) stream_of[program_.commands[c].stream] = 0;
    }
    std::set<std::uint64_t> all, processes;
    for (const MeasuredStream& stream : program_.streams) all.insert(stream.process);
    for (std::size_t s = 0; s < stream_of.size(); ++s) {
      if (stream_of[s] == kNone) continue;
      stream_of[s] = out_.streams.size();
      out_.streams.push_back(program_.streams[s]);
      processes.insert(program_.streams[s].process);
    }
    std::size_t place = 0;
    for (const std::uint64_t process : all) {
      const std::string& name = program_.process_names[place++];
      if (processes.count(process) > 0) out_.process_names.push_back(name);
    }
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      if (!kept_[c]) continue;
      command_of[c] = out_.commands.size();
      out_.commands.push_back(program_.commands[c]);
      out_.commands.back().stream = stream_of[program_.commands[c].stream];
      first_ = std::min(first_, program_.commands[c].called.value_or(program_.commands[c].start));
      last_ = std::max(last_, program_.commands[c].end);
    }
    for (MeasuredCommand& command : out_.commands) {  // the next kept command of the same call
      while (command.next && command_of[*command.next] == kNone) command.next = program_.commands[*command.next].next;
      if (command.next) command.next = command_of[*command.next];
    }
    copy_calls(stream_of, command_of);
  }

  void copy_calls(const std::vector<std::size_t>& stream_of, const std::vector<std::size_t>& command_of) {
    for (const MeasuredThread& thread : program_.threads) {
      MeasuredThread part{thread.process, thread.id, thread.name, {}};
      for (const MeasuredCall& call : thread.calls) {
        MeasuredCall made = call;
        if (call.kind == CallKind::kCommands) {
          std::optional<std::size_t> first = call.what;
          while (first && command_of[*first] == kNone) first = program_.commands[*first].next;
          if (!first) continue;
          made.what = command_of[*first];
          made.stream = out_.commands[made.what].stream;
        } else if (call.start < first_ || call.start > last_ || stream_of[call.stream] == kNone) {
          continue;
        } else {
          made.stream = stream_of[call.stream];
        }
        part.calls.push_back(made);
      }
      if (!part.calls.empty()) out_.threads.push_back(std::move(part));
    }
    number_events();
  }

  /// Numbers the events recorded in the part; waits for others are dropped.
  void number_events() {
    std::vector<std::size_t> number(program_.events, kNone);
    for (const MeasuredThread& thread : out_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.kind == CallKind::kRecordEvent) number[call.what] = out_.events++;
      }
    }
    for (MeasuredThread& thread : out_.threads) {
      const auto goes = [&](const MeasuredCall& call) {
        const bool waits = call.kind == CallKind::kWaitEvent || call.kind == CallKind::kSynchronizeEvent;
        return waits && number[call.what] == kNone;
      };
      thread.calls.erase(std::remove_if(thread.calls.begin(), thread.calls.end(), goes), thread.calls.end());
      for (MeasuredCall& call : thread.calls) {
        const bool of_event = call.kind == CallKind::kRecordEvent || call.kind == CallKind::kWaitEvent ||
                              call.kind == CallKind::kSynchronizeEvent;
        if (of_event) call.what = number[call.what];
      }
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  const Program& program_;
  const ProgramSelection& selection_;
  std::vector<bool> kept_;  ///< whether each command is kept
  Nanoseconds first_ = INT64_MAX, last_ = INT64_MIN;
  Program out_;
};

}  // namespace

Program selected(const Program& program, const ProgramSelection& selection) {
  return selection.is_all() ? program : Selector(program, selection).select();
}

std::string unknown_range(const Program& program, const std::string& name) {
  std::vector<std::string> names;
  for (const MeasuredRange& range : program.ranges) names.push_back(range.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) return program.path + ": has no ranges (NVTX, user_annotation), found '" + shortened(name) + "'";
  return program.path + ": no range is called '" + shortened(name) + "'" + suggestion(name, names);
}

bool is_in(const MeasuredRange& range, const MeasuredThread& thread, const MeasuredCall& call) {
  return range.process == thread.process && (!range.thread || *range.thread == thread.id) &&
         call.start >= range.start && call.start <= range.end;
}

}  // namespace gputlm
