/// Reads the thread blocks of a SASS trace one by one, in file order. The format is that of the NVBit tracer of
/// Accel-Sim, versions 1 to 6.
///
/// Rules where the format is ambiguous:
///  - Of the lines about a block's cluster, only the rank is read. From version 6 on, everything after the immediate (a
///    second immediate, register values) is skipped, except for SYNCS.
///  - In a cluster, shared-memory addresses have the rank of their block in bits 24 and up (cluster_address()).
///  - A SYNCS acts by its modifiers, once per lane, with the value of its second source register. Without values, as before
///    version 6, it does not wait. A trace repeats a failed wait; each repetition waits.
///  - For TMA (UTMALDG and the like), version 6 has the mbarrier, the blocks of a multicast, the bytes, those beyond the
///    tensor's edges, and an address for each equal part of the other bytes; each part is treated as a row.
///  - The k-th block of the file is block k, regardless of its `thread block` line (these must all differ).
///  - Warps of a block may come in any order; a missing warp has only an EXIT.
///  - A warp ends at its last instruction: an EXIT before it (of some lanes) is a control instruction. If the last is not
///    an EXIT, an EXIT without active lanes is added.
///  - An instruction without active lanes issues, but touches no memory and does not wait at a barrier.
///  - Register 255 is the zero register; predicate and uniform registers carry no dependence here.
///  - The access width comes from the opcode, not from the width field (which NVBit reports wrongly).
///  - A stride (address mode 1) is between neighbouring lanes, active or not; the tracer uses it only where the
///    active lanes are neighbours.
///  - A generic access is to shared or local memory if the first active lane's address lies in that window: 16 MiB
///    each, from the header's base (as the driver sets them up), ending at the other's base if that is nearer.
///  - A memory instruction without addresses issues to its pipeline and touches no memory (constants excepted, which need
///    no address to be served). Warnings name what has no effect or is impossible: an access without addresses, one beyond
///    the header's shared memory, a register beyond its registers.
///  - A bulk copy (UTMALDG and the like) by one lane moves the bytes of the width field, as 16 bytes in each of
///    neighbouring lanes. Asynchronous copies go through the L1 as loads do; their writes take no time of the shared-memory
///    banks.
///  - DEPBAR waits for the groups of the warp's asynchronous copies (LDGSTS, LDGDEPBAR) until at most its immediate remain.
///  - STAS and REDAS have an address of 64 bits, a pair of registers (cicuvc/nvidia-sass-document, docs of both: [Ra.64] in
///    what ptxas makes of st.async and red.async): the lower half is the data's address, the upper half the mbarrier's,
///    both with the rank of their block. No source shows which half is which; this assumes the order of PTX's operands, and
///    that the instruction's 24-bit offset is added to the data's address.
///  - A store with a destination register, an address beyond the 49 bits of Pascal and later, and a memory width that is
///    not a power of two up to 128 are errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/sass_block.h"
#include "models/kernel/sass_header.h"
#include "models/kernel/sass_opcode.h"
#include "models/kernel/sass_warnings.h"
#include "models/kernel/text_source.h"
#include "tlm/base/format_field.h"

namespace gputlm {

class SassReader {
 public:
  /// `header` is that of the file; it and `warnings` outlive the reader.
  SassReader(const std::string& path, const SassHeader& header, SassWarnings& warnings);

  /// Reads block `index`, the next of the file. Throws InputError if it is missing, cut off or malformed.
  void read_block(std::uint64_t index, SassBlockBuffers& out);
  /// Throws InputError if another block follows.
  void expect_end();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_at(const char* found, const char* allowed) const;
  [[noreturn]] void fail_at(const char* found, const FormatField& allowed) const;
  bool find_block();
  void read_block_id(std::uint64_t index);
  void read_rank(const char* line, SassBlockBuffers& out);
  void read_warp(SassBlockBuffers& out);
  std::uint64_t read_instruction_count();
  void read_instruction(const char* p, SassBlockBuffers& out);
  void follow(std::uint64_t pc, SassBlockBuffers& out);
  const SassOpcode& opcode(const char* begin, const char* end);
  std::uint64_t read_number(const char*& p, std::uint64_t largest, const FormatField& field) const;
  std::uint8_t read_register(const char*& p, const FormatField& field) const;
  unsigned read_destinations(const char*& p, std::uint64_t named, Instruction& out);
  void check_registers(const Instruction& instruction);
  const char* read_memory(const char* p, const SassOpcode& opcode, Bytes width, Instruction& out,
                          SassBlockBuffers& block);
  void check_shared(Address last, const Instruction& instruction);
  Address place_generic(Address base, Instruction& out) const;
  Address place_in_cluster(Address base, Instruction& out, const SassBlockBuffers& block) const;
  // Barriers in shared memory and TMA copies: sass_async.cpp.
  const char* read_bulk(const char* p, const SassOpcode& code, std::string_view text, Instruction& out,
                        SassBlockBuffers& block);
  void read_mbarriers(const char* values, const SassOpcode& code, std::string_view text, Instruction& out,
                      SassBlockBuffers& block);
  void read_async_store(const SassOpcode& code, std::string_view text, Instruction& out, SassBlockBuffers& block);
  bool read_values(const char* p, std::uint64_t registers, std::uint64_t wanted, LaneAddresses& out) const;
  void read_more(const char* immediate, const char* behind, const SassOpcode& code, std::string_view text,
                 Instruction& out, SassBlockBuffers& block);
  void set_barrier(const char* immediate, Instruction& out);
  void set_groups(const char* immediate, Instruction& out);
  void finish_warp(std::uint32_t first, SassBlockBuffers& out);

  LineReader lines_;
  const SassHeader& header_;
  SassWarnings& warnings_;
  SassOpcodeCache opcodes_;
  std::uint64_t blocks_;
  std::uint32_t warps_;
  bool header_over_ = false;
  bool disordered_ = false;
  std::uint64_t registers_written_ = 0, registers_read_ = 0;  ///< number of registers in the last instruction read
  bool has_addresses_ = false;                                ///< whether the last instruction read has addresses
  bool exits_ = false;                                        ///< whether the last instruction read was an EXIT
  std::optional<std::uint64_t> pc_;  ///< program counter of the last instruction read, if it is of the same warp
  std::vector<bool> seen_;           ///< whether each block has been seen, by id; used once they are out of order
};

}  // namespace gputlm
