/// Every pair of kernels in both orders under several kernel orders: a table of the form of srtf's table 5.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/experiments/srtf/runs.h"

namespace gputlm {

struct SrtfTable {
  std::vector<std::string> orders;
  std::vector<SrtfPair> workloads;             ///< A+B, B+A, A+C, C+A ...
  std::vector<std::vector<SrtfOutcome>> rows;  ///< by order, by workload
  // Geometric means of a row.
  double stp(std::size_t row) const;
  double antt(std::size_t row) const;
  double strictf(std::size_t row) const;
};

/// `apart`: cycles between the arrivals, of a kernel launched first. `sjf` knows before they arrive which kernels will
/// (section 6.2.2: it "schedules kernels even before they run"): with it the shorter is launched first, and A+B is B+A.
SrtfTable run_srtf_table(SrtfRuns& runs, const std::vector<std::string>& orders,
                         const std::function<Cycle(std::size_t first)>& apart);

std::string workloads_text(const SrtfTable& table);  ///< a line a workload
std::string summary_text(const SrtfTable& table);    ///< a line a kernel order
/// PATH.csv, and the metrics per workload as PATH-stp.svg, PATH-antt.svg and PATH-fairness.svg (figures 14 to 16).
void write_srtf_files(const SrtfTable& table, const std::string& path);

}  // namespace gputlm
