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

/// Reads what Verilator wrote, in a file a run; a point is reached if one of them has reached it. A waiver is a line `module.signal[bit]: why no input reaches it`, for all bits without
/// `[bit]`, for the bits i*N+j of an N x N matrix with `[j=i of N]` or `[j>=i of N]`; lines with # are comments.
/// Throws InputError for a file that cannot be read, and if there are no points: the design was built without them.
CodeCoverage read_code_coverage(const std::vector<std::string>& data_paths, const std::string& waivers_path);

}  // namespace gputlm
