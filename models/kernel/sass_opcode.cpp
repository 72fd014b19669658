#include "models/kernel/sass_opcode.h"

#include <algorithm>
#include <cstring>

#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

constexpr std::string_view kUnknown = "unknown opcode {}; taken as an integer instruction that accesses no memory";
constexpr std::string_view kArrivesNowhere = "{}.ARV is taken as an instruction that arrives nowhere";
constexpr std::string_view kOtherSyncs = "{} does something at a barrier in shared memory that is not modelled";
constexpr std::string_view kNoTensorMemory = "{} moves no data: tensor memory is not modelled";

struct Row {
  std::string_view names;  ///< separated by blanks
  Op op;
  Pipe pipe;
  Space space = Space::kGlobal;
  bool generic = false;
  bool bulk = false;
  std::string_view lost = {};
};

constexpr Row kRows[] = {
    {"FADD FADD2 FADD32I FCHK FCMP FFMA FFMA2 FFMA32I FHADD FHFMA FMNMX FMNMX3 FMUL FMUL2 FMUL32I FSEL FSET FSETP FSWZ "
     "FSWZADD RRO UFADD UFFMA UFMNMX UFMUL UFSEL UFSET UFSETP",
     Op::kArithmetic, Pipe::kFp32},
    {"HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 VHMNMX", Op::kArithmetic, Pipe::kFp32},
    {"DADD DFMA DMNMX DMUL DSET DSETP", Op::kArithmetic, Pipe::kFp64},
    {"MUFU F2F F2FP F2I F2IP I2F I2FP FRND BREV FLO POPC UBREV UF2F UF2FP UF2I UF2IP UFLO UFRND UI2F UI2FP UPOPC",
     Op::kArithmetic, Pipe::kSfu},
    {"HMMA IMMA BMMA DMMA QMMA OMMA", Op::kArithmetic, Pipe::kTensor},
    {"HGMMA IGMMA BGMMA QGMMA", Op::kMatrix, Pipe::kTensor},
    {"BFE BFI BMSK IABS IADD IADD3 IADD32I ICMP IDP IDP4A IMAD IMAD32I IMADSP IMNMX IMUL IMUL32I ISAD ISCADD "
     "ISCADD32I ISET ISETP ISUB LEA LOP LOP3 LOP32I SGXT SHF SHL SHR VABSDIFF VABSDIFF4 VADD VIADD VIADDMNMX VIMNMX "
     "VIMNMX3 VMAD VMNMX VSET VSETP VSHL VSHR XMAD",
     Op::kArithmetic, Pipe::kInt},
    {"I2I I2IP CSET CSETP MOV MOV32I MOVM P2R PLOP3 PRMT PSET PSETP R2P SEL SHFL SPMETADATA", Op::kArithmetic,
     Pipe::kInt},
    {"AL2P B2R CREDUX CS2R CS2UR CSMTEST GETLMEMBASE LEPC MATCH QSPC R2B R2UR REDUX S2R S2UR SETCTAID SETLMEMBASE VOTE "
     "VOTE_VTG VOTEU",
     Op::kArithmetic, Pipe::kInt},
    {"UBMSK UCLEA UGETNEXTWORKID UI2I UI2IP UIABS UIADD3 UIADD3_64 UIMAD UIMNMX UISETP ULEA ULEPC ULOP ULOP3 ULOP32I "
     "UMOV "
     "UP2UR UPLOP3 UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR UVIADD UVIMNMX UVIRTCOUNT",
     Op::kArithmetic, Pipe::kInt},
    {"LD", Op::kLoad, Pipe::kLoadStore, Space::kGlobal, true},
    {"LDG LDGMC", Op::kLoad, Pipe::kLoadStore},
    {"LDL", Op::kLoad, Pipe::kLoadStore, Space::kLocal},
    {"LDS LDSLK LDSM", Op::kLoad, Pipe::kLoadStore, Space::kShared},
    {"LDC LDCU ULDC", Op::kLoad, Pipe::kLoadStore, Space::kConstant},
    {"TEX TEXS TLD TLDS TLD4 TLD4S TMML TXD TXQ SULD SULDGA SUQUERY", Op::kLoad, Pipe::kLoadStore},
    {"ST", Op::kStore, Pipe::kLoadStore, Space::kGlobal, true},
    {"STG SUST SUSTGA USTGR", Op::kStore, Pipe::kLoadStore},
    {"STL", Op::kStore, Pipe::kLoadStore, Space::kLocal},
    {"STS STSCUL STSM", Op::kStore, Pipe::kLoadStore, Space::kShared},
    {"ATOM", Op::kAtomic, Pipe::kLoadStore, Space::kGlobal, true},
    {"ATOMG RED REDG SUATOM SURED UREDGR", Op::kAtomic, Pipe::kLoadStore},
    {"ATOMS REDS", Op::kAtomic, Pipe::kLoadStore, Space::kShared},
    {"REDAS STAS", Op::kAsyncStore, Pipe::kLoadStore, Space::kShared},
    // Asynchronous copies. A prefetch into the L2 is treated as a load; the trace of a bulk copy may or may not have
    // addresses.
    {"LDGSTS", Op::kAsyncLoad, Pipe::kLoadStore},
    {"UBLKCP UBLKPF UTMALDG UTMAPF", Op::kAsyncLoad, Pipe::kLoadStore, Space::kGlobal, false, true},
    {"UTMASTG", Op::kStore, Pipe::kLoadStore, Space::kGlobal, false, true},
    {"UBLKRED UTMAREDG", Op::kAtomic, Pipe::kLoadStore, Space::kGlobal, false, true},
    {"LDGDEPBAR", Op::kCommitCopies, Pipe::kControl},
    {"DEPBAR", Op::kAwaitCopies, Pipe::kControl},
    {"SYNCS", Op::kArithmetic, Pipe::kLoadStore, Space::kShared},
    {"UCGABAR_ARV", Op::kClusterArrive, Pipe::kControl},
    {"UCGABAR_WAIT", Op::kClusterWait, Pipe::kControl},
    {"LDT LDTM STT STTM UTCATOMSWS UTCBAR UTCCP UTCHMMA UTCIMMA UTCOMMA UTCQMMA UTCSHIFT", Op::kArithmetic,
     Pipe::kTensor, Space::kGlobal, false, false, kNoTensorMemory},
    {"BAR", Op::kBarrier, Pipe::kControl},
    {"EXIT", Op::kExit, Pipe::kControl},
    {"ACQBULK", Op::kGridDependencyWait, Pipe::kControl},
    {"PREEXIT", Op::kLaunchDependents, Pipe::kControl},
    {"ACQSHMINIT BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT ELECT ENDCOLLECTIVE JCAL JMP JMX "
     "JMXU KILL "
     "LONGJMP NANOSLEEP NOP PBK PCNT PEXIT PLONGJMP PMTRIG PRET RET RPCMOV RTT SSY SYNC USETMAXREG WARPGROUP "
     "WARPGROUPSET WARPSYNC YIELD",
     Op::kArithmetic, Pipe::kControl},
    {"MEMBAR", Op::kArithmetic, Pipe::kControl},
    {"ARRIVES", Op::kArithmetic, Pipe::kControl, Space::kShared},
    {"CCTL CCTLL CCTLT CGAERRBAR ERRBAR FENCE UMEMSETS UTMACCTL UTMACMDFLUSH", Op::kArithmetic, Pipe::kControl},
};

/// Removes and returns the front of `text` up to `separator`; also removes the separator.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return front;
}

const Row* find_row(std::string_view base) {
  for (const Row& row : kRows)
    for (std::string_view names = row.names; !names.empty();)
      if (take(names, ' ') == base) return &row;
  return nullptr;
}

bool has_modifier(std::string_view modifiers, std::string_view wanted) {
  while (!modifiers.empty())
    if (take(modifiers, '.') == wanted) return true;
  return false;
}

std::uint8_t access_width(std::string_view modifiers) {
  while (!modifiers.empty()) {
    std::string_view modifier = take(modifiers, '.');
    if (!modifier.empty() && (modifier[0] == 'U' || modifier[0] == 'S' || modifier[0] == 'F' || modifier[0] == 'B'))
      modifier.remove_prefix(1);
    if (modifier == "8") return 1;
    if (modifier == "16") return 2;
    if (modifier == "32") return 4;
    if (modifier == "64") return 8;
    if (modifier == "128") return 16;
  }
  return 4;
}

/// The effect of a SYNCS (PTX ISA, mbarrier; meaning of the modifiers: parseSASSInstruction of Accel-Sim 2.0,
/// gpu-simulator/trace-driven/trace_driven.cc).
SassOpcode::AtMbarrier at_mbarrier(std::string_view modifiers) {
  using At = SassOpcode::AtMbarrier;
  if (has_modifier(modifiers, "EXCH")) return At::kInit;
  if (has_modifier(modifiers, "PHASECHK")) return At::kWait;
  if (!has_modifier(modifiers, "ARRIVE")) return At::kNothing;
  if (has_modifier(modifiers, "A1T0")) return At::kArrive;
  if (has_modifier(modifiers, "ART0")) return At::kArriveTimes;
  if (has_modifier(modifiers, "A0TR")) return At::kBytes;
  if (has_modifier(modifiers, "A0TX")) return At::kCompletes;
  if (has_modifier(modifiers, "A0T1")) return At::kOneByte;
  return has_modifier(modifiers, "TRANS64") ? At::kArriveAndBytes : At::kNothing;
}

/// The effect of an ARRIVES: .ARVCNT is cp.async.mbarrier.arrive.noinc; without .noinc, SYNCS.ARRIVE.A0T1 makes the phase
/// wait for a transaction that .TRANSCNT ends (Accel-Sim 2.0, as above). Ampere's ARRIVES has neither.
SassOpcode::AtMbarrier by_copies(std::string_view modifiers) {
  using At = SassOpcode::AtMbarrier;
  if (has_modifier(modifiers, "ARVCNT")) return At::kCopiesArrive;
  return has_modifier(modifiers, "TRANSCNT") ? At::kCopiesComplete : At::kNothing;
}

Op op_of(SassOpcode::AtMbarrier what) {
  using At = SassOpcode::AtMbarrier;
  switch (what) {
    case At::kNothing: return Op::kArithmetic;
    case At::kInit: return Op::kMbarrierInit;
    case At::kWait: return Op::kMbarrierWait;
    case At::kCopiesArrive:
    case At::kCopiesComplete: return Op::kMbarrierByCopies;
    default: return Op::kMbarrierArrive;
  }
}

/// The N of a warpgroup's matrix product of 64 x N (`64x128x16`); 8 if the opcode does not say.
unsigned columns(std::string_view modifiers) {
  while (!modifiers.empty()) {
    std::string_view shape = take(modifiers, '.');
    if (take(shape, 'x') != "64" || shape.empty()) continue;
    const std::string_view text = take(shape, 'x');
    constexpr unsigned kMax = 256;
    if (const auto number = parse_number<unsigned>(text); number && *number >= 8) return std::min(*number, kMax);
  }
  return 8;
}

/// Registers that a tensor instruction's result takes in each lane: an accumulator tile of m x n elements, spread over 32
/// lanes ("Warp-level matrix fragment" tables of NVIDIA's PTX ISA). Volta's 884 works in steps of a register pair.
std::uint8_t tensor_destinations(std::string_view base, std::string_view modifiers) {
  if (base == "DMMA") return 4;
  if (base == "QMMA" || base == "OMMA") return 4;
  const bool sixteen_rows = has_modifier(modifiers, "1688") || has_modifier(modifiers, "16816") ||
                            has_modifier(modifiers, "16832") || has_modifier(modifiers, "16864") ||
                            has_modifier(modifiers, "168128") || has_modifier(modifiers, "168256");
  if (!sixteen_rows) return 2;
  return base == "HMMA" && !has_modifier(modifiers, "F32") ? 2 : 4;
}

std::uint8_t arithmetic_destinations(std::string_view base, std::string_view modifiers, Pipe pipe) {
  if (pipe == Pipe::kTensor) return tensor_destinations(base, modifiers);
  if (pipe == Pipe::kFp64) return base == "DSETP" ? 1 : 2;
  if (has_modifier(modifiers, "WIDE")) return 2;  // IMAD.WIDE
  if (base == "FADD2" || base == "FFMA2" || base == "FMUL2") return 2;
  const std::string_view result = take(modifiers, '.');  // F2F.F64.F32: the result's type comes first
  const bool converts = base == "F2F" || base == "I2F" || base == "F2I" || base == "FRND";
  if (converts && (result == "F64" || result == "S64" || result == "U64")) return 2;
  return base == "CS2R" && result != "32" ? 2 : 1;
}

bool is_access(Op op) {
  return op == Op::kLoad || op == Op::kStore || op == Op::kAtomic || op == Op::kAsyncLoad || op == Op::kAsyncStore;
}

SassOpcode decode(std::string_view opcode) {
  std::string_view modifiers = opcode;
  const std::string_view base = take(modifiers, '.');
  SassOpcode result;
  const Row* row = find_row(base);
  if (row == nullptr) {
    result.known = false;
    result.lost = kUnknown;
    return result;
  }
  result.op = row->op;
  result.pipe = row->pipe;
  result.space = row->space;
  result.generic = row->generic;
  result.bulk = row->bulk;
  result.lost = row->lost;
  if (base == "BAR" && has_modifier(modifiers, "ARV")) {
    result.op = Op::kArithmetic;  // arrives, does not wait
    result.lost = kArrivesNowhere;
  }
  // A fence of block scope takes no time here. GL: before Volta.
  const bool wide = has_modifier(modifiers, "GPU") || has_modifier(modifiers, "SYS") || has_modifier(modifiers, "GL");
  if (base == "MEMBAR" && wide) result.op = Op::kFence;
  if (base == "SYNCS") {
    result.at_mbarrier = at_mbarrier(modifiers);
    result.op = op_of(result.at_mbarrier);
    if (result.op == Op::kArithmetic) result.lost = kOtherSyncs;
  }
  if (base == "ARRIVES") {
    result.at_mbarrier = by_copies(modifiers);
    result.op = op_of(result.at_mbarrier);
  }
  // UBLKCP names the space that it writes, then the one that it reads: S.G is a load, G.S a store.
  if (base == "UBLKCP" && modifiers.substr(0, 1) == "G") result.op = Op::kStore;
  if (result.op == Op::kMatrix) {
    const unsigned n = columns(modifiers);
    result.products = static_cast<std::uint8_t>(n / 8);
    // 64 x N elements in 128 threads: one of 32 bits per register, or two of 16 bits.
    const bool half = base == "HGMMA" && !has_modifier(modifiers, "F32");
    result.destinations = static_cast<std::uint8_t>(half ? n / 4 : n / 2);
    return result;
  }
  if (base == "LDSM" || base == "STSM") {
    // One, two or four 8x8 matrices of 16-bit elements: every lane has one register of each matrix.
    result.destinations = has_modifier(modifiers, "4") ? 4 : has_modifier(modifiers, "2") ? 2 : 1;
    result.width = static_cast<std::uint8_t>(4 * result.destinations);
  } else if (is_access(result.op)) {
    result.width = access_width(modifiers);
    result.destinations = static_cast<std::uint8_t>(std::max(1, result.width / 4));
  } else {
    result.destinations = arithmetic_destinations(base, modifiers, result.pipe);
  }
  return result;
}

/// At most eight bytes of text as a number; the bytes after them are masked off.
std::uint64_t load_bytes(const char* text, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, text, sizeof value);
  return size >= 8 ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
}

std::size_t hash(const char* text, std::size_t size) {
  const std::uint64_t head = load_bytes(text, size);
  const std::uint64_t tail = size > 8 ? load_bytes(text + size - 8, 8) : size;
  const std::uint64_t mixed = (head ^ (tail << 7) ^ (tail >> 57)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(mixed >> 40);
}

constexpr std::size_t kSlots = 2 * SassOpcodeCache::kMaxEntries;

}  // namespace

SassOpcode decode_sass_opcode(std::string_view opcode) {
  SassOpcode result = decode(opcode);
  const Op op = result.op;
  result.accesses_memory = is_access(op);
  result.is_asynchronous = op == Op::kAsyncStore || result.at_mbarrier != SassOpcode::AtMbarrier::kNothing;
  result.says_more = result.is_asynchronous || op == Op::kBarrier || op == Op::kAwaitCopies;
  return result;
}

SassOpcodeCache::SassOpcodeCache() : slots_(kSlots) {}

const SassOpcode* SassOpcodeCache::find(const char* text, std::size_t size) const {
  for (std::size_t slot = hash(text, size) % kSlots; slots_[slot]; slot = (slot + 1) % kSlots) {
    const Entry& entry = *slots_[slot];
    if (entry.text.size() == size && std::memcmp(entry.text.data(), text, size) == 0) return &entry.opcode;
  }
  return nullptr;
}

const SassOpcode& SassOpcodeCache::insert(std::string_view text) {
  auto entry = std::make_unique<Entry>(Entry{std::string(text) + std::string(8, '\0'), decode_sass_opcode(text)});
  std::size_t slot = hash(entry->text.data(), text.size()) % kSlots;
  entry->text.resize(text.size());
  while (slots_[slot]) slot = (slot + 1) % kSlots;
  slots_[slot] = std::move(entry);
  ++entries_;
  return slots_[slot]->opcode;
}

}  // namespace gputlm
