/// Every command of a channel as a line of a CSV file, as the run goes.
#pragma once

#include <fmt/format.h>

#include <iterator>

#include "models/dram/controller_core.h"
#include "platform/files/atomic_file.h"

namespace gputlm {

class CommandLog final : public CommandObserver {
 public:
  CommandLog(AtomicFile& file, unsigned channel) : file_(file), channel_(channel) {}

  /// `cycle`: of the command clock; the commands of a channel are in its order. `row`: of the request that the command
  /// is for; empty if it is for none. A refresh is of all banks, whatever `bank` says.
  static constexpr const char* kHeader = "cycle,channel,command,bank,row\n";

  void command(Cycle at, Command command, unsigned bank, Row row) override {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{},{},{},{},", at, channel_, name_of(command), bank);
    if (row != kNoRow) fmt::format_to(std::back_inserter(line_), "{}", row);
    line_.push_back('\n');
    file_.write({line_.data(), line_.size()});
  }

 private:
  AtomicFile& file_;
  unsigned channel_;
  fmt::memory_buffer line_;
};

}  // namespace gputlm
