/// Lines of address traces in the forms of the tools, each with its source. They do not use the reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/print.h"

namespace gputlm::written {

/// Ramulator, README.md, "Memory Trace Driven": "the hexadecimal address followed by 'R' or 'W'"; its dram.trace.
inline std::string ramulator_line(unsigned long address, bool write) {
  return print("0x%lx %c\n", address, write ? 'W' : 'R');
}

/// Ramulator 2, LoadStoreTrace::init_trace: two tokens; an address without 0x goes to std::stoll, in base ten.
inline std::string ramulator2_line(unsigned long address, bool write) {
  return print("%s 0x%lx\n", write ? "ST" : "LD", address);
}
inline std::string ramulator2_decimal_line(unsigned long address, bool write) {
  return print("%s %lu\n", write ? "ST" : "LD", address);
}

/// DRAMSys, configs/README.md, "Trace Files": `cycle: [(length)] command hex-address [hex-data]`; a write has data where
/// storage is enabled, two digits a byte behind 0x (StlPlayer::parseTraceFile).
inline std::string dramsys_line(unsigned long cycle, unsigned long address, bool write,
                                std::optional<unsigned> length = std::nullopt, const std::string& data = "") {
  return print("%lu: ", cycle) + (length ? print("(%u) ", *length) : "") +
         print("%s 0x%lx", write ? "write" : "read", address) + (data.empty() ? "" : " 0x" + data) + "\n";
}

/// DRAMsim3, src/common.cc, operator>>(std::istream&, Transaction&): hex, word, dec.
inline std::string dramsim3_line(unsigned long cycle, unsigned long address, bool write) {
  return print("0x%lx %s %lu\n", address, write ? "WRITE" : "READ", cycle);
}

}  // namespace gputlm::written
