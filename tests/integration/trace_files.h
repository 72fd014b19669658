/// SASS traces as text, in the format of Accel-Sim's NVBit tracer (version 5), from which GPUs of compute capability
/// 7.5 would execute the programs workloads/compute.yaml and workloads/stream.yaml.
#pragma once

#include <lzma.h>

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/sass_trace_writer.h"

namespace gputlm {

struct TraceHeader {
  std::string name;
  unsigned grid = 1, block = 256, registers = 32, shared_memory = 0, stream = 0;
};

inline std::string trace_header(const TraceHeader& h) {
  written::TracedLaunch launch;
  launch.name = h.name;
  launch.grid.x = h.grid;
  launch.block.x = h.block;
  launch.static_shared = h.shared_memory;
  launch.registers = static_cast<int>(h.registers);
  launch.binary = 75;
  launch.stream = h.stream;
  launch.shared_base = 0x7e0000000000;
  launch.local_base = 0x7e1000000000;
  return written::header(launch);
}

/// One warp's instructions, each without its program counter and mask; all lanes are active.
using TraceWarp = std::vector<std::string>;

inline std::string trace_block(unsigned block, const std::vector<TraceWarp>& warps) {
  std::ostringstream text;
  text << "\n#BEGIN_TB\n\nthread block = " << block << ",0,0\n";
  for (std::size_t w = 0; w < warps.size(); ++w) {
    text << "\nwarp = " << w << "\ninsts = " << warps[w].size() << "\n";
    for (std::size_t i = 0; i < warps[w].size(); ++i)
      text << std::hex << 16 * i << std::dec << " ffffffff " << warps[w][i] << "\n";
  }
  text << "\n#END_TB\n";
  return text.str();
}

inline TraceWarp trace_prologue() {
  return {"1 R1 MOV 0 0 0", "1 R0 S2R 0 0 0", "1 R3 S2R 0 0 0", "1 R0 IMAD 2 R3 R0 0 0"};
}

inline std::string compute_trace(const TraceHeader& header) {
  TraceWarp warp = trace_prologue();
  for (unsigned i = 0; i < 10; ++i) {
    for (unsigned k = 0; k < 20; ++k) {
      warp.emplace_back("1 R4 FFMA 3 R4 R6 R7 0 0");
      warp.emplace_back("1 R5 IADD3 2 R5 R0 0 0");
    }
    warp.emplace_back("0 ISETP.NE.AND 1 R5 0 0");
    warp.emplace_back("0 BRA 0 0 0");
  }
  warp.emplace_back("0 EXIT 0 0 0");
  std::string text = trace_header(header);
  for (unsigned b = 0; b < header.grid; ++b) text += trace_block(b, std::vector<TraceWarp>(header.block / 32, warp));
  return text;
}

inline std::string stream_trace(const TraceHeader& header) {
  std::string text = trace_header(header);
  const std::uint64_t threads = std::uint64_t{header.grid} * header.block;
  for (unsigned b = 0; b < header.grid; ++b) {
    std::vector<TraceWarp> warps;
    for (unsigned w = 0; w < header.block / 32; ++w) {
      TraceWarp warp = trace_prologue();
      for (unsigned i = 0; i < 16; ++i) {
        const std::uint64_t offset = 4 * (i * threads + std::uint64_t{b} * header.block + w * 32);
        std::ostringstream load, store;
        load << "1 R4 LDG.E.SYS 1 R2 4 1 0x" << std::hex << 0x7f0000000000 + offset << " 4 0";
        store << "0 STG.E.SYS 2 R8 R5 4 1 0x" << std::hex << 0x7f0100000000 + offset << " 4 0";
        for (const std::string& line :
             {std::string("1 R2 IADD3 2 R0 R2 0 0"), load.str(), std::string("1 R8 IADD3 2 R0 R8 0 0"),
              std::string("1 R5 FADD 2 R4 R6 0 0"), store.str(), std::string("0 ISETP.NE.AND 1 R2 0 0"),
              std::string("0 BRA 0 0 0")})
          warp.push_back(line);
      }
      warp.emplace_back("0 EXIT 0 0 0");
      warps.push_back(std::move(warp));
    }
    text += trace_block(b, warps);
  }
  return text;
}

inline std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) != LZMA_OK)
    throw std::runtime_error("xz failed");
  out.resize(size);
  return out;
}

}  // namespace gputlm
