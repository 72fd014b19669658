/// The program on a terminal.
#pragma once

#include <pty.h>

#include <chrono>
#include <thread>

#include "tests/integration/program.h"

namespace gputlm {

class ProgramOnATerminal {
 public:
  explicit ProgramOnATerminal(const std::vector<std::string>& arguments) {
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ < 0) throw std::runtime_error("no terminal");
    if (pid_ == 0) {
      std::vector<char*> argv{const_cast<char*>(GPUTLM_PROGRAM)};
      for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      ::execv(GPUTLM_PROGRAM, argv.data());
      ::_exit(127);
    }
    ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
  }
  ~ProgramOnATerminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(terminal_);
  }
  ProgramOnATerminal(const ProgramOnATerminal&) = delete;
  ProgramOnATerminal& operator=(const ProgramOnATerminal&) = delete;

  /// Types as on a keyboard; "\x03" is Ctrl-C.
  void type(const std::string& keys) const {
    EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), ssize_t(keys.size()));
  }
  /// Reads until the text has come, for at most a minute; returns whether it came.
  bool shows(const std::string& text) {
    for (int i = 0; i < 6000; ++i) {
      read();
      if (shown_.find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  /// Everything that was sent to the terminal.
  const std::string& shown() const { return shown_; }
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
      read();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    pid_ = -1;
    read();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }

 private:
  void read() {
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(terminal_, buffer, sizeof buffer)) > 0;) shown_.append(buffer, n);
  }
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

}  // namespace gputlm
