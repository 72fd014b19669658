/// Kills the program, with ptrace(2), right before one of the system calls that change a folder or write a file to the disk. A
/// kill at any time has the outcome of a kill between two of these calls.
#pragma once

#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <optional>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {

using SyscallInfo = __ptrace_syscall_info;  // <linux/ptrace.h> and <sys/ptrace.h> exclude each other

inline bool changes_a_folder(const SyscallInfo& info) {
  static const std::set<std::uint64_t> calls{
      SYS_renameat2, SYS_renameat,  SYS_unlinkat,  SYS_linkat,  SYS_symlinkat, SYS_mkdirat,
      SYS_fsync,     SYS_fdatasync, SYS_ftruncate, SYS_flock,
#ifdef SYS_rename  // not on every processor
      SYS_rename,    SYS_unlink,    SYS_link,      SYS_symlink, SYS_mkdir,     SYS_rmdir,
#endif
  };
  if (info.entry.nr == SYS_openat) return (info.entry.args[2] & O_CREAT) != 0;
#ifdef SYS_open
  if (info.entry.nr == SYS_open) return (info.entry.args[1] & O_CREAT) != 0;
#endif
  return calls.count(info.entry.nr) > 0;
}

/// Runs the program and kills it before its call number `fatal`, counted from 0. Returns its exit code; negative: the signal
/// that killed it; none if ptrace is not allowed.
inline std::optional<int> run_and_kill_before(unsigned fatal, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), GPUTLM_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(126);
    ::raise(SIGSTOP);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!WIFSTOPPED(status)) return std::nullopt;
  ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  unsigned calls = 0;
  int passed_on = 0;  // signal that stopped it
  while (true) {
    ::ptrace(PTRACE_SYSCALL, pid, nullptr, passed_on);
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return -WTERMSIG(status);
    passed_on = 0;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      if (status >> 16 == 0) passed_on = WSTOPSIG(status);
      continue;
    }
    SyscallInfo info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return std::nullopt;
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY && changes_a_folder(info) && calls++ == fatal) ::kill(pid, SIGKILL);
  }
}

}  // namespace gputlm
