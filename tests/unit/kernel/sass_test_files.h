/// Traces written for a test, in a temporary folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/sass_kernel.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"
#include "tests/unit/kernel/packed_text.h"

namespace gputlm {

inline std::vector<std::string> texts(const std::vector<SassWarning>& warnings) {
  std::vector<std::string> texts;
  for (const SassWarning& warning : warnings) texts.push_back(warning.text);
  return texts;
}

/// Text of a trace; the header's lines can be replaced or dropped (empty) one by one.
struct TraceText {
  std::string name = "-kernel name = vectorAdd(int*)\n";
  std::string grid = "-grid dim = (1,1,1)\n";
  std::string block = "-block dim = (32,1,1)\n";
  std::string shmem = "-shmem = 512\n";
  std::string nregs = "-nregs = 12\n";
  std::string binary = "-binary version = 80\n";
  std::string stream = "-cuda stream id = 7\n";
  std::string windows = "-shmem base_addr = 0x7e0000000000\n-local mem base_addr = 0x7e1000000000\n";
  std::string version = "-accelsim tracer version = 5\n";
  std::string lineinfo = "-enable lineinfo = 0\n";
  std::string body;

  std::string text() const {
    return name + "-kernel id = 1\n" + grid + block + shmem + nregs + binary + stream + windows +
           "-nvbit version = 1.5.5\n" + version + lineinfo + "\n#traces format = ...\n" + body;
  }
};

inline std::string warp_text(unsigned warp, const std::vector<std::string>& lines) {
  std::string text = "\nwarp = " + std::to_string(warp) + "\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

inline std::string block_text(const std::string& id, const std::string& warps) {
  return "\n#BEGIN_TB\n\nthread block = " + id + "\n" + warps + "\n#END_TB\n";
}

inline const std::string kExitLine = "0100 ffffffff 0 EXIT 0 0 0";

/// A trace of one block with one warp of these instructions, and an EXIT.
inline TraceText one_warp(std::vector<std::string> lines) {
  lines.push_back(kExitLine);
  TraceText trace;
  trace.body = block_text("0,0,0", warp_text(0, lines));
  return trace;
}

/// The block of a one-block trace.
struct ParsedBlock {
  explicit ParsedBlock(const TraceText& trace) : kernel(folder.write("k.traceg", trace.text())), code(kernel.code(0)) {}
  const Instruction& at(std::size_t i, std::uint32_t warp = 0) const { return code->warp(warp).code[i]; }
  LaneAddresses addresses(std::size_t i) const {
    LaneAddresses out;
    out.fill(kUntouched);
    code->addresses(at(i), {}, out);
    return out;
  }
  static constexpr Address kUntouched = 0xdead;

  TestFolder folder;
  SassKernel kernel;
  std::unique_ptr<BlockCode> code;
};

}  // namespace gputlm
