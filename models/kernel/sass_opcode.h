/// The meaning of a SASS opcode in the model: its operation, pipeline, memory space, access width and number of consecutive
/// registers written. Kepler to Blackwell in one table: no mnemonic changed its meaning between them.
///
/// The opcodes are those of the instruction set tables of NVIDIA's "CUDA Binary Utilities" (Kepler to Turing, Ampere and
/// Ada, Hopper, Blackwell). Their pipelines follow the pipeline names of the Nsight Compute documentation (conversions and
/// bit counts run on the transcendental unit, XU: kSfu). IMAD counts as an integer instruction, as in the established
/// trace-driven simulators, although Volta's FMA pipe executes it. The uniform datapath is not a separate pipeline: its
/// instructions take the issue slots of the vector instructions of their kind.
///
/// A matrix product of a warpgroup (HGMMA and the like, 64 x N) is N/8 times that of a warp (16 x 8, of the same depth in
/// bytes) for each of the four warps, and holds the tensor pipeline correspondingly long. Its latency is hardly more than
/// that: Luo et al., "Dissecting the NVIDIA Hopper Architecture through Microbenchmarking and Multiple Level Analysis",
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
  std::uint8_t width = 4;         ///< bytes per lane
  std::uint8_t destinations = 1;  ///< consecutive registers written, if the instruction names a destination
  std::uint8_t products = 1;      ///< for kMatrix: number of products of a warp
  bool generic = false;           ///< the space follows from the address
  bool bulk = false;              ///< the trace gives the bytes per lane
  bool known = true;              ///< false: taken as an integer instruction
  /// The effect of a SYNCS, with the value of its register, or of an ARRIVES, at a barrier in shared memory.
  enum class AtMbarrier : std::uint8_t {
    kNothing,
    kInit,            ///< the register has the arrivals of a phase
    kArrive,          ///< one arrival
    kArriveAndBytes,  ///< one arrival; the register has bytes that the phase also waits for
    kArriveTimes,     ///< the register has the number of arrivals
    kBytes,           ///< the register has bytes that the phase also waits for
    kOneByte,         ///< the phase also waits for one transaction of LDGSTS
    kCompletes,       ///< the register has bytes that have arrived
    kWait,            ///< the register has the parity of the phase
    kCopiesArrive,    ///< one arrival, when the LDGSTS of the lane have ended
    kCopiesComplete,  ///< one transaction completes, when the LDGSTS of the lane have ended
  } at_mbarrier = AtMbarrier::kNothing;
  std::string_view lost = {};  ///< warning of a difference from a GPU; `{}` stands for the opcode
  // These follow from the others; they are read for each instruction of a trace:
  bool accesses_memory = false;
  bool is_asynchronous = false;  ///< SassReader reads its addresses in sass_async.cpp
  bool says_more = false;        ///< its addresses or the fields after them have more to read: SassReader::read_more()
};

/// Decodes an opcode with its modifiers, such as `LDG.E.64.SYS`. The access width comes from the modifiers (`.64`,
/// `.128`, `.U8`, `.S16`, ...; 32 bits without one).
SassOpcode decode_sass_opcode(std::string_view opcode);

/// Decoded opcodes by their text: a trace repeats the same few hundred.
class SassOpcodeCache {
 public:
  /// More different opcodes than any instruction set has: the file is not a trace.
  static constexpr std::size_t kMaxEntries = 4096;

  SassOpcodeCache();
  /// Null if absent. `text` has 8 readable bytes after its end.
  const SassOpcode* find(const char* text, std::size_t size) const;
  /// Decodes and stores a new one; at most kMaxEntries.
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
