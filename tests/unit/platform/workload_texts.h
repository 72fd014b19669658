/// Texts of workload files for tests, and the reader's messages about them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "platform/input/workload_file.h"
#include "tlm/base/error.h"

namespace gputlm {

inline const char* const kKernels =
    "kernels:\n"
    "  k: {grid: 4, block: 64, program: [int]}\n"
    "  other: {grid: 8, block: [8, 8, 2], program: [fp32]}\n";

inline Workload load_text(const std::string& text) { return load_workload_text(text, "w.yaml", 1); }

inline std::string workload_error(const std::string& text) {
  try {
    load_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The error of a workload whose first kernel starts in line 3 with these lines, two spaces short of their place.
inline std::string kernel_error(const std::string& lines) {
  std::string text = "kernels:\n  k:\n";
  std::size_t start = 0;
  while (start < lines.size()) {
    const std::size_t end = lines.find('\n', start);
    text += "    " + lines.substr(start, end - start) + "\n";
    start = end == std::string::npos ? lines.size() : end + 1;
  }
  return workload_error(text + "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
}

inline std::string launches_error(const std::string& launches) {
  return workload_error(kKernels + ("applications: [{name: a, streams: [{name: s, launches: " + launches + "}]}]\n"));
}

inline Workload load_launches(const std::string& launches) {
  return load_text(kKernels + ("applications: [{name: a, streams: [{name: s, launches: [" + launches + "]}]}]"));
}

}  // namespace gputlm
