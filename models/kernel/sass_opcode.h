/// What a SASS opcode means to the model: its operation, pipeline, memory space, access width and how many
/// consecutive registers it writes. Kepler to Blackwell in one table: no mnemonic changed its meaning between them.
///
/// Which opcodes there are follows the instruction set tables of NVIDIA's "CUDA Binary Utilities" (Kepler to Turing,
/// Ampere and Ada, Hopper, Blackwell), which pipeline executes them the pipeline names of the Nsight Compute documentation
/// (conversions and bit counts run on the transcendental unit, XU: kSfu). IMAD counts as an integer instruction, as in the
/// established trace-driven simulators, although Volta's FMA pipe executes it. The uniform datapath is no pipeline of its
/// own: its instructions take the issue slots of the vector instructions of their kind.
///
/// A matrix product of a warpgroup (HGMMA and the like, 64 x N) is N/8 times that of a warp (16 x 8, of as many bytes deep)
/// for each of the four warps, and holds the tensor pipeline for as long. Its latency is then hardly more than that: Luo
/// et al., "Dissecting the NVIDIA Hopper Architecture through Microbenchmarking and Multiple Level Analysis",
/// arXiv:2501.12084, wgmma.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/instruction.h"

namespace gputlm {

struct SassOpcode {
  Op op = Op::kArithmetic;
  Pipe pipe = Pipe::kInt;
  Space space = Space::kGlobal;
  std::uint8_t width = 4;         ///< bytes a lane accesses
  std::uint8_t destinations = 1;  ///< consecutive registers written, if the instruction names a destination
  std::uint8_t products = 1;      ///< of kMatrix: as many as a warp's have to be made
  bool generic = false;           ///< the space follows from the address
  bool bulk = false;              ///< a lane moves as many bytes as the trace says
  bool known = true;              ///< false: taken as an integer instruction
  /// What a SYNCS does, at a barrier in shared memory, with what its register says, or an ARRIVES.
  enum class AtMbarrier : std::uint8_t {
    kNothing,
    kInit,            ///< the register has the arrivals of a phase
    kArrive,          ///< once
    kArriveAndBytes,  ///< once, and waits for so many bytes besides
    kArriveTimes,     ///< so many times
    kBytes,           ///< waits for so many bytes besides
    kOneByte,         ///< waits for one transaction of LDGSTS besides
    kCompletes,       ///< waits for so many bytes no longer
    kWait,            ///< for the phase of so much parity
    kCopiesArrive,    ///< once, when the LDGSTS of the lane have ended
    kCopiesComplete,  ///< likewise: waits for one transaction no longer
  } at_mbarrier = AtMbarrier::kNothing;
  std::string_view lost = {};  ///< what is not done as a GPU does it, to be told; `{}` stands for the opcode
  // These follow from the others, and are asked of each instruction of a trace:
  bool accesses_memory = false;
  bool is_asynchronous = false;  ///< what its addresses are, SassReader says in sass_async.cpp
  bool says_more = false;        ///< so do they, or what stands behind them: SassReader::read_more()
};

/// Decodes an opcode with its modifiers, such as `LDG.E.64.SYS`. The access width comes from the modifiers (`.64`,
/// `.128`, `.U8`, `.S16`, ...; 32 bits without one).
SassOpcode decode_sass_opcode(std::string_view opcode);

/// Decoded opcodes by their text: a trace names the same few hundred again and again.
class SassOpcodeCache {
 public:
  /// More different opcodes than any instruction set has: what is read is no trace.
  static constexpr std::size_t kMaxEntries = 4096;

  SassOpcodeCache();
  /// Null when not yet there. `text` has 8 readable bytes behind its end.
  const SassOpcode* find(const char* text, std::size_t size) const;
  /// Decodes and keeps a new one. At most kMaxEntries.
  const SassOpcode& insert(std::string_view text);
  bool full() const { return entries_ >= kMaxEntries; }

 private:
  struct Entry {
    std::string text;
    SassOpcode opcode;
  };
  std::vector<std::unique_ptr<Entry>> slots_;  ///< open addressing, a power of two, never more than half full
  std::size_t entries_ = 0;
};

}  // namespace gputlm
