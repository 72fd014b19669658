#include "models/dram/command_choice.h"

namespace gputlm {

CommandChoice::CommandChoice(unsigned banks) : wants_(banks) {
  for (std::size_t k = 0; k < kBankCommands; ++k) {
    Want& all = kinds_[k].all;
    all.rank = 0;
    all.command = static_cast<Command>(k);
    all.before = all.after = &all;
    kinds_[k].best = &all;
  }
  for (unsigned b = 0; b < banks; ++b) wants_[b].bank = b;
}

}  // namespace gputlm
