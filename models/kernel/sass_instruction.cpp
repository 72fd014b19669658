// The hot path of SassReader: one line of the trace into one Instruction.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "models/kernel/program.h"
#include "models/kernel/sass_reader.h"
#include "models/kernel/sass_scan.h"

namespace gputlm {
namespace {

constexpr Bytes kWindowBytes = Bytes{1} << 24;
constexpr std::uint64_t kMaxGroups = 255;  // of copies, that may be left under way
constexpr std::uint64_t kMaxDestinations = 8;
constexpr unsigned kAddressBits = 49;  // virtual addresses of Pascal and later (CUDA programming guide, unified memory)
constexpr std::uint64_t kMaxWidth = 128;
constexpr std::uint8_t kLaneBytes = 16;  // that a lane moves at most

enum AddressMode : std::uint64_t { kList = 0, kBaseStride = 1, kBaseDeltas = 2 };

bool in_window(Address address, Address base, Address other) {
  if (base == 0 || address < base) return false;
  return address - base < (other > base ? std::min(kWindowBytes, other - base) : kWindowBytes);
}

bool is_full_mask(const char* p) { return std::memcmp(p, "ffffffff", 8) == 0 && sass::is_separator(p[8]); }

}  // namespace

void SassReader::read_instruction(const char* p, SassBlockBuffers& out) {
  std::uint64_t number = 0;
  for (unsigned i = (header_.block_prefix ? 4u : 0u) + (header_.line_info ? 1u : 0u); i > 0; --i)
    if (!sass::scan_decimal(p, number))
      fail_at(p, header_.block_prefix ? "before version 3 of the tracer an instruction starts with `tbx tby tbz warp`"
                                      : "with enable lineinfo = 1 an instruction starts with its line number");
  if (!sass::scan_hex(p, number)) fail_at(p, "an instruction starts with its PC, hexadecimal");

  Instruction instruction;
  sass::skip_blanks(p);
  if (is_full_mask(p)) {
    p += 8;
  } else {
    const char* const mask = p;
    if (!sass::scan_hex(p, number) || number > 0xffffffffu) fail_at(mask, "a mask is hexadecimal, up to 32 bits");
    instruction.mask = static_cast<std::uint32_t>(number);
  }

  number = read_number(p, kMaxDestinations, "the number of destinations is 0 to 8");
  const unsigned written = number == 0 ? 0 : read_destinations(p, number, instruction);

  sass::skip_blanks(p);
  if (*p < 'A' || *p > 'Z') fail_at(p, "an opcode is expected, such as `FADD` or `LDG.E.64`");
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
    // Nothing would ever bring the result.
    if (code.op == Op::kStore) fail("`" + std::string(text) + "` has a destination register, but a store has none");
    // A wide result cannot go beyond the last register; one step further is the zero register.
    const unsigned room = kNoRegister - instruction.destination;
    instruction.destinations =
        static_cast<std::uint8_t>(std::min(std::max<unsigned>(code.destinations, written), room));
  }

  for (number = read_number(p, kMaxSources, "the number of sources is 0 to 5"); number > 0; --number) {
    const std::uint8_t source = read_register(p);
    if (source != kNoRegister) instruction.source[instruction.sources++] = source;
  }

  check_registers(instruction);
  if (header_.has_values && text.find("GMMA") != std::string_view::npos)
    read_number(p, 1, "0 or 1 follows the sources of a GMMA: whether it ends a group");

  constexpr const char* kWidth = "a memory width must follow the sources: 0 (no addresses) or a power of two up to 128";
  number = read_number(p, kMaxWidth, kWidth);
  if ((number & (number - 1)) != 0) fail("found a memory width of " + std::to_string(number) + "; " + kWidth);
  if (number != 0) {
    p = read_memory(p, code, number, instruction, out.addresses);
  } else if (code.accesses_memory()) {
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
  if (*p != '\n' && !header_.has_values) fail_at(p, "nothing may follow the immediate");
  exits_ = code.op == Op::kExit;
  if (exits_) instruction.op = Op::kArithmetic;  // unless it turns out to be the warp's last
  if (code.op == Op::kBarrier) set_barrier(immediate, instruction);
  if (code.op == Op::kAwaitCopies) set_groups(immediate, instruction);
  instruction.fill_places();
  out.instructions.push_back(instruction);
}

std::uint64_t SassReader::read_number(const char*& p, std::uint64_t largest, const char* allowed) const {
  const char* q = p;
  std::uint64_t number = 0;
  if (!sass::scan_decimal(q, number) || number > largest) fail_at(p, allowed);
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
std::uint8_t SassReader::read_register(const char*& p) const {
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
  if (!uniform && !predicate && !zero) fail_at(p, "a register is expected, R0 to R255");
  p = end;
  return kNoRegister;
}

/// Reads `named` registers into `out`; returns how many consecutive ones the first begins.
unsigned SassReader::read_destinations(const char*& p, std::uint64_t named, Instruction& out) {
  unsigned written = 0;
  for (; named > 0; --named) {
    const std::uint8_t reg = read_register(p);
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

/// A register beyond those of a thread orders instructions all the same.
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

/// Reads `mode addresses ...`, behind a width that is not 0.
const char* SassReader::read_memory(const char* p, const SassOpcode& code, Bytes width, Instruction& out,
                                    SassAddressPool& pool) {
  const std::uint64_t mode = read_number(p, kBaseDeltas, "the address mode is 0, 1 or 2");
  const auto lanes = static_cast<unsigned>(__builtin_popcount(out.mask));
  Address base = 0;
  std::int64_t stride = 0;
  std::int64_t deltas[kWarpSize];
  Address highest = 0, bits = 0;  // of the active lanes
  if ((lanes > 0 || mode != kList) && !sass::scan_hex(p, base)) fail_at(p, "a hexadecimal address is expected");
  if (lanes > 0) highest = bits = base;
  const auto lane_at = [&](Address address) {
    highest = std::max(highest, address);
    bits |= address;
  };
  if (mode == kBaseStride) {
    if (!sass::scan_signed(p, stride)) fail_at(p, "a stride is a decimal number");
    if (lanes > 1) {
      const int between = __builtin_clz(1u) - __builtin_clz(out.mask) - __builtin_ctz(out.mask);
      const __int128 last = base + static_cast<__int128>(stride) * between;
      lane_at(last < 0 || last >> kAddressBits != 0 ? UINT64_MAX : static_cast<Address>(last));
    }
  } else if (mode == kBaseDeltas) {
    Address address = base;
    for (unsigned i = 1; i < lanes; ++i) {
      if (!sass::scan_signed(p, deltas[i - 1]))
        fail_at(p, "mode 2 has a decimal delta for each active lane but the first");
      lane_at(address += static_cast<Address>(deltas[i - 1]));
    }
  } else {
    Address previous = base;
    for (unsigned i = 1; i < lanes; ++i) {
      Address address = 0;
      if (!sass::scan_hex(p, address)) fail_at(p, "mode 0 has a hexadecimal address for each active lane");
      lane_at(address);
      deltas[i - 1] = static_cast<std::int64_t>(address - previous);
      previous = address;
    }
  }
  if (!code.accesses_memory()) return p;
  if (bits >> kAddressBits != 0)
    fail("an address is beyond the " + std::to_string(kAddressBits) + " bits that those of a GPU have");
  if (!pool.has_room()) fail("a thread block has more than 16 GiB of addresses");
  if (code.generic) {
    const Address placed = place_generic(base, out);
    highest -= base - placed;
    base = placed;
  }
  if (lanes > 0) check_shared(highest + code.width - 1, out);
  if (out.space != Space::kShared) base += header_.address_offset;
  if (code.bulk && lanes == 1 && width > kLaneBytes) {  // neighbouring lanes move what one of them asks for
    out.mask = static_cast<std::uint32_t>((std::uint64_t{1} << (width / kLaneBytes)) - 1);
    out.width = kLaneBytes;
    stride = kLaneBytes;
  }
  const bool by_stride = mode == kBaseStride || lanes < 2;
  out.operand = by_stride ? pool.add_stride(base, stride) : pool.add_deltas(base, deltas, lanes - 1);
  return p;
}

/// Sets the space of a generic access; returns its address there.
Address SassReader::place_generic(Address base, Instruction& out) const {
  if (in_window(base, header_.shared_base, header_.local_base)) {
    out.space = Space::kShared;
    return base - header_.shared_base;
  }
  if (in_window(base, header_.local_base, header_.shared_base)) out.space = Space::kLocal;
  return base;
}

/// `DEPBAR.LE SB0, n`; n is 0 where the trace does not have it. Of other scoreboards it awaits no copies.
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
