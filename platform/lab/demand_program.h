/// A kernel whose warps produce a demand (models/kernel/demand.h): instructions by pipe, loads that stream, loads that reread
/// data in the L2 or in the L1, stores, and accesses of shared memory, evenly divided among its warps.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/kernel/demand.h"
#include "models/kernel/program.h"

namespace gputlm {

/// Derives the work of each warp from a demand.
class DemandProgram {
 public:
  /// `like`: supplies name, shape and resources. Address patterns begin at `base`.
  DemandProgram(const ProgramSpec& like, const KernelDemand& demand, const GpuConfig& gpu, Address base);

  /// `hidden` states how well its warps hide latency, from least_hidden() on. Below 0 some arithmetic depends on the
  /// instruction before it; below 1 some of it also depends on the load before it; from 1 on a load depends on the load that
  /// many before it.
  ProgramSpec program(double hidden) const;
  static constexpr double least_hidden() { return -1; }
  double most_hidden() const { return loads_a_pass() == 0 ? 1 : static_cast<double>(loads_a_pass()); }

  /// End of its memory, rounded up to 2 MiB.
  Address end() const { return end_; }

 private:
  /// Whether a warp or a block rereads the same sectors.
  enum class Near : std::uint8_t { kNone, kWarp, kBlock };
  /// Accesses per warp: in total, and per iteration of its loop. The remainder is done after the loop.
  struct Accesses {
    std::string name;
    Space space = Space::kGlobal;
    bool store = false;
    double exact = 0;  ///< number per warp, before rounding
    std::uint64_t all = 0, a_pass = 0;
    Bytes footprint = 0;       ///< addresses wrap around within it; 0: every access has a new address
    unsigned words_apart = 1;  ///< distance between lanes in shared memory, in words
    Near near = Near::kNone;
    std::uint64_t rest(std::uint64_t passes) const { return all - a_pass * passes; }
  };
  /// Instructions of a pipe, in total and per iteration.
  struct Work {
    Pipe pipe = Pipe::kFp32;
    double exact = 0;
    std::uint64_t all = 0, a_pass = 0;
  };

  void divide_sectors(const KernelDemand& demand, const GpuConfig& gpu);
  double divide_accesses(const KernelDemand& demand, double global_sectors);
  void add_shared(double accesses, double wavefronts);
  static double distinct_writes(const KernelDemand& demand, double read_hits, const GpuConfig& gpu);
  void divide_instructions(const KernelDemand& demand);
  void choose_passes();
  void place(Address base);
  std::uint64_t loads_a_pass() const;
  Bytes span(const Accesses& accesses, std::uint64_t count) const;
  AddressPattern pattern(const Accesses& accesses, const std::string& name, Address base, std::uint64_t count,
                         std::uint64_t slot, std::uint64_t slots) const;
  std::vector<ProgramElement> pass(double hidden, std::vector<AddressPattern>& patterns) const;
  void add_rest(ProgramSpec& spec) const;

  ProgramSpec like_;
  std::uint32_t warps_of_block_ = 1;
  double warps_ = 1;      ///< number of warps in the launch
  unsigned sectors_ = 4;  ///< sectors per access of global memory
  std::uint64_t passes_ = 1;
  std::vector<Accesses> accesses_;
  std::vector<Address> bases_;  ///< start address of each of accesses_
  std::vector<Work> work_;
  Address end_ = 0;
};

}  // namespace gputlm
