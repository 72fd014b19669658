/// A program that runs, and what it starts.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gputlm::tools {

/// The tool and what it starts (yosys runs abc) are one process group. All of it ends with the object, and with the thread
/// that made the object, however that ends: also when this program is killed.
class ToolProcess {
 public:
  /// Runs the program in `folder`, without a shell, its output in the file `log` and TMPDIR the folder, so that a tool that
  /// is ended leaves nothing elsewhere. Throws InputError if the log cannot be written, std::runtime_error if there can be
  /// no process. What cannot be executed says so in the log.
  ToolProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& folder,
              const std::string& log);
  ~ToolProcess();
  ToolProcess(const ToolProcess&) = delete;
  ToolProcess& operator=(const ToolProcess&) = delete;

  /// How the tool ended, as wait(2) gives it; nothing while it runs.
  std::optional<int> ended() const;

 private:
  pid_t keeper_;  ///< leads the group
};

}  // namespace gputlm::tools
