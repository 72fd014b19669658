#include "platform/lab/isolated.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "tlm/error.h"

namespace gputlm {
namespace {

enum ChildStatus { kDone = 0, kInputError = 2, kOtherError = 1 };

/// What is said of a job that failed.
RunFailure failure_of(std::size_t job, int status, const std::string& output) {
  using Kind = RunFailure::Kind;
  if (!WIFSIGNALED(status)) return {job, WEXITSTATUS(status) == kInputError ? Kind::kInput : Kind::kOther, output};
  return {
      job, Kind::kKilled,
      "it was killed twice, by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"};
}

[[noreturn]] void fail(const RunFailure& failure) {
  if (failure.kind == RunFailure::Kind::kInput) throw InputError(failure.why);
  throw std::runtime_error("run " + std::to_string(failure.job + 1) + " of an experiment failed: " + failure.why);
}

/// Holds SIGCHLD back, so that it can be waited for with a time limit; as it was before at the end.
class HeldSigchld {
 public:
  HeldSigchld() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~HeldSigchld() { restore(); }
  HeldSigchld(const HeldSigchld&) = delete;
  HeldSigchld& operator=(const HeldSigchld&) = delete;

  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  /// Until a child has ended, another signal has come, or a tenth of a second has passed.
  void wait() const {
    const timespec tenth{0, 100'000'000};
    sigtimedwait(&set_, nullptr, &tenth);
  }

 private:
  sigset_t set_{}, before_{};
};

/// Output of the child through a file in memory: a pipe would have to be read while the child runs, and a disk may be full.
struct Child {
  std::size_t job;
  std::FILE* output;
};

[[noreturn]] void run_child(const std::function<std::string()>& job, std::FILE* output) {
  int status = kDone;
  std::string text;
  try {
    text = job();
  } catch (const InputError& error) {
    text = error.what();
    status = kInputError;
  } catch (const std::exception& error) {
    text = error.what();
    status = kOtherError;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), output) == text.size() && std::fflush(output) == 0;
  _exit(written ? status : kOtherError);  // no destructors: they belong to the parent
}

std::string read_all(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  return text;
}

class Children {
 public:
  Children() = default;
  ~Children() { stop(); }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  std::size_t running() const { return running_.size(); }
  /// What the jobs under way take, of what each of all takes.
  Bytes memory(const std::vector<Bytes>& of) const {
    return std::accumulate(running_.begin(), running_.end(), Bytes{0},
                           [&](Bytes sum, const auto& child) { return sum + of[child.second.job]; });
  }

  void start(std::size_t number, const std::function<std::string()>& job) {
    std::FILE* output = fdopen(memfd_create("run", MFD_CLOEXEC), "w+");
    if (!output) throw std::runtime_error(std::string("no memory for a run's result: ") + std::strerror(errno));
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
    if (pid == 0) {
      signals_.restore();
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {  // the parent's are the parent's
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
      }
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(kOtherError);  // it ended before that was set
      run_child(job, output);
    }
    running_[pid] = {number, output};
  }

  /// One that has ended, if there is one: its job, its status as wait() gives it, its output.
  struct Ended {
    std::size_t job;
    int status;
    std::string output;
  };
  std::optional<Ended> ended() {
    for (const auto& [pid, child] : running_) {  // and no other: the program may have children that are not ours
      int status = 0;
      const pid_t found = waitpid(pid, &status, WNOHANG);
      if (found == 0 || (found < 0 && errno == EINTR)) continue;
      if (found < 0) throw std::runtime_error("waiting for a run failed");
      Ended result{child.job, status, read_all(child.output)};
      std::fclose(child.output);
      running_.erase(pid);
      return result;
    }
    return std::nullopt;
  }
  void wait() const { signals_.wait(); }

 private:
  void stop() {
    for (const auto& [pid, child] : running_) kill(pid, SIGKILL);
    for (const auto& [pid, child] : running_) {
      waitpid(pid, nullptr, 0);
      std::fclose(child.output);
    }
  }

  HeldSigchld signals_;
  std::map<pid_t, Child> running_;
};

}  // namespace

std::optional<std::vector<std::string>> run_isolated(const std::vector<std::function<std::string()>>& jobs,
                                                     unsigned parallel, const IsolatedRuns& watch) {
  if (parallel == 0) parallel = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> results(jobs.size());
  std::optional<RunFailure> failure;
  std::size_t done = 0;
  std::deque<std::size_t> waiting(jobs.size());
  std::iota(waiting.begin(), waiting.end(), 0);
  std::set<std::size_t> killed;  // once; by the system when memory ran short, or by somebody: nothing that the job did
  std::fflush(nullptr);          // or the children write what the parent has buffered once more
  Children children;
  const auto there_is_room = [&] {
    if (children.running() == 0) return true;
    if (children.running() >= parallel) return false;
    return watch.most_memory == 0 || watch.memory.empty() ||
           children.memory(watch.memory) + watch.memory[waiting.front()] <= watch.most_memory;
  };
  while (children.running() > 0 || (!waiting.empty() && !failure)) {
    if (watch.proceed && !watch.proceed()) return std::nullopt;
    if (!waiting.empty() && !failure && there_is_room()) {
      children.start(waiting.front(), jobs[waiting.front()]);
      waiting.pop_front();
      continue;
    }
    auto ended = children.ended();
    if (!ended) {
      children.wait();
      continue;
    }
    const auto& [job, status, output] = *ended;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) {
      results[job] = std::move(ended->output);
      if (watch.done) watch.done(++done);
    } else if (watch.proceed && !watch.proceed()) {
      return std::nullopt;  // a terminal sends its signal to all
    } else if (WIFSIGNALED(status) && killed.insert(job).second) {
      waiting.push_back(job);
    } else if (watch.failed) {
      watch.failed(failure_of(job, status, output));
    } else if (!failure) {
      failure = failure_of(job, status, output);
    }
  }
  if (failure) fail(*failure);
  return results;
}

std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel) {
  return *run_isolated(jobs, parallel, {});
}

}  // namespace gputlm
