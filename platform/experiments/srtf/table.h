/// Every pair of kernels in both launch orders under several kernel orders: a table in the form of srtf's table 5.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "platform/experiments/srtf/runs.h"

namespace gputlm {

struct SrtfTable {
  std::vector<std::string> orders;
  std::vector<SrtfPair> workloads;             ///< A+B, B+A, A+C, C+A ...
  std::vector<std::vector<SrtfOutcome>> rows;  ///< outcomes, indexed by order and workload
  // Geometric means of a row.
  double stp(std::size_t row) const;
  double antt(std::size_t row) const;
  double strictf(std::size_t row) const;
};

/// `apart`: cycles between the arrivals; the kernel named first is launched first. `sjf` knows the kernels before they arrive
/// (section 6.2.2: it "schedules kernels even before they run"): with it the shorter one is launched first, so A+B equals
/// B+A.
SrtfTable run_srtf_table(SrtfRuns& runs, const std::vector<std::string>& orders,
                         const std::function<Cycle(std::size_t first)>& apart);

/// Adds the means of each kernel order, and the metrics of each workload with charts (figures 14 to 16). `name`: prefix of
/// the files' names; `when`: for the titles.
void add_srtf_table(ExperimentReport& report, const SrtfTable& table, const std::string& name,
                    const std::string& when = "");

/// The columns of means, for lines `kernel order, STP, ANTT, fairness`.
Table srtf_means();

// The claims of srtf's sections 2 and 6.2.1 to 6.2.4 about its 56 workloads, as figures.

/// Kernel orders of table 5, and that of section 6.2.2. A table to be judged has rows in this order.
inline constexpr std::array<const char*, 6> kSrtfOrders{"fifo",          "mpmax", "srtf",
                                                        "srtf_adaptive", "sjf",   "srtf_zero_sampling"};

/// `quick`: only some workloads are present, so numerical claims about all of them are left out.
void add_srtf_claims(ExperimentReport& report, const SrtfTable& table, bool quick);

}  // namespace gputlm
