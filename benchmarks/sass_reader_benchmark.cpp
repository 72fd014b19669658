// How fast SASS traces are read: text bytes a second of CPU time, for three shapes of kernel (arithmetic only; short
// memory instructions; scattered accesses with a delta for each lane), plain and xz. The traces are written to a
// temporary folder first. Set the aim against 300 MB a second.
#include <benchmark/benchmark.h>
#include <lzma.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/kernel/sass_kernel.h"

namespace gputlm {
namespace {

enum Shape : int { kCompute, kStream, kGups };
constexpr unsigned kWarps = 8;
constexpr unsigned kTextBytes = 32 * 1000 * 1000;

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

/// The accesses of one warp instruction of a random-access kernel: 8-byte words of a 64 MiB table.
std::string scattered(std::uint64_t& state) {
  constexpr std::uint64_t kTable = 0x7f0200000000;
  std::string text;
  std::int64_t previous = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto offset = static_cast<std::int64_t>((state >> 41) * 8);
    text +=
        lane == 0 ? "0x" + hex(kTable + static_cast<std::uint64_t>(offset)) : " " + std::to_string(offset - previous);
    previous = offset;
  }
  return text;
}

std::vector<std::string> warp_lines(int shape, unsigned block, unsigned warp, std::uint64_t& state) {
  std::vector<std::string> lines{"0000 ffffffff 1 R1 MOV 0 0 0 ", "0030 ffffffff 1 R0 IMAD 2 R3 R0 0 0 "};
  const std::uint64_t offset = (std::uint64_t{block} * kWarps + warp) * 128;
  for (unsigned i = 0; i < 16; ++i) {
    if (shape == kCompute) {
      for (unsigned k = 0; k < 13; ++k) {
        lines.emplace_back("0040 ffffffff 1 R4 FFMA 3 R4 R6 R7 0 0 ");
        lines.emplace_back("0050 ffffffff 1 R5 IADD3 2 R5 R0 0 0 ");
      }
    } else if (shape == kStream) {
      const std::string address = hex(offset + i * 0x100000);
      lines.emplace_back("0040 ffffffff 1 R2 IADD3 2 R0 R2 0 0 ");
      lines.emplace_back("0050 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7f00" + address + " 4 0 ");
      lines.emplace_back("0060 ffffffff 1 R5 FADD 2 R4 R6 0 0 ");
      lines.emplace_back("0070 ffffffff 0 STG.E.SYS 2 R8 R5 4 1 0x7f01" + address + " 4 0 ");
    } else {
      const std::string addresses = scattered(state);
      lines.emplace_back("0050 ffffffff 1 R2 LOP3.LUT 2 R10 R9 0 0 ");
      lines.emplace_back("0060 ffffffff 1 R4 LDG.E.64.SYS 1 R2 8 2 " + addresses + " 0 ");
      lines.emplace_back("0080 ffffffff 0 STG.E.64.SYS 2 R2 R4 8 2 " + addresses + " 0 ");
    }
    lines.emplace_back("0090 ffffffff 0 ISETP.NE.AND 1 R10 0 0 ");
    lines.emplace_back("00a0 ffffffff 0 BRA 0 0 0 ");
  }
  lines.emplace_back("00b0 ffffffff 0 EXIT 0 0 0 ");
  return lines;
}

std::string trace_text(int shape) {
  std::string body;
  std::uint64_t state = 1;
  unsigned blocks = 0;
  for (; body.size() < kTextBytes; ++blocks) {
    body += "\n#BEGIN_TB\n\nthread block = " + std::to_string(blocks) + ",0,0\n";
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      const std::vector<std::string> lines = warp_lines(shape, blocks, warp, state);
      body += "\nwarp = " + std::to_string(warp) + "\ninsts = " + std::to_string(lines.size()) + "\n";
      for (const std::string& line : lines) body += line + "\n";
    }
    body += "\n#END_TB\n";
  }
  return "-kernel name = k\n-grid dim = (" + std::to_string(blocks) + ",1,1)\n-block dim = (" +
         std::to_string(kWarps * kWarpSize) +
         ",1,1)\n-nregs = 32\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n" + body;
}

std::string compress(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  const auto* in = reinterpret_cast<const std::uint8_t*>(text.data());
  if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, in, text.size(),
                              reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) != LZMA_OK)
    return {};
  out.resize(size);
  return out;
}

/// Arguments: shape; 1 for xz.
void read_trace(benchmark::State& state) {
  const std::string text = trace_text(static_cast<int>(state.range(0)));
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("gputlm_benchmark_" + std::to_string(state.range(0)) + (state.range(1) != 0 ? ".traceg.xz" : ".traceg"));
  std::ofstream(path, std::ios::binary) << (state.range(1) != 0 ? compress(text) : text);
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    SassKernel kernel(path.string());
    for (std::uint64_t block = 0; block < kernel.blocks(); ++block) {
      const auto code = kernel.code(block);
      for (std::uint32_t warp = 0; warp < kernel.warps_per_block(); ++warp) instructions += code->warp(warp).length;
    }
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}
BENCHMARK(read_trace)
    ->ArgNames({"shape", "xz"})
    ->ArgsProduct({{kCompute, kStream, kGups}, {0, 1}})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gputlm
