#include "platform/lab/jobs.h"

#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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

#include "platform/files/terminal.h"
#include "platform/lab/run_store.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// The loaded library's path, size and modification time; reading the contents would take longer than many runs.
int add_library(dl_phdr_info* info, std::size_t /*size*/, void* text) {
  struct stat file {};
  if (info->dlpi_name && *info->dlpi_name && stat(info->dlpi_name, &file) == 0) {
    *static_cast<std::string*>(text) +=
        fmt::format("{} {} {}.{}\n", info->dlpi_name, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  }
  return 0;
}

/// A cache that cannot be written must not cost a run.
void keep(const RunStore& store, const std::string& id, const std::string& result) {
  try {
    store.keep(id, result);
  } catch (const InputError& error) {
    print_failure(fmt::format("a finished run is not kept: {}", error.what()));
  }
}

/// Determines threads and parallelism of `jobs` jobs as JobOptions::parallel describes.
void share_processors(unsigned& parallel, unsigned& threads, std::size_t jobs) {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const bool open = parallel == 0;
  if (open) parallel = threads == 0 ? processors : std::max(1u, processors / threads);
  if (threads > 0) return;
  threads = open && jobs > 0 ? std::max<unsigned>(1, static_cast<unsigned>(processors / jobs)) : 1;
}

enum ChildStatus { kDone = 0, kInputError = 2, kOtherError = 1 };

/// The description of a failed job.
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

/// Blocks SIGCHLD, so that it can be awaited with a time limit; restores it at the end.
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
  /// Waits until a child has ended, another signal has arrived, or a tenth of a second has passed.
  void wait() const {
    const timespec tenth{0, 100'000'000};
    sigtimedwait(&set_, nullptr, &tenth);
  }

 private:
  sigset_t set_{}, before_{};
};

/// The child's output is a file in memory: a pipe would have to be read while the child runs, and a disk may be full.
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
  _exit(written ? status : kOtherError);  // no destructors: the objects belong to the parent
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
  /// Memory of the running jobs, given the memory of each job.
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
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {  // the parent's handlers stay in the parent
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
      }
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(kOtherError);  // the parent ended before that was set
      run_child(job, output);
    }
    running_[pid] = {number, output};
  }

  /// A child that has ended: its job, its status from wait(), its output.
  struct Ended {
    std::size_t job;
    int status;
    std::string output;
  };
  std::optional<Ended> ended() {
    for (const auto& [pid, child] : running_) {  // only these: the program may have children that are not ours
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

Interrupted::Interrupted(const JobProgress& progress, bool kept)
    : std::runtime_error(fmt::format("interrupted: {} of {} runs are done{}", progress.done, progress.of,
                                     kept ? ", and the same command continues from there" : "; they were not kept")) {}

namespace {

/// Content that was added to the program's digest.
std::string& added_content() {
  static std::string content;
  return content;
}

}  // namespace

void add_to_program_digest(const std::string& content) { added_content() += content; }

const std::string& program_digest() {
  // Plugins may have been loaded since the last call; the executable is the same.
  static const std::string executable = file_digest("/proc/self/exe");
  static std::string loaded, whole;
  std::string libraries = added_content();
  dl_iterate_phdr(add_library, &libraries);
  if (whole.empty() || libraries != loaded) {
    loaded = libraries;
    whole = digest(executable + libraries);
  }
  return whole;
}

std::vector<std::string> carry_out(const std::vector<Job>& jobs, const JobOptions& options) {
  std::vector<std::string> results(jobs.size());
  std::map<std::string, std::size_t> first;                      // first job with each id
  std::vector<std::pair<std::size_t, std::size_t>> repetitions;  // jobs, each with the first one of the same id
  std::vector<std::size_t> missing;
  JobProgress progress;
  progress.of = jobs.size();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!jobs[i].id.empty()) {
      const auto [same, is_new] = first.emplace(jobs[i].id, i);
      if (!is_new) {
        repetitions.emplace_back(i, same->second);
        continue;
      }
      if (options.store) {
        if (auto kept = options.store->find(jobs[i].id)) {
          results[i] = std::move(*kept);
          ++progress.kept;
          continue;
        }
      }
    }
    missing.push_back(i);
  }
  const std::size_t before = progress.kept + repetitions.size();
  progress.done = before;
  if (options.progress) options.progress(progress);

  unsigned parallel = options.parallel;
  Execution execution = options.execution;
  share_processors(parallel, execution.threads, missing.size());
  std::vector<std::function<std::string()>> work;
  work.reserve(missing.size());
  for (const std::size_t i : missing) {
    // Stored by the process that computed it: it is kept even if this process is killed before it learns of it.
    work.emplace_back([&job = jobs[i], &options, &execution] {
      std::string result = job.work(execution);
      if (options.store && !job.id.empty()) keep(*options.store, job.id, result);
      return result;
    });
  }
  IsolatedRuns watch;
  watch.done = [&](std::size_t done) {
    progress.done = before + done;
    if (options.progress) options.progress(progress);
  };
  watch.proceed = options.proceed;
  watch.most_memory = options.most_memory;
  for (const std::size_t i : missing) watch.memory.push_back(jobs[i].memory);
  if (options.failed) {
    watch.failed = [&](const RunFailure& f) { options.failed({missing[f.job], f.kind, f.why}); };
  }
  auto made = run_isolated(work, parallel, watch);
  if (!made) throw Interrupted(progress, options.store != nullptr);
  for (std::size_t i = 0; i < missing.size(); ++i) results[missing[i]] = std::move((*made)[i]);
  for (const auto& [job, same] : repetitions) results[job] = results[same];
  return results;
}

std::optional<std::vector<std::string>> run_isolated(const std::vector<std::function<std::string()>>& jobs,
                                                     unsigned parallel, const IsolatedRuns& watch) {
  if (parallel == 0) parallel = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> results(jobs.size());
  std::optional<RunFailure> failure;
  std::size_t done = 0;
  std::deque<std::size_t> waiting(jobs.size());
  std::iota(waiting.begin(), waiting.end(), 0);
  std::set<std::size_t> killed;  // killed once, by the system when memory ran short or by a user: not the job's fault
  std::fflush(nullptr);          // otherwise the children would write the parent's buffered output again
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
      return std::nullopt;  // a terminal sends its signal to all processes
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
