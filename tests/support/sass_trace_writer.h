/// SASS traces in the form of Accel-Sim's tracer and its post-processing, field by field, for tests of readers. Sources in
/// accel-sim-framework, util/tracer_nvbit/tracer_tool: `tracer_tool.cu` (the header: enter_kernel_launch, before 2025
/// nvbit_at_cuda_event; an instruction: recv_thread_fun), `traces-processing/post-traces-processing.cpp` (blocks and warps:
/// group_per_block; the list: main). It knows nothing of the reader.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputlm::written {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

/// What the tracer finds out about a launch: cuLaunchKernel's parameters, attributes of the function, and its own settings.
struct TracedLaunch {
  std::string name = "_Z9vectorAddPKfS0_Pfi";  // nvbit_get_func_name(ctx, f, true): mangled
  int id = 1;                                  // number of the launch in its context, from 1 on
  Dim grid, block{32, 1, 1};
  unsigned static_shared = 0, dynamic_shared = 0;  // bytes: CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, sharedMemBytes
  int registers = 32;                              // CU_FUNC_ATTRIBUTE_NUM_REGS
  int binary = 80;                                 // CU_FUNC_ATTRIBUTE_BINARY_VERSION
  std::uint64_t stream = 0;                        // the handle: CU_STREAM_LEGACY is 1, CU_STREAM_PER_THREAD 2
  std::uint64_t shared_base = 0x7f2e00000000, local_base = 0x7f2e02000000;  // nvbit_get_*_base_addr
  std::string nvbit = "1.7.4";
  std::string tracer = "5";  // TRACER_VERSION; the first ones were "1.2"
  int lineinfo = 0;
};

inline std::string header(const TracedLaunch& l) {
  std::string text = fmt::format("-kernel name = {}\n-kernel id = {}\n", l.name, l.id);
  text += fmt::format("-grid dim = ({},{},{})\n-block dim = ({},{},{})\n", l.grid.x, l.grid.y, l.grid.z, l.block.x,
                      l.block.y, l.block.z);
  // "%d" of an unsigned sum
  text += fmt::format("-shmem = {}\n-nregs = {}\n-binary version = {}\n",
                      static_cast<int>(l.static_shared + l.dynamic_shared), l.registers, l.binary);
  text += fmt::format("-cuda stream id = {}\n-shmem base_addr = 0x{:016x}\n-local mem base_addr = 0x{:016x}\n",
                      l.stream, l.shared_base, l.local_base);
  text += fmt::format("-nvbit version = {}\n-accelsim tracer version = {}\n-enable lineinfo = {}\n\n", l.nvbit,
                      l.tracer, l.lineinfo);
  return text +
         "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
         "[adrrescompress?] [mem_addresses] immediate\n\n";
}

using Addresses = std::array<std::uint64_t, 32>;  // addresses of all lanes; those of inactive ones are not written

/// A copy by TMA, since version 6; as the simulator's parser reads it back (gpu-simulator/trace-parser/trace_parser.cc,
/// inst_trace_t::parse_from_string), since the tracer of that version is not public.
struct TracedBulk {
  std::uint32_t mbarrier = 0;                          // address in shared memory
  std::optional<std::uint16_t> blocks = std::nullopt;  // blocks of a multicast, a bit each
  std::uint64_t bytes = 0, out_of_bounds = 0;
  std::vector<std::uint64_t> addresses = {};
};

/// What the tracer knows about an instruction of a warp (common.h, inst_trace_t).
struct TracedInstruction {
  std::uint32_t pc = 0;
  std::uint32_t active = 0xffffffff, predicate = 0xffffffff;
  int destination = -1;  // destination register; -1: none
  std::string opcode = "NOP";
  std::vector<int> sources = {};  // source registers; 255 is the zero register
  std::optional<Addresses> addresses = std::nullopt;
  std::uint64_t immediate = 0;
  unsigned line = 0;  // source line, with lineinfo
  std::optional<TracedBulk> bulk = std::nullopt;
  // A warp's value of each source; written since version 6 if the tracer was asked for values.
  std::vector<std::uint64_t> values = {};
};

inline std::string bulk_text(const TracedBulk& bulk) {
  std::string text = fmt::format("0x{:x} {} ", bulk.mbarrier, bulk.blocks ? 1 : 0);
  if (bulk.blocks) text += fmt::format("0x{:x} ", *bulk.blocks);
  text += fmt::format("{} {} 4 0x{:x} {} ", bulk.bytes, bulk.out_of_bounds,
                      bulk.addresses.empty() ? 0 : bulk.addresses.front(), bulk.addresses.size());  // tma_base_delta
  for (std::size_t i = 1; i < bulk.addresses.size(); ++i)
    text += fmt::format("{} ", static_cast<std::int64_t>(bulk.addresses[i] - bulk.addresses[i - 1]));
  return text;
}

/// get_datawidth_from_opcode: the first part of the opcode that is a number, or U and a number, is the bits.
inline unsigned width_of(const std::string& opcode) {
  std::size_t begin = 0;
  while (begin <= opcode.size()) {
    const std::size_t end = std::min(opcode.find('.', begin), opcode.size());
    std::string part = opcode.substr(begin, end - begin);
    if (!part.empty() && part[0] == 'U') part.erase(0, 1);
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos)
      return static_cast<unsigned>(std::stoul(part)) / 8;
    begin = end + 1;
  }
  return 4;
}

/// The addresses: TOOL_COMPRESS, on unless it is switched off, tries base_stride, then takes base_delta.
inline std::string addresses_text(const Addresses& of, std::uint32_t mask, bool compress) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) lanes.push_back(lane);
  }
  std::string text;
  if (!compress) {
    text = "0 ";  // list_all
    for (const unsigned lane : lanes) text += fmt::format("0x{:016x} ", of[lane]);
    return text;
  }
  if (lanes.empty()) return "1 0x0 0 ";  // base_stride_compress finds nothing against it
  // base_stride: at least two lanes, all of them neighbours, and a single distance; the stride is an int
  bool stride = lanes.size() > 1 && lanes.back() - lanes.front() + 1 == lanes.size();
  const auto first = stride ? static_cast<int>(of[lanes[1]] - of[lanes[0]]) : 0;
  for (std::size_t i = 1; stride && i < lanes.size(); ++i)
    stride = static_cast<std::uint64_t>(static_cast<std::int64_t>(first)) == of[lanes[i]] - of[lanes[i - 1]];
  if (stride) return fmt::format("1 0x{:x} {} ", of[lanes[0]], first);
  text = fmt::format("2 0x{:x} ", of[lanes[0]]);  // base_delta
  for (std::size_t i = 1; i < lanes.size(); ++i)
    text += fmt::format("{} ", static_cast<std::int64_t>(of[lanes[i]] - of[lanes[i - 1]]));
  return text;
}

/// A line; each token is followed by a blank.
inline std::string instruction(const TracedInstruction& i, const TracedLaunch& launch = {}, bool compress = true) {
  const std::uint32_t mask = i.active & i.predicate;
  std::string text = launch.lineinfo != 0 ? fmt::format("{} ", i.line) : "";
  text += fmt::format("{:04x} {:08x} ", i.pc, mask);
  text += i.destination >= 0 ? fmt::format("1 R{} ", i.destination) : "0 ";
  text += fmt::format("{} {} ", i.opcode, i.sources.size());
  for (const int source : i.sources) text += fmt::format("R{} ", source);
  if (i.bulk) {
    text += fmt::format("{} {}", width_of(i.opcode), bulk_text(*i.bulk));
  } else {
    text += i.addresses ? fmt::format("{} {}", width_of(i.opcode), addresses_text(*i.addresses, mask, compress)) : "0 ";
  }
  text += fmt::format("{} ", static_cast<std::int32_t>(i.immediate));  // "%d" of 64 bits
  if (!i.values.empty()) {
    text += "0 Val ";  // a second immediate; for written registers the previous value is written, too
    if (i.destination >= 0) text += "1 0x0 ";
    for (const std::uint64_t value : i.values) text += fmt::format("1 0x{:x} ", value);
  }
  return text + "\n";
}

/// `warps`: lines of each warp. `cluster`: its shape in blocks, written since version 6; none: not written.
inline std::string block(const Dim& id, const std::vector<std::vector<std::string>>& warps,
                         const std::optional<Dim>& cluster = std::nullopt) {
  std::string text = fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", id.x, id.y, id.z);
  if (cluster) {
    const Dim in{id.x % cluster->x, id.y % cluster->y, id.z % cluster->z};
    text += fmt::format("cluster id = {},{},{}\n", id.x / cluster->x, id.y / cluster->y, id.z / cluster->z);
    text += fmt::format("cluster cta = {},{},{}\ncluster rank = {}\n", in.x, in.y, in.z,
                        (in.z * cluster->y + in.y) * cluster->x + in.x);
  }
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    text += fmt::format("\nwarp = {}\ninsts = {}\n", warp, warps[warp].size());
    for (const std::string& line : warps[warp]) text += line;
  }
  return text + "\n#END_TB\n";
}

/// Lines of kernelslist.g: cuMemcpyHtoD's dstDevice and ByteCount; the file of a launch, compressed by xz or not.
inline std::string list_copy(std::uint64_t device, std::uint64_t bytes) {
  return fmt::format("MemcpyHtoD,0x{:016x},{}\n", device, bytes);
}
inline std::string list_kernel(const TracedLaunch& launch, bool xz = false) {
  return fmt::format("kernel-{}.traceg{}\n", launch.id, xz ? ".xz" : "");
}

}  // namespace gputlm::written
