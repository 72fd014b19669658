#include "platform/cli/host_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace gputlm {
namespace {

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};
constexpr std::int64_t kPatience = 1000;  // milliseconds

// A signal handler may access nothing but lock-free atomics.
std::atomic<std::int64_t> first_interrupt{0};  // milliseconds of the monotonic clock; 0: no interrupt came
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void note_interrupt(int signal) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
  if (!interrupted()) {
    first_interrupt = now;
  } else if (now - first_interrupt > kPatience) {  // `timeout` sends its signal twice in a row
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

/// A loop over the state of a large GPU, window by window, touches more 4 KiB pages than a processor has TLB entries. Linux
/// provides pages of 2 MiB on request (transparent huge pages; Debian sets them to `madvise`). So the heap grows at once by
/// what nearly all runs need, and large pages are requested for it; untouched memory is only address space. If the request
/// fails, the heap grows as usual.
void ask_for_large_pages() {
  constexpr int kHeap = 256 << 20, kStep = 128 << 10;  // kStep: malloc's default
  constexpr std::uintptr_t kPage = 2 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the value that malloc's dynamic threshold reaches as blocks are freed
  mallopt(M_TRIM_THRESHOLD, 2 * kHeap);
  mallopt(M_TOP_PAD, kHeap);
  void* const block = std::malloc(kPage);  // more than the heap has left
  mallopt(M_TOP_PAD, kStep);
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  std::free(block);
  if (begin > 0 && begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void prepare_process() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free descriptor is this one. The stream is opened in the wrong direction, so that using it is an error.
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  ask_for_large_pages();
}

void catch_interrupts() {
  for (const int signal : kInterrupts) {
    if (std::signal(signal, note_interrupt) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
  }
}

bool interrupted() { return first_interrupt != 0; }

void release_interrupts() {
  if (interrupted()) return;
  for (const int signal : kInterrupts) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

ProgressLine::ProgressLine() : shown_(isatty(STDERR_FILENO) != 0), began_(Clock::now()), last_(began_) {}

ProgressLine::~ProgressLine() {
  if (written_) std::fputs("\r\033[K", stderr);  // a lost terminal does not matter
}

bool ProgressLine::due() {
  const auto now = Clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(250)) return false;
  last_ = now;
  return true;
}

void ProgressLine::write(const std::string& text) {
  std::fputs(("\r\033[K" + text).c_str(), stderr);
  std::fflush(stderr);
  written_ = true;
}

}  // namespace gputlm
