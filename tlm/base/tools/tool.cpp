#include "tlm/base/tools/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>

#include "tlm/base/error.h"
#include "tlm/base/file_lock.h"
#include "tlm/base/tools/tool_process.h"

namespace gputlm::tools {
namespace {

constexpr std::string_view kPrefix = "gputlm-work-";  // name of temporary folders; six characters follow
constexpr std::chrono::milliseconds kLook{10};        // polling interval of a running tool; tools run for seconds

/// The error message in a log.
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
  const char* const folders = std::getenv("PATH");
  std::istringstream path(folders ? folders : "");
  for (std::string folder; std::getline(path, folder, ':');) {
    const std::filesystem::path file = std::filesystem::absolute(folder.empty() ? "." : folder) / name;
    if (std::error_code none; std::filesystem::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0) {
      return {name, file.string(), ""};
    }
  }
  throw InputError(fmt::format("{} is not in PATH, but needed here (Debian: apt-get install {})", name, package));
}

Tool find_tool(const std::string& name, const std::string& package, const std::string& version_option,
               const std::atomic<bool>& stop) {
  Tool tool = find_tool(name, package);
  const WorkFolder folder;
  run_tool(tool, {version_option}, folder.path(), "version", stop);
  std::istringstream lines(read_file(folder.path() + "/version"));
  std::getline(lines, tool.version);
  return tool;
}

int exit_code_of(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
                 const std::string& log, const std::atomic<bool>& stop) {
  if (stop) throw Stopped();
  const ToolProcess running(tool.path, arguments, folder, folder + "/" + log);
  std::optional<int> status;
  while (!(status = running.ended())) {
    if (stop) throw Stopped();
    std::this_thread::sleep_for(kLook);
  }
  if (WIFEXITED(*status)) return WEXITSTATUS(*status);
  throw InputError(
      fmt::format("{} failed (signal {}): {}", tool.name, strsignal(WTERMSIG(*status)), complaint(folder + "/" + log)));
}

void run_tool(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log, const std::atomic<bool>& stop) {
  const int code = exit_code_of(tool, arguments, folder, log, stop);
  if (code == 0) return;
  throw InputError(fmt::format("{} failed (exit code {}): {}", tool.name, code, complaint(folder + "/" + log)));
}

WorkFolder::WorkFolder(const std::string& path) : path_(path), kept_(!path.empty()) {
  if (kept_) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw InputError(path_, 0, "cannot be made a folder: " + error.message());
    if (!std::filesystem::is_empty(path_, error) || error)
      throw InputError(path_, 0,
                       error ? "cannot be read: " + error.message() : "is not empty; what is kept needs a new folder");
    path_ = std::filesystem::absolute(path_).string();
    if (!lock()) throw InputError(path_, 0, "is in use by another program");
    return;
  }
  remove_abandoned();
  while (descriptor_ < 0) make_temporary();
}

void WorkFolder::make_temporary() {
  path_ = (std::filesystem::temp_directory_path() / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(path_.data()) == nullptr)
    throw std::runtime_error(fmt::format("no temporary folder {}: {}", path_, std::strerror(errno)));
  if (!lock()) descriptor_ = -1;
}

bool WorkFolder::lock() {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return false;
  // Between creation and locking, another program may have removed it as abandoned.
  struct stat ours {};
  if (try_lock(descriptor_) != FileLock::kHeldByAnother && fstat(descriptor_, &ours) == 0 && ours.st_nlink > 0) {
    return true;
  }
  close(descriptor_);
  return false;
}

/// Removes this user's folders of programs that were killed.
void WorkFolder::remove_abandoned() {
  std::error_code error;  // other programs may remove entries meanwhile
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != kPrefix.size() + 6 || name.compare(0, kPrefix.size(), kPrefix) != 0) continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && status.st_uid == geteuid() && try_lock(descriptor) == FileLock::kTaken) {
      std::filesystem::remove_all(entry.path(), error);
    }
    close(descriptor);
  }
}

WorkFolder::~WorkFolder() {
  if (std::error_code ignored; !kept_) std::filesystem::remove_all(path_, ignored);
  close(descriptor_);
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
