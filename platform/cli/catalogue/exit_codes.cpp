#include "platform/cli/exit_codes.h"

#include "platform/cli/catalogue.h"

namespace gputlm {

const std::vector<ExitCodeInfo>& exit_codes() {
  static const std::vector<ExitCodeInfo> codes = {
      {kDone, "Done, or stopped by --max-cycles"},
      {kDisagrees,
       "What was checked is not so: a figure of a paper is missed that is not a known miss (reproduce), a response is "
       "above its bound (bound, run --check-bounds), a design differs from its policy, is refuted or not covered "
       "(check)"},
      {kBadInput,
       "Bad input, and nothing was written; found before the run, or in it: a policy of a plugin, or a design of one's "
       "own, that answers wrongly"},
      {kDeadlocked, "Deadlock: nothing can make progress; the report says who waits for what"},
      {kTimeEnded, "Simulated time has ended, after five hours; the result is marked incomplete"},
      {kInternalError, "An error inside the program, or a violation found by --check-protocol"},
      {kTextLost,
       "Done, with all files in place, but text of stdout or stderr could not be written (closed, full, or a pipe that "
       "has no reader)"},
      {kInterruptedBySignal,
       "Interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP: a run or a sweep with what was reached so far, check and "
       "cost with nothing"},
  };
  return codes;
}

namespace {

GPUTLM_REGISTER {
  catalogues().add({{"exit-codes"}, "exit code", "Exit codes of every command", [](const ListOptions&) {
                      std::vector<std::pair<std::string, std::string>> entries;
                      for (const ExitCodeInfo& info : exit_codes())
                        entries.emplace_back(std::to_string(info.code), info.meaning);
                      return plain_listing("code", entries);
                    }});
}

}  // namespace
}  // namespace gputlm
