/// The runs behind table 1 of most-room, on any GPU. Kernel A leaves one SM empty. Kernel B has either 33 threads per block
/// and gets that SM alone (isolated), or 32 and shares the SMs of A (colocated).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

// The kernels of table 1 of most-room, as its appendix A describes them. Kernels A and B of a kind run the same code.
//
// Fitted to the serial columns of the table, and to nothing else: the amount of computation between accesses for each kind,
// or the host's time for far faults, so that B alone relative to A alone takes as long as in the paper. The hit rate of the
// L1-dependent kind is the 90 % that appendix A states. Lengths are ours: the paper's kernels run for 10^7 to 10^9 cycles.

enum class Table1Kind : std::uint8_t { kL1, kCompute, kMemory, kTransfer };

/// By its name in the figures, such as "L1-cache-dependent". Throws std::logic_error for an unknown name.
Table1Kind table1_kind(const std::string& name);

struct Table1Kernel {
  bool is_b = false;  ///< whether it is kernel B, which has data of its own
  std::uint32_t blocks = 1, threads = 32;
};

/// `a_warps`: warps of a block of A, whose tables fill the L1 of `gpu`. `scale`: length of the kernel; 1 is the shortest.
std::shared_ptr<Kernel> table1_kernel(Table1Kind kind, const Table1Kernel& kernel, const GpuConfig& gpu,
                                      std::uint32_t a_warps, std::uint32_t scale);

/// Distance of the pages that a block of the transfer kind uses.
inline constexpr Bytes kPageApart = Bytes{1} << 21;

/// The managed memory of its data, if any.
std::optional<ManagedAllocation> table1_managed(Table1Kind kind, const Table1Kernel& kernel, std::uint32_t scale);

/// Parameters of the GPU that a kind needs.
ParameterSettings table1_settings(Table1Kind kind);

/// A has blocks for all SMs but one.
struct Table1Shapes {
  std::uint32_t a_threads, b_blocks;
  /// Number of B's blocks with 33 threads of which the empty SM takes all but one (section 5.2); 0: there is no such run.
  std::uint32_t b_spilling = 0;
};

/// The shapes of section 5.
inline constexpr Table1Shapes kTuringShapes{512, 8, 9};

/// Cycles from the first block of a kernel to the end of its last, or their ratio to the serial case.
struct Table1Times {
  double a = 0, b = 0, total = 0;  ///< total: both together
};

/// Slowdowns relative to alone. "Isolated" is relative to B alone with 33 threads per block, "colocated" to B alone with 32.
struct Table1Row {
  Table1Times serial;  ///< cycles, with 33 threads
  Table1Times isolated, colocated;
  std::optional<Table1Times> spilled;  ///< L1-cache-dependent: with Table1Shapes::b_spilling blocks of B
  std::optional<Table1Times> swapped;  ///< compute-intensive: colocated, but B is launched first (section 5.3)
  double b32_over_b33 = 1;             ///< time of B with 32 threads per block over that with 33, serial
  std::vector<LaunchOutcome> isolated_launches, colocated_launches, spilled_launches;  ///< launches of A and B
  double faults_a_page = 0;          ///< far faults per page that a block of A uses, serial
  std::array<double, 2> hit_rate{};  ///< hit rates of the L1 in the serial case, A and B, 0 to 1
};

/// Times of A and B serial, isolated and colocated, relative to A alone.
std::array<std::pair<double, double>, 3> over_a_alone(const Table1Row& row);

/// The kinds of kernels and lengths of a plan.
class Table1Runs {
 public:
  /// Runs everything.
  Table1Runs(const Study& plan, Table1Shapes shapes, const ExperimentOptions& options);

  const std::vector<std::string>& kinds() const { return kinds_; }
  /// Shortest first; only the last one is judged.
  const std::vector<unsigned>& scales() const { return scales_; }
  const Table1Row& row(const std::string& kind, unsigned scale) const { return rows_.at({kind, scale}); }
  const Table1Row& row(const std::string& kind) const { return row(kind, scales_.back()); }
  /// The largest ratio of a factor to the same factor at another length.
  double spread(const std::string& kind) const;
  double mhz() const { return mhz_; }

  /// Table 1 in the paper's layout.
  ReportTable times() const;

 private:
  std::vector<std::string> kinds_;
  std::vector<unsigned> scales_;
  std::map<std::pair<std::string, unsigned>, Table1Row> rows_;
  double mhz_ = 0;
  std::string gpu_;
};

}  // namespace gputlm
