/// A kernel whose blocks run different programs: blocks before the first entry of `until` run the first program, then the
/// second, and so on; the rest run the last. Used for address rules that no pattern has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/kernel/program_kernel.h"

namespace gputlm {

class SplitKernel final : public Kernel {
 public:
  /// Shape and resources are those of the first program. `until`: block numbers, ascending, one fewer than programs.
  SplitKernel(const std::vector<ProgramSpec>& programs, std::vector<std::uint64_t> until);
  std::unique_ptr<BlockCode> code(std::uint64_t index) override;
  std::string source() const override;

 private:
  std::vector<std::unique_ptr<ProgramKernel>> parts_;
  std::vector<std::uint64_t> until_;
};

}  // namespace gputlm
