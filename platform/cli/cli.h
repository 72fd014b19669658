#pragma once

namespace gputlm {

/// The command line. Returns the exit code: 0 done; 1 an experiment disagrees with its paper; 2 bad input; 3 deadlock;
/// 70 an error inside the program; 74 done, but text of stdout or stderr is lost; 130 interrupted (128 + SIGINT, as shells
/// have it).
int command_line(int argc, char** argv);

}  // namespace gputlm
