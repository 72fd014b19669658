#include "testbench/tools/tool.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>
#include <boost/process/search_path.hpp>
#include <boost/process/start_dir.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>

#include "tlm/error.h"

namespace gputlm::tools {
namespace {

namespace process = boost::process;

constexpr std::chrono::milliseconds kLook{10};  // how often a running tool is looked at; they run for seconds

/// A tool, and in its group what it starts: yosys runs abc. Both end with the object.
struct Running {
  process::group group;
  process::child leader;
};

Running start(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log) {
  process::environment environment = boost::this_process::environment();
  environment["TMPDIR"] = folder;  // in our own folder, so that a tool that is ended leaves nothing
  // One at a time: two that start together hold each other's pipes, and so wait for each other's end (Boost 1.74).
  static std::mutex starting;
  const std::lock_guard lock(starting);
  const std::string path = folder + "/" + log;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(std::fopen(path.c_str(), "we"), std::fclose);
  if (!output) throw InputError(path, 0, std::string("cannot be written: ") + std::strerror(errno));
  Running running;
  try {
    running.leader = process::child(
        process::exe = tool.path, process::args = arguments, process::start_dir = folder, environment, running.group,
        process::std_in<process::null, (process::std_out & process::std_err)> output.get(),
        process::extend::on_exec_setup = [](auto&) { prctl(PR_SET_PDEATHSIG, SIGKILL); });
  } catch (const process::process_error& error) {
    throw InputError(tool.path, 0, "cannot be started: " + error.code().message());
  }
  return running;
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

Tool find_tool(const std::string& name, const std::string& package) {
  const std::string path = process::search_path(name).string();
  if (path.empty())
    throw InputError(fmt::format("{} is not in PATH, but needed here (Debian: apt-get install {})", name, package));
  return {name, std::filesystem::absolute(path).string(), ""};
}

Tool find_tool(const std::string& name, const std::string& package, const std::string& version_option) {
  Tool tool = find_tool(name, package);
  const WorkFolder folder;
  const std::atomic<bool> stop{false};
  run_tool(tool, {version_option}, folder.path(), "version", stop);
  std::istringstream lines(read_file(folder.path() + "/version"));
  std::getline(lines, tool.version);
  return tool;
}

void run_tool(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log, const std::atomic<bool>& stop) {
  if (stop) throw Stopped();
  Running running = start(tool, arguments, folder, log);
  while (running.leader.running()) {  // its wait_for() would fork a process that sleeps
    if (stop) {
      running.group.terminate();
      running.leader.wait();
      throw Stopped();
    }
    std::this_thread::sleep_for(kLook);
  }
  const int status = running.leader.native_exit_code();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                            : std::string("signal ") + strsignal(WTERMSIG(status));
  throw InputError(fmt::format("{} failed ({}): {}", tool.name, how, complaint(folder + "/" + log)));
}

WorkFolder::WorkFolder(const std::string& path) : path_(path), kept_(!path.empty()) {
  if (!kept_) {
    path_ = (std::filesystem::temp_directory_path() / "gputlm-XXXXXX").string();
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

}  // namespace gputlm::tools
