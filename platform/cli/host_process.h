/// The process that a command runs in: its CPU time, interruption by the user, a line of progress.
#pragma once

#include <chrono>
#include <string>

namespace gputlm {

/// User CPU time of the process so far.
double user_seconds();

/// Call it first. Replaces closed standard streams by unusable ones, so that no file of ours takes their place. Closed pipes
/// and file size limits (SIGPIPE, SIGXFSZ) become write errors instead of ending the program. The heap gets large pages if
/// the system has them.
void prepare_process();

/// From here on SIGINT, SIGTERM and SIGHUP (unless it was ignored: nohup) only make interrupted() true: the command ends by
/// itself and keeps its results so far. A signal more than a second after the first ends the program immediately.
void catch_interrupts();
bool interrupted();
/// Call it after everything has been saved: from here on such a signal ends the program immediately, unless one is already
/// ending it.
void release_interrupts();

/// A line on stderr that is overwritten repeatedly, on a terminal only, and erased at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the text that `text` makes from the elapsed seconds, unless the last line is too recent.
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
