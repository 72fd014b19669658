/// A kernel whose blocks run a program (models/kernel/program.h). The code is compiled once; a block refers to it and, if
/// work varies between blocks, has its own iteration counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/program.h"
#include "models/kernel/program_code.h"

namespace gputlm {

/// Whether its blocks depend on the seed.
bool is_random(const ProgramSpec& spec);

/// The maximum of Variation::spread.
double largest_spread(Variation::Distribution distribution);

class ProgramKernel final : public Kernel {
 public:
  /// Throws InputError for a program that cannot run, an empty grid or a block of 0 or more than 1024 threads.
  ProgramKernel(const ProgramSpec& spec, std::uint64_t seed);

  /// May be called for blocks in any order, and for several launches at once.
  std::unique_ptr<BlockCode> code(std::uint64_t index) override;
  bool blocks_are_alike() const override { return spec_.variation.spread == 0 && program_.units == 0; }
  bool is_asynchronous() const override { return program_.asynchronous; }
  std::string source() const override;
  std::string work() const override;
  const std::vector<std::string>& warnings() const { return program_.warnings; }
  const ProgramSpec& spec() const { return spec_; }
  std::uint64_t seed() const { return seed_; }

 private:
  ProgramSpec spec_;
  ProgramCode program_;
  std::vector<LoopInfo> loops_;  // loops without variation
  std::uint64_t seed_;
};

}  // namespace gputlm
