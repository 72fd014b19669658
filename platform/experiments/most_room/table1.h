/// The runs behind table 1 of most-room, on any GPU: kernel A leaves one SM empty; kernel B comes with 33 threads a block
/// and gets that SM alone (isolated), or with 32 and shares the SMs of A (colocated).
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
// Fitted, to the serial columns of the table and to nothing else: how much each kind calculates between its accesses, or
// how long the host takes for far faults, so that B alone takes as long in terms of A alone as the paper's. The hit rate of the L1-dependent kind is the 90 % that
// appendix A gives. Lengths are ours: the paper's kernels run for 10^7 to 10^9 cycles.

enum class Table1Kind : std::uint8_t { kL1, kCompute, kMemory, kTransfer };

/// By its name in the figures: "L1-cache-dependent" and so on. Throws std::logic_error for another.
Table1Kind table1_kind(const std::string& name);

struct Table1Kernel {
  bool is_b = false;  ///< B has data of its own
  std::uint32_t blocks = 1, threads = 32;
};

/// `a_warps`: of a block of A, whose tables fill the L1 of `gpu`. `scale`: length of the kernel; 1 is the shortest.
std::shared_ptr<Kernel> table1_kernel(Table1Kind kind, const Table1Kernel& kernel, const GpuConfig& gpu,
                                      std::uint32_t a_warps, std::uint32_t scale);

/// From one page that a block of the transfer kind uses to the next.
inline constexpr Bytes kPageApart = Bytes{1} << 21;

/// The managed memory of its data, if it has some.
std::optional<ManagedAllocation> table1_managed(Table1Kind kind, const Table1Kernel& kernel, std::uint32_t scale);

/// What a kind needs of the GPU.
ParameterSettings table1_settings(Table1Kind kind);

/// A has a block for all SMs but one.
struct Table1Shapes {
  std::uint32_t a_threads, b_blocks;
  /// Blocks of B with 33 threads of which the empty SM gets all but one (section 5.2); 0: such a run is not made.
  std::uint32_t b_spilling = 0;
};

/// Of section 5.
inline constexpr Table1Shapes kTuringShapes{512, 8, 9};

/// Cycles from the first block of a kernel to the end of its last; or what they are over those of the serial case.
struct Table1Times {
  double a = 0, b = 0, total = 0;  ///< total: of both
};

/// How often each takes as long as alone. "Isolated" is over B alone with 33 threads a block, "colocated" with 32.
struct Table1Row {
  Table1Times serial;  ///< cycles, with 33 threads
  Table1Times isolated, colocated;
  std::optional<Table1Times> spilled;  ///< L1-cache-dependent: with Table1Shapes::b_spilling blocks of B
  std::optional<Table1Times> swapped;  ///< compute-intensive: colocated, but B is launched first (section 5.3)
  double b32_over_b33 = 1;             ///< serial
  std::vector<LaunchOutcome> isolated_launches, colocated_launches, spilled_launches;  ///< A and B
  double faults_a_page = 0;          ///< far faults for each page that a block of A uses, serial
  std::array<double, 2> hit_rate{};  ///< of the L1 in the serial case, A and B
};

/// What A and B take serial, isolated and colocated, over A alone.
std::array<std::pair<double, double>, 3> over_a_alone(const Table1Row& row);

/// What an experiment compares: kinds of kernels and lengths, of its plan.
class Table1Runs {
 public:
  /// Runs everything.
  Table1Runs(const Study& plan, Table1Shapes shapes, const ExperimentOptions& options);

  const std::vector<std::string>& kinds() const { return kinds_; }
  /// Shortest first; the last one is judged.
  const std::vector<unsigned>& scales() const { return scales_; }
  const Table1Row& row(const std::string& kind, unsigned scale) const { return rows_.at({kind, scale}); }
  const Table1Row& row(const std::string& kind) const { return row(kind, scales_.back()); }
  /// The largest quotient of a factor and the same factor of another length.
  double spread(const std::string& kind) const;
  double mhz() const { return mhz_; }

  /// As the paper prints them.
  ReportTable times() const;

 private:
  std::vector<std::string> kinds_;
  std::vector<unsigned> scales_;
  std::map<std::pair<std::string, unsigned>, Table1Row> rows_;
  double mhz_ = 0;
  std::string gpu_;
};

}  // namespace gputlm
