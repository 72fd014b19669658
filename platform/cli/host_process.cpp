#include "platform/cli/host_process.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace gputlm {
namespace {

volatile std::sig_atomic_t stop = 0;  // a signal handler can reach nothing else

}  // namespace

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void catch_interrupts() {
  std::signal(SIGINT, [](int) { stop = 1; });
  std::signal(SIGTERM, [](int) { stop = 1; });
}

bool interrupted() { return stop != 0; }

ProgressLine::ProgressLine() : shown_(isatty(STDERR_FILENO) != 0), began_(Clock::now()), last_(began_) {}

ProgressLine::~ProgressLine() {
  if (written_) std::fputs("\r\033[K", stderr);
}

bool ProgressLine::due() {
  const auto now = Clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(250)) return false;
  last_ = now;
  return true;
}

void ProgressLine::write(const std::string& text) {
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  written_ = true;
}

}  // namespace gputlm
