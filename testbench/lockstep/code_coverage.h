/// Verilator's line, branch and toggle coverage, summed up and judged.
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
  std::map<std::string, Kind> kinds;  ///< by "line", "branch", "toggle"
  std::vector<std::string> excused;   ///< lines of the waivers that excused a point
  std::vector<std::string> missing;   ///< points that were not reached and that nothing excuses: file, line, name
};

/// Reads what Verilator wrote. A waiver is a line `module.signal[bit]: why no input reaches it`, for all bits without
/// `[bit]`, for the bits i*N+j of an N x N matrix with `[j=i of N]` or `[j>=i of N]`; lines with # are comments.
/// Throws InputError for a file that cannot be read.
CodeCoverage read_code_coverage(const std::string& data_path, const std::string& waivers_path);

}  // namespace gputlm
