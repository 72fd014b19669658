// The hot path of SassReader: one line of the trace into one Instruction.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "models/kernel/program.h"
#include "models/kernel/sass_fields.h"
#include "models/kernel/sass_reader.h"
#include "models/kernel/sass_scan.h"

namespace gputlm {
namespace {

namespace sass_line {
using sass::kParser, sass::kTracerLine, sass::trace_format;
constexpr const char* kPlace = "instruction, tokens of a line";
const FormatField kBlockAndWarp(trace_format, kPlace, "threadblock_x threadblock_y threadblock_z warpid_tb",
                                "block and warp, only before version 3 of the tracer", "", "decimal", kParser);
const FormatField kLine(trace_format, kPlace, "line_num", "line of the source, only with enable lineinfo = 1", "",
                        "decimal", kTracerLine);
const FormatField kPc(trace_format, kPlace, "PC", "offset of the instruction in its function", "B",
                      "hexadecimal without 0x, four digits or more", kTracerLine);
const FormatField kMask(trace_format, kPlace, "mask", "lanes that are active and whose predicate holds", "",
                        "hexadecimal without 0x, up to 32 bits; bit n is lane n", kTracerLine);
const FormatField kDestinations(trace_format, kPlace, "dest_num", "number of registers written that follow", "",
                                "decimal, 0 to 8; the tracer writes 0 or 1", kTracerLine);
const FormatField kDestination(trace_format, kPlace, "reg_dests", "register written", "",
                               "R0 to R255, the last of which is the zero register; since version 6 UR, P and UP, too",
                               kParser);
const FormatField kOpcode(trace_format, kPlace, "opcode", "opcode with its modifiers", "",
                          "as `FADD` or `LDG.E.64` (CUDA Binary Utilities, instruction set reference)", kTracerLine);
const FormatField kSourceNumber(trace_format, kPlace, "src_num", "number of registers read that follow", "",
                                "decimal, 0 to 5", kTracerLine);
const FormatField kSource(trace_format, kPlace, "reg_srcs", "register read", "",
                          "R0 to R255, the last of which is the zero register; since version 6 UR, P and UP, too",
                          kParser);
const FormatField kCommit(trace_format, kPlace, "is_gmma_commit_group",
                          "whether a GMMA ends a group; only of a GMMA since version 6", "", "0 or 1", kParser);
const FormatField kWidth(
    trace_format, kPlace, "mem_width", "bytes of a lane, by the first number of the opcode", "B",
    "decimal: 0 (no addresses follow) or a power of two up to 128; 4 where the opcode has no number",
    "tracer_tool.cu, get_datawidth_from_opcode");
const FormatField kMode(trace_format, kPlace, "adrrescompress?", "form of the addresses", "",
                        "0 list_all, 1 base_stride, 2 base_delta", "tracer_tool.cu, address_format");
const FormatField kAddress(trace_format, kPlace, "mem_addresses",
                           "address of each active lane in mode 0, of the first one in modes 1 and 2", "B",
                           "hexadecimal with 0x", kTracerLine);
const FormatField kStride(trace_format, kPlace, "mem_addresses, stride",
                          "distance between neighbouring active lanes, in mode 1", "B", "decimal, signed 32 bits",
                          "tracer_tool.cu, base_stride_compress");
const FormatField kDelta(trace_format, kPlace, "mem_addresses, deltas",
                         "distance of each active lane but the first from the one before, in mode 2", "B",
                         "decimal, signed 64 bits", "tracer_tool.cu, base_delta_compress");
const FormatField kImmediate(trace_format, kPlace, "immediate", "last immediate operand; missing before version 4", "",
                             "decimal: the lower 32 bits, signed", kTracerLine);
}  // namespace sass_line

constexpr Bytes kWindowBytes = Bytes{1} << 24;
constexpr std::uint64_t kMaxGroups = 255;  // groups of copies that may remain in flight
constexpr std::uint64_t kMaxDestinations = 8;
constexpr unsigned kAddressBits = 49;  // virtual addresses of Pascal and later (CUDA programming guide, unified memory)
constexpr std::uint64_t kMaxWidth = 128;
constexpr std::uint8_t kLaneBytes = 16;  // maximum per lane

enum AddressMode : std::uint64_t { kList = 0, kBaseStride = 1, kBaseDeltas = 2 };

bool in_window(Address address, Address base, Address other, Bytes bytes) {
  if (base == 0 || address < base) return false;
  return address - base < (other > base ? std::min(bytes, other - base) : bytes);
}

bool is_full_mask(const char* p) { return std::memcmp(p, "ffffffff", 8) == 0 && sass::is_separator(p[8]); }

}  // namespace

void SassReader::read_instruction(const char* p, SassBlockBuffers& out) {
  std::uint64_t number = 0;
  for (unsigned i = (header_.block_prefix ? 4u : 0u) + (header_.line_info ? 1u : 0u); i > 0; --i)
    if (!sass::scan_decimal(p, number)) fail_at(p, header_.block_prefix ? sass_line::kBlockAndWarp : sass_line::kLine);
  if (!sass::scan_hex(p, number)) fail_at(p, sass_line::kPc);
  follow(number, out);

  Instruction instruction;
  sass::skip_blanks(p);
  if (is_full_mask(p)) {
    p += 8;
  } else {
    const char* const mask = p;
    if (!sass::scan_hex(p, number) || number > 0xffffffffu) fail_at(mask, sass_line::kMask);
    instruction.mask = static_cast<std::uint32_t>(number);
  }

  number = read_number(p, kMaxDestinations, sass_line::kDestinations);
  registers_written_ = number;
  const unsigned written = number == 0 ? 0 : read_destinations(p, number, instruction);

  sass::skip_blanks(p);
  if (*p < 'A' || *p > 'Z') fail_at(p, sass_line::kOpcode);
  const char* const name = p;
  p = sass::token_end(p);
  const std::string_view text(name, static_cast<std::size_t>(p - name));
  const SassOpcode& code = opcode(name, p);
  if (!code.lost.empty()) warnings_.opcode(lines_, text, code.lost);
  instruction.op = code.op;
  instruction.pipe = code.pipe;
  instruction.space = code.space;
  instruction.width = code.width;
  if (code.op == Op::kMatrix) instruction.operand = code.products;
  if (written != 0) {
    // The result would never arrive.
    if (code.op == Op::kStore || code.op == Op::kAsyncStore)
      fail("`" + std::string(text) + "` has a destination register, but a store has none");
    // A wide result cannot extend beyond the last register; the next is the zero register.
    const unsigned room = kNoRegister - instruction.destination;
    instruction.destinations =
        static_cast<std::uint8_t>(std::min(std::max<unsigned>(code.destinations, written), room));
  }

  registers_read_ = read_number(p, kMaxSources, sass_line::kSourceNumber);
  for (number = registers_read_; number > 0; --number) {
    const std::uint8_t source = read_register(p, sass_line::kSource);
    if (source != kNoRegister) instruction.source[instruction.sources++] = source;
  }

  check_registers(instruction);
  if (header_.has_values && text.find("GMMA") != std::string_view::npos) read_number(p, 1, sass_line::kCommit);

  const char* const width = p;
  has_addresses_ = false;
  number = read_number(p, kMaxWidth, sass_line::kWidth);
  if ((number & (number - 1)) != 0) fail_at(width, sass_line::kWidth);
  if (code.bulk && header_.has_values) {
    p = read_bulk(p, code, text, instruction, out);
  } else if (number != 0) {
    p = read_memory(p, code, number, instruction, out);
  } else if (code.accesses_memory) {
    if (code.space == Space::kConstant) {
      instruction.operand = out.addresses.add_stride(0, 0);
    } else {
      if (instruction.mask != 0)
        warnings_.opcode(lines_, text, "{} has no addresses; such instructions touch no memory");
      instruction.op = Op::kArithmetic;
    }
  }

  sass::skip_blanks(p);
  const char* const immediate = p;
  p = sass::token_end(p);
  sass::skip_blanks(p);
  if (*p != '\n' && !header_.has_values)
    fail_at(p, (std::string("nothing may follow the ") + sass_line::kImmediate.name).c_str());
  exits_ = code.op == Op::kExit;
  if (exits_) instruction.op = Op::kArithmetic;  // unless it turns out to be the warp's last
  if (code.says_more) read_more(immediate, p, code, text, instruction, out);
  instruction.fill_places();
  out.instructions.push_back(instruction);
}

/// `behind`: position after the immediate.
void SassReader::read_more(const char* immediate, const char* behind, const SassOpcode& code, std::string_view text,
                           Instruction& out, SassBlockBuffers& block) {
  if (code.at_mbarrier != SassOpcode::AtMbarrier::kNothing) read_mbarriers(behind, code, text, out, block);
  if (out.op == Op::kAsyncStore) read_async_store(code, text, out, block);
  if (code.op == Op::kBarrier) set_barrier(immediate, out);
  if (code.op == Op::kAwaitCopies) set_groups(immediate, out);
}

/// An instruction that follows neither the warp's last instruction nor the control word there (8 bytes each until Pascal,
/// 16 bytes per instruction since) was reached by a branch.
void SassReader::follow(std::uint64_t pc, SassBlockBuffers& out) {
  if (pc_ && pc - *pc_ != 8 && pc - *pc_ != 16) {
    Instruction& last = out.instructions.back();
    if (last.pipe == Pipe::kControl && last.op == Op::kArithmetic) last.operand = kBranchTaken;
  }
  pc_ = pc;
}

std::uint64_t SassReader::read_number(const char*& p, std::uint64_t largest, const FormatField& field) const {
  const char* q = p;
  std::uint64_t number = 0;
  if (!sass::scan_decimal(q, number) || number > largest) fail_at(p, field);
  p = q;
  return number;
}

const SassOpcode& SassReader::opcode(const char* begin, const char* end) {
  const auto size = static_cast<std::size_t>(end - begin);
  if (const SassOpcode* known = opcodes_.find(begin, size)) return *known;
  if (opcodes_.full())
    fail_at(begin, ("more than " + std::to_string(SassOpcodeCache::kMaxEntries) + " different opcodes").c_str());
  if (std::any_of(begin, end, [](char c) { return c < '!' || c > '~'; }))
    fail_at(begin, "an opcode has letters, digits and such");
  return opcodes_.insert({begin, size});
}

/// `R0` to `R255`; other register files (RZ, UR4, P0) carry no dependence.
std::uint8_t SassReader::read_register(const char*& p, const FormatField& field) const {
  sass::skip_blanks(p);
  const char* q = p;
  std::uint64_t number = 0;
  if (*q == 'R' && sass::scan_digits(++q, number) && sass::is_separator(*q) && number <= kNoRegister) {
    p = q;
    return static_cast<std::uint8_t>(number);
  }
  const char* const end = sass::token_end(p);
  const bool uniform = end - p > 2 && p[0] == 'U' && (p[1] == 'R' || p[1] == 'P');
  const bool predicate = end - p > 1 && p[0] == 'P' && sass::decimal_digit(p[1]) <= 9;
  const bool zero = end - p == 2 && p[0] == 'R' && p[1] == 'Z';
  if (!uniform && !predicate && !zero) fail_at(p, field);
  p = end;
  return kNoRegister;
}

/// Reads `named` registers into `out`; returns the number of consecutive registers from the first.
unsigned SassReader::read_destinations(const char*& p, std::uint64_t named, Instruction& out) {
  unsigned written = 0;
  for (; named > 0; --named) {
    const std::uint8_t reg = read_register(p, sass_line::kDestination);
    if (reg == kNoRegister) continue;
    if (written == 0) out.destination = reg;
    if (reg == out.destination + written)
      ++written;
    else
      warnings_.once(SassWarnings::kDestinations, lines_,
                     "an instruction writes registers that are not consecutive; only the first ones are tracked");
  }
  return written;
}

/// Warns of registers beyond those of a thread; they still order instructions.
void SassReader::check_registers(const Instruction& instruction) {
  if (!header_.registers_known) return;
  unsigned highest = instruction.destinations == 0 ? 0 : instruction.destination + instruction.destinations - 1u;
  for (std::size_t i = 0; i < instruction.sources; ++i) highest = std::max<unsigned>(highest, instruction.source[i]);
  if (highest < header_.registers) return;
  warnings_.once(SassWarnings::kRegisters, lines_,
                 "R" + std::to_string(highest) + " is used, but nregs is " + std::to_string(header_.registers));
}

/// `last`: the highest byte that a lane accesses.
void SassReader::check_shared(Address last, const Instruction& instruction) {
  if (instruction.space != Space::kShared || last < header_.shared_memory) return;
  warnings_.once(SassWarnings::kSharedMemory, lines_,
                 "an access to byte " + std::to_string(last) + " of shared memory, but shmem is " +
                     std::to_string(header_.shared_memory));
}

/// Reads `mode addresses ...`, after a width other than 0.
const char* SassReader::read_memory(const char* p, const SassOpcode& code, Bytes width, Instruction& out,
                                    SassBlockBuffers& block) {
  SassAddressPool& pool = block.addresses;
  const std::uint64_t mode = read_number(p, kBaseDeltas, sass_line::kMode);
  has_addresses_ = true;
  const auto lanes = static_cast<unsigned>(__builtin_popcount(out.mask));
  Address base = 0;
  std::int64_t stride = 0;
  std::int64_t deltas[kWarpSize];
  Address highest = 0, bits = 0;  // addresses of the active lanes
  if ((lanes > 0 || mode != kList) && !sass::scan_hex(p, base)) fail_at(p, sass_line::kAddress);
  if (lanes > 0) highest = bits = base;
  const auto lane_at = [&](Address address) {
    highest = std::max(highest, address);
    bits |= address;
  };
  if (mode == kBaseStride) {
    if (!sass::scan_signed(p, stride)) fail_at(p, sass_line::kStride);
    if (lanes > 1) {
      const int between = __builtin_clz(1u) - __builtin_clz(out.mask) - __builtin_ctz(out.mask);
      const __int128 last = base + static_cast<__int128>(stride) * between;
      lane_at(last < 0 || last >> kAddressBits != 0 ? UINT64_MAX : static_cast<Address>(last));
    }
  } else if (mode == kBaseDeltas) {
    Address address = base;
    for (unsigned i = 1; i < lanes; ++i) {
      if (!sass::scan_signed(p, deltas[i - 1])) fail_at(p, sass_line::kDelta);
      lane_at(address += static_cast<Address>(deltas[i - 1]));
    }
  } else {
    Address previous = base;
    for (unsigned i = 1; i < lanes; ++i) {
      Address address = 0;
      if (!sass::scan_hex(p, address)) fail_at(p, sass_line::kAddress);
      lane_at(address);
      deltas[i - 1] = static_cast<std::int64_t>(address - previous);
      previous = address;
    }
  }
  if (!code.accesses_memory && !code.is_asynchronous) return p;
  if (bits >> kAddressBits != 0 && code.op != Op::kAsyncStore)
    fail("an address is beyond the " + std::to_string(kAddressBits) + " bits that those of a GPU have");
  if (!pool.has_room()) fail("a thread block has more than 16 GiB of addresses");
  if (code.generic) {
    const Address placed = place_generic(base, out);
    highest -= base - placed;
    base = placed;
  }
  if (out.space == Space::kGlobal || out.space == Space::kLocal || out.space == Space::kConstant) {
    base += header_.address_offset;
  } else if (!code.is_asynchronous) {
    if (header_.cluster.count() > 1) {
      const Address placed = place_in_cluster(base, out, block);
      highest -= base - placed;
      base = placed;
    }
    if (lanes > 0) check_shared(highest + code.width - 1, out);
  }
  if (code.bulk && lanes == 1 && width > kLaneBytes) {  // neighbouring lanes move what one lane requests
    out.mask = static_cast<std::uint32_t>((std::uint64_t{1} << (width / kLaneBytes)) - 1);
    out.width = kLaneBytes;
    stride = kLaneBytes;
  }
  const bool by_stride = mode == kBaseStride || lanes < 2;
  out.operand = by_stride ? pool.add_stride(base, stride) : pool.add_deltas(base, deltas, lanes - 1);
  return p;
}

/// Determines the block whose shared memory the first lane accesses; returns the address there.
Address SassReader::place_in_cluster(Address base, Instruction& out, const SassBlockBuffers& block) const {
  if (base >> kClusterRankBit == block.rank) return base - cluster_address(block.rank, 0);
  out.space = Space::kCluster;
  return base;
}

/// Sets the space of a generic access; returns its address there.
Address SassReader::place_generic(Address base, Instruction& out) const {
  if (in_window(base, header_.shared_base, header_.local_base, kWindowBytes * header_.cluster.count())) {
    out.space = Space::kShared;
    return base - header_.shared_base;
  }
  if (in_window(base, header_.local_base, header_.shared_base, kWindowBytes)) out.space = Space::kLocal;
  return base;
}

/// `DEPBAR.LE SB0, n`; n is 0 if the trace does not have it. On other scoreboards it waits for no copies.
void SassReader::set_groups(const char* immediate, Instruction& out) {
  std::uint64_t groups = 0;
  if (sass::scan_decimal(immediate, groups)) out.operand = static_cast<std::uint32_t>(std::min(groups, kMaxGroups));
}

void SassReader::set_barrier(const char* immediate, Instruction& out) {
  if (out.mask == 0) {
    out.op = Op::kArithmetic;
    return;
  }
  std::uint64_t number = 0;
  const char* p = immediate;
  if (*p == '\n') return;
  if (!sass::scan_decimal(p, number) || number >= kBarriers) {
    warnings_.once(SassWarnings::kBarrierNumber, lines_, "a barrier's number is 0 to 15; another is taken as 0");
    number = 0;
  }
  out.operand = static_cast<std::uint32_t>(number);
}

}  // namespace gputlm
