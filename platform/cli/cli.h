#pragma once

namespace gputlm {

/// The command line. Returns the exit code (platform/cli/exit_codes.h).
int command_line(int argc, char** argv);

}  // namespace gputlm
