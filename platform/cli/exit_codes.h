/// Exit codes of the program.
#pragma once

#include <string>
#include <vector>

#include "platform/files/terminal.h"

namespace gputlm {

enum ExitCode : int {
  kDone = 0,
  kDisagrees = 1,
  kBadInput = 2,
  kDeadlocked = 3,
  kTimeEnded = 4,
  kInternalError = 70,  // EX_SOFTWARE of sysexits.h
  kTextLost = kLostText,
  kInterruptedBySignal = 130,  // 128 + SIGINT, the convention of shells
};

struct ExitCodeInfo {
  ExitCode code;
  std::string meaning;
};

const std::vector<ExitCodeInfo>& exit_codes();

}  // namespace gputlm
