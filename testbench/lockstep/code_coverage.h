/// Sums up and judges Verilator's line, branch and toggle coverage.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gputlm {

struct CodeCoverage {
  struct Kind {
    std::size_t points = 0, reached = 0;
  };
  std::map<std::string, Kind> kinds;  ///< counts by kind: "line", "branch", "toggle"
  std::vector<std::string> excused;   ///< lines of the waivers that excused a point
  std::vector<std::string> missing;   ///< points neither reached nor excused: file, line, name
};

/// Reads Verilator's coverage files, one per run; a point is reached if any run reached it. A waiver is a line
/// `module.signal[bit]: why no input reaches it`. Without `[bit]` it covers all bits; `[j=i of N]` or `[j>=i of N]` cover the
/// bits i*N+j of an N x N matrix. Lines with # are comments. Throws InputError for a file that cannot be read, and if there
/// are no points: the design was built without coverage.
CodeCoverage read_code_coverage(const std::vector<std::string>& data_paths, const std::string& waivers_path);

}  // namespace gputlm
