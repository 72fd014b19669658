/// Every command of the DRAM channels as a line of commands.csv (docs/memory.md).
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <vector>

#include "models/dram/controller.h"
#include "platform/probes/probe.h"
#include "platform/probes/time_order.h"

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
    for_none_.resize(channels.size());
    for (std::uint32_t i = 0; i < channels.size(); ++i) {
      site.watch(*channels[i], channels[i]->core().commands,
                 [this, i, clock = channels[i]->clock()](const IssuedCommand& c) { note(i, clock.edge(c.at), c); });
    }
  }

  void finish() override {
    for (std::uint32_t i = 0; i < for_none_.size(); ++i) tell_for_none(i, kEndOfTime);
    order_.finish();
  }

 private:
  struct OfChannel {
    std::uint32_t channel;
    IssuedCommand command;
  };

  /// A channel that nobody asks for anything makes up for its refreshes later, which may be long after other channels'
  /// commands; so what is for no request stands before the channel's next command that is for one.
  void note(std::uint32_t channel, Femtoseconds at, const IssuedCommand& command) {
    if (command.row == kNoRow) return for_none_[channel].push_back(command);
    tell_for_none(channel, at);
    order_.add({at, channel}, {channel, command});
  }
  void tell_for_none(std::uint32_t channel, Femtoseconds at) {
    for (const IssuedCommand& command : for_none_[channel]) order_.add({at, channel}, {channel, command});
    for_none_[channel].clear();
  }
  void write(const OfChannel& told) {
    const IssuedCommand& c = told.command;
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{},{},{},{},", c.at, told.channel, name_of(c.command), c.bank);
    if (c.row != kNoRow) fmt::format_to(std::back_inserter(line_), "{}", c.row);
    line_.push_back('\n');
    csv_->write({line_.data(), line_.size()});
  }

  AtomicFile* csv_ = nullptr;
  std::vector<std::vector<IssuedCommand>> for_none_;  ///< by channel, and not told yet
  TimeOrder<OfChannel> order_{[this](Femtoseconds, const OfChannel& told) { write(told); }};
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER { add_probe<Commands>("commands", "commands.csv: every command of the DRAM channels", 30); }

}  // namespace
}  // namespace gputlm
