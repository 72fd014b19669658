/// A running program and its children.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gputlm::tools {

/// The tool and its children (yosys runs abc) form one process group. The group ends with the object and with the thread
/// that created the object, however that ends, even if this program is killed.
class ToolProcess {
 public:
  /// Runs the program in `folder`, without a shell, with its output in the file `log`. TMPDIR is the folder, so that a tool
  /// that is ended leaves nothing elsewhere. Throws InputError if the log cannot be written and std::runtime_error if the
  /// process cannot be created. A program that cannot be executed says so in the log.
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
