/// External programs: found in PATH, started without a shell, and ended together with their children when the user stops,
/// an error occurs or this program ends.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm::tools {

struct Tool {
  std::string name;     ///< name of the program: "yosys"
  std::string path;     ///< path of the program
  std::string version;  ///< version that it reports; empty if not requested
};

/// Searches PATH. Throws InputError, with the Debian package to install, if the program is not there.
Tool find_tool(const std::string& name, const std::string& package);
/// Also asks the program for its version; `stop` as for run_tool().
Tool find_tool(const std::string& name, const std::string& package, const std::string& version_option,
               const std::atomic<bool>& stop);

/// Thrown when a run was stopped.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// For a run that cannot be stopped.
inline const std::atomic<bool> kNeverStopped{false};

/// Runs the tool in `folder`, its output in `folder`/`log`, until it ends. If `stop` becomes true, ends the tool and its
/// children and throws Stopped. The tool also ends with the thread that runs it, however that ends. Throws InputError if
/// the exit code is not 0, with the lines of the log that begin with ERROR or Error, or else its last line.
void run_tool(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log, const std::atomic<bool>& stop);
/// The same for a tool whose answer is its exit code. Throws InputError if a signal ends it.
int exit_code_of(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
                 const std::string& log, const std::atomic<bool>& stop);

/// A folder that the constructor creates and the destructor removes, unless it is to be kept. It is locked
/// (tlm/base/file_lock.h). Creating one also removes temporary folders left by programs that were killed.
class WorkFolder {
 public:
  /// An empty `path` means a new folder among the temporary files, removed at the end. Otherwise uses the folder `path`,
  /// created if needed, and keeps it. Throws InputError if it is not empty, is in use, or cannot be created.
  explicit WorkFolder(const std::string& path = "");
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  void make_temporary();
  bool lock();
  static void remove_abandoned();

  std::string path_;
  bool kept_;
  int descriptor_ = -1;  ///< descriptor of the folder, which holds its lock
};

/// Both throw std::runtime_error on failure.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace gputlm::tools
