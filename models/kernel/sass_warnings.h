/// Assumptions made while reading a trace; each kind is reported once, where it first occurred.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/text_source.h"

namespace gputlm {

struct SassWarning {
  std::string kind;                ///< warnings of the same kind say the same about other kernels
  std::string text;                ///< `FILE:LINE: what was assumed`
  std::uint64_t instructions = 0;  ///< instructions affected; 0: not counted
};

class SassWarnings {
 public:
  enum Kind : unsigned {
    kBlockOrder,
    kMissingWarp,
    kMissingExit,
    kBarrierNumber,
    kDestinations,
    kRegisters,
    kSharedMemory,
    kCluster,
    kKinds
  };
  void once(Kind kind, const LineReader& where, const std::string& what);
  /// A warning about an instruction: counted by its opcode without modifiers and by `what`, and reported as `what` with
  /// that opcode in place of `{}`. Opcodes after the 20th are not reported.
  void opcode(const LineReader& where, std::string_view name, std::string_view what);
  /// A warning about the header.
  void header(const std::string& path, const std::string& what);

  const std::vector<SassWarning>& all() const { return all_; }

 private:
  void add(std::string kind, const LineReader& where, const std::string& what);

  std::vector<SassWarning> all_;
  std::size_t opcodes_ = 0;
  bool told_[kKinds] = {};
};

}  // namespace gputlm
