/// What a command needs of the process it runs in: its CPU time, the user's wish to stop it, a line of progress.
#pragma once

#include <chrono>
#include <string>

namespace gputlm {

/// User CPU time of the process so far.
double user_seconds();

/// To be called first. A standard stream that is closed becomes one that cannot be used, so that no file of ours takes its
/// place; a pipe that is closed and a file that may not grow (SIGPIPE, SIGXFSZ) are errors of who writes, not our end. The heap gets
/// large pages, where the system has them.
void prepare_process();

/// From here on SIGINT, SIGTERM and SIGHUP (unless it was ignored: nohup) only make interrupted() true: the command ends by
/// itself, with what it has. One that comes more than a second after the first ends the program where it is.
void catch_interrupts();
bool interrupted();
/// What was to be saved is saved: from here on such a signal ends the program at once, unless it already ends by one.
void release_interrupts();

/// A line on stderr that is written over again and again, on a terminal only, and gone at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows what `text` makes of the wall-clock seconds so far, unless the last line is too young.
  template <class Text>
  void show(Text text) {
    if (due()) write(text(seconds()));
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool due();
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  void write(const std::string& text);

  bool shown_;
  bool written_ = false;
  Clock::time_point began_, last_;
};

}  // namespace gputlm
