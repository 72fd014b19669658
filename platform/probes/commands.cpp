/// Writes every command of the DRAM channels to commands.csv (docs/memory.md).
#include <cstdint>
#include <vector>

#include "models/dram/controller.h"
#include "platform/probes/merged.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct CommandRow {
  std::uint32_t channel;
  IssuedCommand command;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const CommandRow& r) { return r.command.at; }, "cycle", Value{"command cycles"},
            "Time at which it was issued");
    v.field(&CommandRow::channel, "channel", Value{},
            "Channel that it was issued to; commands of a channel are in order");
    v.field([](const CommandRow& r) { return name_of(r.command.command); }, "command", Value{},
            "`ACT`, `PRE`, `RD`, `WR` or `REF`");
    v.field([](const CommandRow& r) { return r.command.bank; }, "bank", Value{},
            "Bank of the command; without meaning for a refresh, which concerns all banks");
    v.field([](const CommandRow& r) { return r.command.row != kNoRow ? std::optional(r.command.row) : std::nullopt; },
            "row", Value{}, "Row of the request that the command serves; empty if there is none");
  }
};

class Commands final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto channels = site.units<DramController>("DRAM controller");
    csv_.open(site, "commands.csv");
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
  /// A channel without requests catches up on its refreshes later, possibly long after other channels' commands. So commands
  /// without a request are written before the channel's next command with one.
  void note(std::uint32_t channel, Femtoseconds at, const IssuedCommand& command) {
    if (command.row == kNoRow) return for_none_[channel].push_back(command);
    tell_for_none(channel, at);
    order_.add({at, channel}, {channel, command});
  }
  void tell_for_none(std::uint32_t channel, Femtoseconds at) {
    for (const IssuedCommand& command : for_none_[channel]) order_.add({at, channel}, {channel, command});
    for_none_[channel].clear();
  }
  RowFile<CommandRow> csv_;
  std::vector<std::vector<IssuedCommand>> for_none_;  ///< commands not written yet, by channel
  TimeOrder<CommandRow> order_{[this](Femtoseconds, const CommandRow& row) { csv_.write(row); }};
};

GPUTLM_REGISTER {
  add_probe<Commands>("commands", "commands.csv: every command of the DRAM channels", 30);
  add_row_table<CommandRow>("commands.csv", "Commands of the DRAM channels; `--probe commands`");
}

}  // namespace
}  // namespace gputlm
