#include "models/dram/command_choice.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "tests/unit/dram/random_config.h"

namespace gputlm {
namespace {

struct Wanted {
  Command command;
  std::uint64_t age;
};

/// The first cycles for the next commands, on one bus or two.
struct Buses {
  Cycle rows = 0, columns = 0;
  Cycle of(Command command) const { return is_column(command) ? columns : rows; }
};

/// The rule as command_choice.h has it, bank by bank.
CommandChoice::Choice first_of(const std::vector<std::optional<Wanted>>& wanted, const TimingState& timing,
                               const Buses& from, bool writing) {
  const Command along = writing ? Command::kWrite : Command::kRead;
  CommandChoice::Choice first;
  std::tuple<Cycle, int, std::uint64_t, unsigned> best{kNever, 0, 0, 0};
  for (unsigned b = 0; b < wanted.size(); ++b) {
    if (!wanted[b]) continue;
    const Command command = wanted[b]->command;
    const Cycle at = std::max(timing.earliest(command, b), from.of(command));
    const std::tuple key{at, !is_column(command) ? 2 : command == along ? 0 : 1, wanted[b]->age, b};
    if (key >= best) continue;
    best = key;
    first = {at, b, command};
  }
  return first;
}

void issue(CommandChoice& choice, Command command) {
  switch (command) {
    case Command::kActivate: return choice.issued<Command::kActivate>();
    case Command::kPrecharge: return choice.issued<Command::kPrecharge>();
    case Command::kRead: return choice.issued<Command::kRead>();
    case Command::kWrite: return choice.issued<Command::kWrite>();
    case Command::kRefresh: return choice.issued<Command::kRefresh>();
  }
}

/// Banks change what they want whenever they like, and not all of what is chosen goes out in its cycle.
TEST(CommandChoice, FindsWhatASearchThroughAllBanksFinds) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const DramConfig config = random_config(seed);
    std::mt19937 random(seed);
    TimingState timing(timing_cycles(config), config.banks, config.bank_groups);
    CommandChoice choice(config.banks);
    std::vector<std::optional<Wanted>> wanted(config.banks);
    std::uint64_t ages = 0;
    Buses from;
    bool writing = false;
    const unsigned busy = 1 + random() % 8;  // banks that change between two commands, at most
    for (int step = 0; step < 1500; ++step) {
      for (unsigned n = random() % (busy + 1); n > 0; --n) {
        const unsigned b = random() % config.banks;
        if (random() % 4 == 0) {
          EXPECT_EQ(choice.forget(b), wanted[b].has_value());
          wanted[b].reset();
          continue;
        }
        const auto command = static_cast<Command>(random() % kBankCommands);
        const std::uint64_t age = random() % 8 == 0 ? CommandChoice::kYoungest : ages++ ^ (random() % 64);
        choice.want(timing, b, command, age, std::min(from.rows, from.columns));
        wanted[b] = {command, age};
      }
      const CommandChoice::Choice expected = first_of(wanted, timing, from, writing);
      const CommandChoice::Choice found = choice.best(timing, from.rows, from.columns, writing);
      ASSERT_EQ(found.at, expected.at) << "seed " << seed << " step " << step;
      if (found.at == kNever) continue;
      ASSERT_EQ(found.bank, expected.bank) << "seed " << seed << " step " << step;
      ASSERT_EQ(found.command, expected.command);
      if (random() % 5 == 0) {  // something else came in
        const Cycle came = found.at - random() % 2;
        from = {std::max(from.rows, came), std::max(from.columns, came)};
        continue;
      }
      timing.issue(found.command, found.bank, found.at);
      issue(choice, found.command);
      if (is_column(found.command)) writing = found.command == Command::kWrite;
      const bool shared = config.command_buses == 1;
      from.rows = std::max(from.rows, found.at + (shared || !is_column(found.command) ? 1 : 0));
      from.columns = std::max(from.columns, found.at + (shared || is_column(found.command) ? 1 : 0));
      wanted[found.bank].reset();
      choice.forget(found.bank);
      if (random() % 100 == 0) {  // a refresh
        timing.issue(Command::kRefresh, 0, from.rows);
        issue(choice, Command::kRefresh);
        ++from.rows;
        if (shared) from.columns = from.rows;
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
