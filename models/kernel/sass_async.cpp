/// Reads barriers in shared memory, TMA copies and stores that count at such barriers, from lines of version 6 of the
/// tracer.
#include <algorithm>
#include <array>

#include "models/kernel/program.h"
#include "models/kernel/sass_fields.h"
#include "models/kernel/sass_reader.h"
#include "models/kernel/sass_scan.h"

namespace gputlm {
namespace {

namespace sass_tma {
using sass::kParser, sass::trace_format;
constexpr const char* kPlace = "instruction of TMA, tokens behind mem_width, since version 6";
const FormatField kBarrier(trace_format, kPlace, "tma_mbar_addr", "address of the mbarrier in shared memory", "B",
                           "hexadecimal", kParser);
const FormatField kIsMulticast(trace_format, kPlace, "tma_is_multicast", "whether a mask of blocks follows", "",
                               "0 or 1", kParser);
const FormatField kMask(trace_format, kPlace, "tma_multicast_cta_mask", "blocks of the cluster that get it", "",
                        "hexadecimal, 16 bits; bit n is rank n", kParser);
const FormatField kBytes(trace_format, kPlace, "tma_byte_count", "bytes of the copy, which count at the mbarrier", "B",
                         "decimal", kParser);
const FormatField kOutOfBounds(trace_format, kPlace, "tma_oob_byte_count",
                               "bytes of the copy beyond the tensor's edges", "B", "decimal", kParser);
const FormatField kMode(trace_format, kPlace, "address_mode", "form of the addresses", "",
                        "3 tma_list_all, 4 tma_base_delta", kParser);
const FormatField kBase(trace_format, kPlace, "base_addr", "first address, in mode 4", "B", "hexadecimal", kParser);
const FormatField kCount(trace_format, kPlace, "transfer_count", "number of addresses", "", "decimal", kParser);
const FormatField kAddress(trace_format, kPlace, "addr", "address of each part, in mode 3", "B", "hexadecimal",
                           kParser);
const FormatField kDelta(trace_format, kPlace, "delta",
                         "distance of each address but the first from the one before, in mode 4", "B",
                         "decimal, signed", kParser);
constexpr const char* kBehind = "instruction, tokens behind the immediate, since version 6";
const FormatField kValues(trace_format, kBehind, "Val", "values of the registers, those of written ones first", "",
                          "for each register 1 or 32, and this number of values, hexadecimal", kParser);
}  // namespace sass_tma

constexpr std::uint64_t kMaxParts = std::uint64_t{1} << 20;
constexpr std::uint32_t kNoMbarrier = ~std::uint32_t{0};

/// Arrivals of a phase in the value that SYNCS.EXCH writes: bits 1 to 20, negated (Accel-Sim 2.0, as below).
std::uint32_t arrivals_of(std::uint64_t value) {
  const auto counter = static_cast<std::uint32_t>(value >> 1 & kMaxArrivals);
  return (kMaxArrivals + 1 - counter) & kMaxArrivals;
}

/// Offset of a shared-memory address that may include the rank of its block.
std::uint32_t offset_of(Address address) {
  return static_cast<std::uint32_t>(address & ((Address{1} << kClusterRankBit) - 1));
}

}  // namespace

/// Reads `mbar is_multicast [mask] bytes oob_bytes mode addresses ...`, after the width.
const char* SassReader::read_bulk(const char* p, const SassOpcode& code, std::string_view text, Instruction& out,
                                  SassBlockBuffers& block) {
  const auto hex = [&](const FormatField& field) {
    std::uint64_t value = 0;
    if (!sass::scan_hex(p, value)) fail_at(p, field);
    return value;
  };
  BulkCopy copy;
  copy.barrier = offset_of(hex(sass_tma::kBarrier));
  if (read_number(p, 1, sass_tma::kIsMulticast) == 1) copy.ranks = hex(sass_tma::kMask) & 0xffff;
  copy.bytes = read_number(p, kMaxBulkBytes, sass_tma::kBytes);
  const Bytes beyond = read_number(p, kMaxBulkBytes, sass_tma::kOutOfBounds);
  const char* const mode_at = p;
  const std::uint64_t mode = read_number(p, 4, sass_tma::kMode);
  if (mode != 3 && mode != 4) fail_at(mode_at, sass_tma::kMode);
  Address address = mode == 4 ? hex(sass_tma::kBase) : 0;
  copy.first = static_cast<std::uint32_t>(block.rows.size());
  copy.rows = static_cast<std::uint32_t>(read_number(p, kMaxParts, sass_tma::kCount));
  for (std::uint32_t i = 0; i < copy.rows; ++i) {
    std::int64_t delta = 0;
    if (mode == 3) {
      address = hex(sass_tma::kAddress);
    } else if (i > 0) {
      if (!sass::scan_signed(p, delta)) fail_at(p, sass_tma::kDelta);
      address += static_cast<Address>(delta);
    }
    block.rows.push_back(address + header_.address_offset);
  }
  if (copy.rows > 0) copy.row_bytes = std::max<Bytes>(1, (copy.bytes - std::min(beyond, copy.bytes)) / copy.rows);
  copy.write = code.op == Op::kStore || code.op == Op::kAtomic;
  const bool loads = text.compare(0, 7, "UTMALDG") == 0 || (text.compare(0, 6, "UBLKCP") == 0 && !copy.write);
  if (!loads) copy.barrier = kNoMbarrier;
  out.op = Op::kBulkCopy;
  out.destinations = 0;
  if (out.mask == 0) copy.rows = 0, copy.bytes = 0;
  out.operand = static_cast<std::uint32_t>(block.bulk.size());
  block.bulk.push_back(copy);
  return p;
}

/// Reads the lanes' values of the `wanted`-th register of the instruction; false if the line has no values. `p`: position
/// after the immediate.
bool SassReader::read_values(const char* p, std::uint64_t registers, std::uint64_t wanted, LaneAddresses& out) const {
  std::uint64_t value = 0;
  sass::skip_blanks(p);
  if (const char* q = p; sass::scan_decimal(q, value)) p = q;  // a second immediate
  sass::skip_blanks(p);
  if (std::string_view(p, static_cast<std::size_t>(sass::token_end(p) - p)) != sass_tma::kValues.name) return false;
  p = sass::token_end(p);
  for (std::uint64_t i = 0; i < registers; ++i) {
    std::uint64_t count = 0;
    if (!sass::scan_decimal(p, count) || (count != 1 && count != kWarpSize)) fail_at(p, sass_tma::kValues);
    for (std::uint64_t lane = 0; lane < count; ++lane) {
      if (!sass::scan_hex(p, value)) fail_at(p, sass_tma::kValues);
      if (i == wanted) out[lane] = value;
    }
    if (i == wanted && count == 1) out.fill(value);
  }
  return true;
}

/// Sums the lanes' operations for each mbarrier that they name.
void SassReader::read_mbarriers(const char* behind, const SassOpcode& code, std::string_view text, Instruction& out,
                                SassBlockBuffers& block) {
  using At = SassOpcode::AtMbarrier;
  if (code.op == Op::kArithmetic) return;
  LaneAddresses values{}, addresses{};
  // The first source register is the barrier's, already known by its address; the second has the value.
  const bool needs_value = code.at_mbarrier != At::kArrive && code.at_mbarrier != At::kOneByte;
  const bool by_copies = code.op == Op::kMbarrierByCopies;
  const bool known = by_copies
                         ? header_.has_values
                         : read_values(behind, registers_written_ + registers_read_, registers_written_ + 1, values) &&
                               (!needs_value || registers_read_ > 1);
  if (out.mask == 0 || !known || !has_addresses_) {
    out.op = Op::kArithmetic;
    if (out.mask != 0)
      warnings_.opcode(lines_, text,
                       "{} waits for nobody and counts nowhere: the trace has no values of its registers");
    return;
  }
  block.addresses.expand(out.operand, out.mask, addresses);
  const auto first = static_cast<std::uint32_t>(block.mbarriers.size());
  for (std::uint32_t left = out.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    MbarrierUse use;
    use.barrier = offset_of(addresses[lane]);
    if (header_.cluster.count() > 1) use.rank = static_cast<std::uint32_t>(addresses[lane] >> kClusterRankBit);
    const auto low = static_cast<std::uint32_t>(values[lane]);
    switch (code.at_mbarrier) {
      case At::kInit: use.arrivals = arrivals_of(values[lane]); break;
      case At::kArriveAndBytes: use.bytes = low; break;
      case At::kArriveTimes: use.arrivals = low; break;
      case At::kBytes: use.arrivals = 0, use.bytes = low; break;
      case At::kOneByte: use.arrivals = 0, use.bytes = 1; break;
      case At::kCompletes: use.arrivals = 0, use.completes = low; break;
      case At::kCopiesComplete: use.arrivals = 0, use.completes = 1; break;
      case At::kWait: use.parity = low & 1; break;
      default: break;
    }
    const auto same =
        std::find_if(block.mbarriers.begin() + first, block.mbarriers.end(),
                     [&](const MbarrierUse& other) { return other.barrier == use.barrier && other.rank == use.rank; });
    if (same == block.mbarriers.end()) {
      block.mbarriers.push_back(use);
    } else if (out.op == Op::kMbarrierArrive || by_copies) {
      same->arrivals += use.arrivals;
      same->bytes += use.bytes;
      same->completes += use.completes;
    }
  }
  out.width = static_cast<std::uint8_t>(block.mbarriers.size() - first);
  out.operand = first;
}

/// Sums what the lanes store for each line and mbarrier.
void SassReader::read_async_store(const SassOpcode& code, std::string_view text, Instruction& out,
                                  SassBlockBuffers& block) {
  LaneAddresses addresses{};
  block.addresses.expand(out.operand, out.mask, addresses);
  const auto first = static_cast<std::uint32_t>(block.mbarriers.size());
  std::array<Address, kWarpSize> lines;  // lines of the parts
  bool knows_barrier = true;
  for (std::uint32_t left = out.mask; left; left &= left - 1) {
    const Address pair = addresses[static_cast<unsigned>(__builtin_ctz(left))];
    const auto data = static_cast<std::uint32_t>(pair), barrier = static_cast<std::uint32_t>(pair >> 32);
    knows_barrier = knows_barrier && barrier != 0;  // the system reserves the first KiB of shared memory
    MbarrierUse use;
    use.arrivals = 0;
    use.barrier = barrier == 0 ? kNoMbarrier : offset_of(barrier);
    if (header_.cluster.count() > 1) use.rank = data >> kClusterRankBit;
    use.completes = code.width;
    std::size_t part = first;
    while (part < block.mbarriers.size() &&
           (lines[part - first] != data / kLineBytes || block.mbarriers[part].barrier != use.barrier))
      ++part;
    if (part == block.mbarriers.size()) {
      lines[part - first] = data / kLineBytes;
      block.mbarriers.push_back(use);
    } else {
      block.mbarriers[part].completes += use.completes;
    }
  }
  if (!knows_barrier)
    warnings_.opcode(lines_, text,
                     "{} counts at no mbarrier: the trace has no upper half of its address, where the mbarrier's is");
  out.width = static_cast<std::uint8_t>(block.mbarriers.size() - first);
  out.operand = first;
}

}  // namespace gputlm
