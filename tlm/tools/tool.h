/// Programs that are run, not linked: found in PATH, started without a shell, ended with all that they started when the
/// user, an error or our own end says so.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm::tools {

struct Tool {
  std::string name;     ///< as it is called: "yosys"
  std::string path;     ///< of the program
  std::string version;  ///< what it says of itself; empty if it was not asked
};

/// Looks in PATH. Throws InputError, with the Debian package to install, if it is not there.
Tool find_tool(const std::string& name, const std::string& package);
/// And asks for the version; `stop` as for run_tool().
Tool find_tool(const std::string& name, const std::string& package, const std::string& version_option,
               const std::atomic<bool>& stop);

/// Thrown in the place of a result when a run was stopped.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// For a run that nobody stops.
inline const std::atomic<bool> kNeverStopped{false};

/// Runs the tool in `folder`, its output in `folder`/`log`, until it ends or `stop` becomes true; then it and what it
/// started are ended, and Stopped is thrown. It ends with the thread that runs it, however that ends. Throws InputError
/// when it exits with another code than 0, with the lines of the log that begin with ERROR or Error, or else its last
/// one.
void run_tool(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log, const std::atomic<bool>& stop);
/// The same of a tool whose answer is its exit code. Throws InputError when a signal ends it.
int exit_code_of(const Tool& tool, const std::vector<std::string>& arguments, const std::string& folder,
                 const std::string& log, const std::atomic<bool>& stop);

/// A folder that is there from the constructor on, and goes with the object unless it is to be kept. It is locked
/// (tlm/file_lock.h); those that were to go, of programs that were killed, are removed when the next one is made.
class WorkFolder {
 public:
  /// `path` empty: a new one in the folder for temporary files, removed at the end. Else that folder, made if need be
  /// and kept; throws InputError if it has something in it, is in use, or cannot be made.
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
  int descriptor_ = -1;  ///< of the folder, with its lock
};

/// Throws std::runtime_error if that cannot be.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace gputlm::tools
