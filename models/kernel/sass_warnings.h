/// What had to be assumed while a trace was read; each kind of assumption is told once, where it was first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/text_source.h"

namespace gputlm {

struct SassWarning {
  std::string kind;                ///< warnings of other kernels that are of this kind say the same of them
  std::string text;                ///< `FILE:LINE: what was assumed`
  std::uint64_t instructions = 0;  ///< that were read, each time; 0: they are not counted
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
  /// Of an instruction: counted by its opcode without modifiers and by `what`, and told as `what` with that opcode in the
  /// place of `{}`. Of a trace with many such opcodes, those after the 20th are not told.
  void opcode(const LineReader& where, std::string_view name, std::string_view what);
  /// Of the header.
  void header(const std::string& path, const std::string& what);

  const std::vector<SassWarning>& all() const { return all_; }

 private:
  void add(std::string kind, const LineReader& where, const std::string& what);

  std::vector<SassWarning> all_;
  std::size_t opcodes_ = 0;
  bool told_[kKinds] = {};
};

}  // namespace gputlm
