/// Processes of this machine, according to /proc.
#pragma once

#include <chrono>
#include <thread>

#include "tests/integration/program.h"

namespace gputlm {

/// The words of the command line, each followed by a zero byte; empty if the process is a zombie or gone.
inline std::string command_line_of(const std::string& pid) {
  std::ostringstream line;
  line << std::ifstream("/proc/" + pid + "/cmdline", std::ios::binary).rdbuf();  // ends where an iterator would throw
  return line.str();
}

/// Processes whose command line contains this word, such as the folder of a test; no zombies.
inline std::vector<pid_t> processes_with(const std::string& word) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    if (command_line_of(pid).find(word) != std::string::npos) found.push_back(std::stoi(pid));
  }
  return found;
}

/// Waits at most ten seconds until there are no such processes; returns whether there are none.
inline bool all_end(const std::string& word) {
  for (int i = 0; i < 1000; ++i) {
    if (processes_with(word).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

inline std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  const std::string pid = std::to_string(parent);
  std::ifstream file("/proc/" + pid + "/task/" + pid + "/children");
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

}  // namespace gputlm
