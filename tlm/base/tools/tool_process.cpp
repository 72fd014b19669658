#include "tlm/base/tools/tool_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "tlm/base/error.h"

namespace gputlm::tools {
namespace {

/// Data for the new process, prepared before the fork: the child of a multi-threaded program may call very little.
struct Start {
  const char* folder;
  int log;
  std::vector<char*> arguments, environment;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::string& name, const std::string& value) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    if (std::strncmp(*entry, (name + "=").c_str(), name.size() + 1) != 0) result.emplace_back(*entry);
  }
  result.push_back(name + "=" + value);
  return result;
}

[[noreturn]] void become_tool(const Start& start) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int ours : {SIGPIPE, SIGXFSZ}) signal(ours, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(start.log, STDOUT_FILENO) >= 0 &&
      dup2(start.log, STDERR_FILENO) >= 0 && chdir(start.folder) == 0) {
    execve(start.arguments[0], start.arguments.data(), start.environment.data());
  }
  dprintf(start.log, "%s cannot be started: %s\n", start.arguments[0], std::strerror(errno));
  _exit(127);
}

/// Leads the tool's process group and exits as the tool does. When the parent ends, it ends the whole group; the tool's
/// children would otherwise continue.
[[noreturn]] void keep(const Start& start, pid_t parent) {
  setpgid(0, 0);
  signal(SIGTERM, [](int) { kill(0, SIGKILL); });
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // the parent ended before that was set
  const pid_t tool = fork();
  if (tool == 0) become_tool(start);
  int status = 0;
  while (waitpid(tool, &status, 0) < 0) {
    if (errno != EINTR) _exit(127);
  }
  if (WIFSIGNALED(status)) {
    prctl(PR_SET_DUMPABLE, 0);  // one core file is enough
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

}  // namespace

ToolProcess::ToolProcess(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& folder, const std::string& log) {
  std::vector<std::string> words{program}, environment = environment_with("TMPDIR", folder);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw InputError(log, 0, std::string("cannot be written: ") + std::strerror(errno));
  const Start start{folder.c_str(), file, pointers(words), pointers(environment)};
  const pid_t parent = getpid();
  keeper_ = fork();
  if (keeper_ == 0) keep(start, parent);
  const int error = errno;
  close(file);
  if (keeper_ < 0) throw std::runtime_error(std::string("no process: ") + std::strerror(error));
  setpgid(keeper_, keeper_);  // also here: either process may be first
}

ToolProcess::~ToolProcess() {
  kill(-keeper_, SIGKILL);  // the group exists until its leader has been waited for
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> ToolProcess::ended() const {
  siginfo_t info{};
  if (waitid(P_PID, keeper_, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return std::nullopt;
  return info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
}

}  // namespace gputlm::tools
