#include "platform/lab/isolated.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>

#include "tlm/error.h"

namespace gputlm {
namespace {

enum ChildStatus { kDone = 0, kInputError = 2, kOtherError = 1 };

/// Output of the child through a file: a pipe would have to be read while the child runs.
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

}  // namespace

std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel) {
  if (parallel == 0) parallel = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> results(jobs.size());
  std::map<pid_t, Child> running;
  std::exception_ptr failure;
  std::size_t next = 0;
  std::fflush(nullptr);  // or the children write what the parent has buffered once more
  while (next < jobs.size() || !running.empty()) {
    if (next < jobs.size() && running.size() < parallel && !failure) {
      std::FILE* output = std::tmpfile();
      if (!output) throw std::runtime_error(std::string("no temporary file: ") + std::strerror(errno));
      const pid_t pid = fork();
      if (pid < 0) throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
      if (pid == 0) run_child(jobs[next], output);
      running[pid] = {next++, output};
      continue;
    }
    if (running.empty()) break;
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    const auto child = running.find(pid);
    if (child == running.end()) {
      if (pid < 0 && errno == EINTR) continue;
      throw std::runtime_error("waiting for a run failed");
    }
    std::string text = read_all(child->second.output);
    std::fclose(child->second.output);
    const std::size_t job = child->second.job;
    running.erase(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) {
      results[job] = std::move(text);
    } else if (!failure) {
      failure = WIFEXITED(status) && WEXITSTATUS(status) == kInputError
                    ? std::make_exception_ptr(InputError(text))
                    : std::make_exception_ptr(
                          std::runtime_error("run " + std::to_string(job) + " of an experiment failed: " +
                                             (WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status))) : text)));
    }
  }
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace gputlm
