/// A kernel with warps that ask for what a demand says (models/kernel/demand.h): so many instructions by pipe, loads that
/// stream, that read again what is in the L2 or in the L1, stores and accesses of shared memory, evenly over its warps.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/kernel/demand.h"
#include "models/kernel/program.h"

namespace gputlm {

/// What a demand comes to for each warp.
class DemandProgram {
 public:
  /// `like`: name, shape and resources. Its patterns begin at `base`.
  DemandProgram(const ProgramSpec& like, const KernelDemand& demand, const GpuConfig& gpu, Address base);

  /// How far its warps hide latency, from least_hidden() on: below 0 some arithmetic waits for the instruction before it,
  /// below 1 also some of it for the load before it; from 1 on a load waits for the one that many before it.
  ProgramSpec program(double hidden) const;
  static constexpr double least_hidden() { return -1; }
  double most_hidden() const { return loads_a_pass() == 0 ? 1 : static_cast<double>(loads_a_pass()); }

  /// Behind the last byte that it touches, rounded up to 2 MiB.
  Address end() const { return end_; }

 private:
  /// Who reads the same sectors again and again.
  enum class Near : std::uint8_t { kNone, kWarp, kBlock };
  /// Accesses of each warp: in all, and in a pass of its loop. What is left, it does behind the loop.
  struct Accesses {
    std::string name;
    Space space = Space::kGlobal;
    bool store = false;
    double exact = 0;  ///< of a warp
    std::uint64_t all = 0, a_pass = 0;
    Bytes footprint = 0;       ///< addresses go around within it; 0: each access is of its own
    unsigned words_apart = 1;  ///< lanes, in shared memory
    Near near = Near::kNone;
    std::uint64_t rest(std::uint64_t passes) const { return all - a_pass * passes; }
  };
  /// Instructions of a pipe, likewise.
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
  double warps_ = 1;      ///< of the launch
  unsigned sectors_ = 4;  ///< of an access of global memory
  std::uint64_t passes_ = 1;
  std::vector<Accesses> accesses_;
  std::vector<Address> bases_;  ///< of accesses_
  std::vector<Work> work_;
  Address end_ = 0;
};

}  // namespace gputlm
