/// What a command needs of the process it runs in: its CPU time, the user's wish to stop it, a line of progress.
#pragma once

#include <chrono>
#include <string>

namespace gputlm {

/// User CPU time of the process so far.
double user_seconds();

/// From here on SIGINT and SIGTERM only make interrupted() true: the command ends by itself, with what it has.
void catch_interrupts();
bool interrupted();

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
