#include "testbench/cost/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tlm/error.h"

namespace gputlm::cost {
namespace {

constexpr std::chrono::milliseconds kLook{10};  // how often a running tool is looked at; they run for seconds

std::string path_of(const std::string& name) {
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path)) return std::filesystem::absolute(path);
  }
  return "";
}

/// The environment, with the folder for temporary files in our own, so that a tool that is ended leaves nothing.
std::vector<std::string> environment(const std::string& folder) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    if (std::strncmp(*variable, "TMPDIR=", 7) != 0) variables.emplace_back(*variable);
  }
  variables.push_back("TMPDIR=" + folder);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// Starts it as the leader of a process group of its own.
pid_t start(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
            const std::string& log) {
  std::vector<std::string> words{tool.name}, variables = environment(folder);
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, tool.path.c_str(), &files, &attributes, pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw InputError(tool.path, 0, std::string("cannot be started: ") + std::strerror(error));
  return pid;
}

/// What a log says went wrong.
std::string complaint(const std::string& log) {
  std::istringstream lines(read_file(log));
  std::string errors, last;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    last = line;
    if (line.compare(0, 5, "ERROR") == 0 || line.compare(0, 5, "Error") == 0)
      errors += (errors.empty() ? "" : "; ") + line;
  }
  return !errors.empty() ? errors : last.empty() ? "it said nothing" : last;
}

}  // namespace

Tool find_tool(const std::string& name, const std::string& version_option, const std::string& package) {
  Tool tool{name, path_of(name), ""};
  if (tool.path.empty())
    throw InputError(fmt::format("{} is not in PATH, but needed here (Debian: apt-get install {})", name, package));
  const WorkFolder folder("");
  const std::atomic<bool> stop{false};
  run_tool(tool, {version_option}, folder.path(), "version", stop);
  std::istringstream lines(read_file(folder.path() + "/version"));
  std::getline(lines, tool.version);
  return tool;
}

void run_tool(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log, const std::atomic<bool>& stop) {
  if (stop) throw Stopped();
  const pid_t pid = start(tool, arguments, folder, log);
  int status = 0;
  bool ended = false;
  for (pid_t done = 0; (done = waitpid(pid, &status, ended ? 0 : WNOHANG)) != pid;) {
    if (done < 0 && errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + std::strerror(errno));
    if (stop && !ended) {
      kill(-pid, SIGKILL);  // the group: yosys runs abc
      ended = true;
    }
    if (!ended) std::this_thread::sleep_for(kLook);
  }
  if (ended) throw Stopped();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                            : std::string("signal ") + strsignal(WTERMSIG(status));
  throw InputError(fmt::format("{} failed ({}): {}", tool.name, how, complaint(folder + "/" + log)));
}

WorkFolder::WorkFolder(const std::string& path) : path_(path), kept_(!path.empty()) {
  if (!kept_) {
    path_ = (std::filesystem::temp_directory_path() / "gputlm-cost-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error(fmt::format("no temporary folder {}: {}", path_, std::strerror(errno)));
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw InputError(path_, 0, "cannot be made a folder: " + error.message());
  if (!std::filesystem::is_empty(path_, error) || error)
    throw InputError(path_, 0,
                     error ? "cannot be read: " + error.message() : "is not empty; what is kept needs a new folder");
  path_ = std::filesystem::absolute(path_).string();
}

WorkFolder::~WorkFolder() {
  if (std::error_code ignored; !kept_) std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path + " cannot be read");
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw InputError(path, 0, "cannot be written");
}

}  // namespace gputlm::cost
