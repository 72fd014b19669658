/// Every command of the DRAM channels as a line of commands.csv (docs/memory.md).
#include <fmt/format.h>

#include <iterator>

#include "models/dram/controller.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Commands final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto channels = site.units<DramController>("DRAM controller");
    csv_ = &site.file("commands.csv");
    // `cycle`: of the command clock; the commands of a channel are in its order. `row`: of the request that the command
    // is for; empty if it is for none. A refresh is of all banks, whatever `bank` says.
    csv_->write("cycle,channel,command,bank,row\n");
    for (std::size_t i = 0; i < channels.size(); ++i) {
      site.watch(*channels[i], channels[i]->core().commands, [this, i](const IssuedCommand& c) { write(i, c); });
    }
  }

 private:
  void write(std::size_t channel, const IssuedCommand& c) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{},{},{},{},", c.at, channel, name_of(c.command), c.bank);
    if (c.row != kNoRow) fmt::format_to(std::back_inserter(line_), "{}", c.row);
    line_.push_back('\n');
    csv_->write({line_.data(), line_.size()});
  }

  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER { add_probe<Commands>("commands", "commands.csv: every command of the DRAM channels", 30); }

}  // namespace
}  // namespace gputlm
