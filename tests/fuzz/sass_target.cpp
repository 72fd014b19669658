#include "models/kernel/sass_kernel.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

constexpr std::uint64_t kBlocks = 64;

/// Twice, as a kernel that is launched again: with the same warnings.
void attack_sass(const std::string& text) {
  const FileInMemory file(text);
  SassKernel kernel(file.path());
  walk(kernel, kBlocks);
  const std::size_t warnings = kernel.warnings().size();
  kernel.rewind();
  walk(kernel, kBlocks);
  require(kernel.warnings().size() == warnings, "a trace that is read again is warned about again");
}

const Registration of_sass{{"sass", Grammar::kLines, attack_sass}};

}  // namespace
}  // namespace gputlm::fuzz
