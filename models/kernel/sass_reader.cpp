#include "models/kernel/sass_reader.h"

#include <algorithm>
#include <string_view>

#include "models/kernel/sass_fields.h"
#include "models/kernel/sass_scan.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

namespace sass_block {
using sass::kPostProcessing, sass::trace_format;
constexpr const char* kPlace = "thread block";
const FormatField kBegin(trace_format, kPlace, "#BEGIN_TB", "begins a block", "", "", kPostProcessing);
const FormatField kId(trace_format, kPlace, "thread block", "index of the block", "",
                      "`x,y,z`, decimal, from 0 on; blocks without a traced instruction are not there",
                      kPostProcessing);
const FormatField kClusterRank(trace_format, kPlace, "cluster rank", "place of the block in its cluster", "",
                               "decimal, from 0 on (PTX: %cluster_ctarank); 0 without clusters; since version 6",
                               kPostProcessing);
const FormatField kWarp(trace_format, kPlace, "warp", "begins a warp: its number in the block", "",
                        "decimal, from 0 on", kPostProcessing);
const FormatField kInstructions(trace_format, kPlace, "insts", "number of lines of instructions that follow",
                                "instructions", "decimal, from 0 on", kPostProcessing);
const FormatField kEnd(trace_format, kPlace, "#END_TB", "ends the block", "", "", kPostProcessing);
}  // namespace sass_block

/// The value of a `key = value` line, or null if the line has another key.
const char* value_of(const char* line, const FormatField& field) {
  sass::skip_blanks(line);
  for (const char* key = field.name; *key != '\0'; ++key, ++line)
    if (*line != *key) return nullptr;
  sass::skip_blanks(line);
  if (*line++ != '=') return nullptr;
  sass::skip_blanks(line);
  return line;
}

bool line_is(const char* line, std::string_view word) {
  sass::skip_blanks(line);
  return std::string_view(line, static_cast<std::size_t>(sass::token_end(line) - line)) == word;
}

/// Whether a line (of later tracers) is about the cluster: `cluster id = ...`, `cluster cta = ...`, `cluster rank = ...`.
bool is_of_cluster(const char* line) { return line_is(line, "cluster"); }

/// Whether only blanks are left up to the end of the line.
bool at_end(const char* p) {
  sass::skip_blanks(p);
  return *p == '\n';
}

}  // namespace

SassReader::SassReader(const std::string& path, const SassHeader& header, SassWarnings& warnings)
    : lines_(path), header_(header), warnings_(warnings), blocks_(header.grid.count()),
      warps_(static_cast<std::uint32_t>((header.block.count() + kWarpSize - 1) / kWarpSize)) {}

void SassReader::fail(const std::string& what) const { throw InputError(lines_.path(), lines_.number(), what); }

void SassReader::fail_at(const char* found, const FormatField& allowed) const {
  fail_at(found, (std::string("allowed is ") + allowed.name + ", " + allowed.meaning + ": " + allowed.values).c_str());
}

void SassReader::fail_at(const char* found, const char* allowed) const {
  constexpr std::ptrdiff_t kShown = 60;
  sass::skip_blanks(found);
  const char* const end = std::min(sass::token_end(found), found + kShown);
  fail((found == end ? "the line ends" : "found `" + std::string(found, end) + "`") + "; " + allowed);
}

/// Skips to the next #BEGIN_TB; false at the end of the file.
bool SassReader::find_block() {
  while (lines_.next()) {
    const char* p = lines_.begin();
    sass::skip_blanks(p);
    if (*p == '\n') continue;
    if (*p == '#') {
      header_over_ = true;
      if (line_is(p, sass_block::kBegin.name)) return true;
      if (line_is(p, sass_block::kEnd.name)) fail("found `#END_TB`; no thread block is open here");
      continue;
    }
    if (!header_over_) continue;
    fail_at(p, "between thread blocks only `#BEGIN_TB` is allowed");
  }
  return false;
}

void SassReader::expect_end() {
  if (find_block()) fail("another thread block begins; the grid has " + std::to_string(blocks_) + " only");
}

void SassReader::read_block(std::uint64_t index, SassBlockBuffers& out) {
  out.instructions.clear();
  out.addresses.clear();
  out.mbarriers.clear();
  out.bulk.clear();
  out.rows.clear();
  out.rank = 0;
  out.warps.assign(warps_, {});
  if (!find_block())
    fail("the trace ends after " + std::to_string(index) + " thread blocks; the grid has " + std::to_string(blocks_));
  read_block_id(index);
  for (;;) {
    if (!lines_.next()) fail("the trace ends inside a thread block; `#END_TB` is missing");
    const char* p = lines_.begin();
    sass::skip_blanks(p);
    if (*p == '\n') continue;
    if (is_of_cluster(p)) {
      read_rank(p, out);
      continue;
    }
    if (*p != '#') {
      read_warp(out);
    } else if (line_is(p, sass_block::kEnd.name)) {
      break;
    } else if (line_is(p, sass_block::kBegin.name)) {
      fail("found `#BEGIN_TB`; the thread block before it has no `#END_TB`");
    }
  }
  for (std::uint32_t warp = 0; warp < warps_; ++warp) {
    if (out.warps[warp].length != 0) continue;
    warnings_.once(SassWarnings::kMissingWarp, lines_,
                   "a thread block lacks warp " + std::to_string(warp) + "; such warps exit at once");
    const auto first = static_cast<std::uint32_t>(out.instructions.size());
    exits_ = false;
    finish_warp(first, out);
    out.warps[warp] = {first, 1};
  }
}

void SassReader::read_block_id(std::uint64_t index) {
  do {
    if (!lines_.next()) fail("the trace ends inside a thread block; `#END_TB` is missing");
  } while (at_end(lines_.begin()));
  const char* p = value_of(lines_.begin(), sass_block::kId);
  if (p == nullptr) fail_at(lines_.begin(), "`thread block = x,y,z` must follow `#BEGIN_TB`");
  const Dim3 grid = header_.grid;
  std::uint64_t x = 0, y = 0, z = 0;
  const auto comma = [&p] { return *p == ',' && (++p, sass::skip_blanks(p), true); };
  const bool good =
      sass::scan_digits(p, x) && comma() && sass::scan_digits(p, y) && comma() && sass::scan_digits(p, z) && at_end(p);
  if (!good) fail_at(p, "a thread block is written `x,y,z`");
  if (x >= grid.x || y >= grid.y || z >= grid.z)
    fail("found thread block " + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
         "; the grid is (" + std::to_string(grid.x) + "," + std::to_string(grid.y) + "," + std::to_string(grid.z) +
         ")");
  const std::uint64_t id = (z * grid.y + y) * grid.x + x;
  if (!disordered_ && id == index) return;
  if (!disordered_) {
    disordered_ = true;
    seen_.assign(index, true);
    warnings_.once(SassWarnings::kBlockOrder, lines_,
                   "thread blocks are not in ascending order; they are launched in the order of the file");
  }
  if (id < seen_.size() && seen_[id])
    fail("thread block " + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
         " occurs twice; each is allowed once");
  if (id >= seen_.size()) seen_.resize(id + 1);
  seen_[id] = true;
}

void SassReader::read_rank(const char* line, SassBlockBuffers& out) {
  const char* p = value_of(line, sass_block::kClusterRank);
  std::uint64_t rank = 0;
  if (p == nullptr || !sass::scan_decimal(p, rank) || rank == 0) return;
  if (header_.cluster.count() > rank) {
    out.rank = static_cast<std::uint32_t>(rank);
    return;
  }
  warnings_.once(
      SassWarnings::kCluster, lines_,
      "cluster rank = " + std::to_string(rank) +
          ", but the first blocks have places of no clusters that divide the grid; blocks go to SMs one by one");
}

void SassReader::read_warp(SassBlockBuffers& out) {
  const char* p = value_of(lines_.begin(), sass_block::kWarp);
  if (p == nullptr) fail_at(lines_.begin(), "`warp = n` or `#END_TB` must follow the last instruction of a warp");
  std::uint64_t warp = 0;
  if (!sass::scan_decimal(p, warp) || !at_end(p)) fail_at(p, "a warp is a number from 0 on");
  if (warp >= warps_)
    fail("found warp " + std::to_string(warp) + "; a block of " + std::to_string(header_.block.count()) +
         " threads has warps 0 to " + std::to_string(warps_ - 1));
  if (out.warps[warp].length != 0) fail("warp " + std::to_string(warp) + " occurs twice; each is allowed once a block");
  const std::uint64_t count = read_instruction_count();
  const auto first = static_cast<std::uint32_t>(out.instructions.size());
  exits_ = false;
  pc_.reset();
  for (std::uint64_t read = 0; read < count;) {
    if (!lines_.next()) fail("the trace ends inside a thread block; `#END_TB` is missing");
    const char* line = lines_.begin();
    sass::skip_blanks(line);
    if (*line == '\n') continue;
    if (*line == '#' || *line == 'w')
      fail("warp " + std::to_string(warp) + " has " + std::to_string(read) +
           " instructions; `insts = " + std::to_string(count) + "` promises more");
    read_instruction(line, out);
    ++read;
  }
  finish_warp(first, out);
  out.warps[warp] = {first, static_cast<std::uint32_t>(out.instructions.size()) - first};
}

std::uint64_t SassReader::read_instruction_count() {
  do {
    if (!lines_.next()) fail("the trace ends inside a thread block; `#END_TB` is missing");
  } while (at_end(lines_.begin()));
  const char* p = value_of(lines_.begin(), sass_block::kInstructions);
  if (p == nullptr) fail_at(lines_.begin(), "`insts = k` must follow `warp = n`");
  std::uint64_t count = 0;
  if (!sass::scan_decimal(p, count) || !at_end(p)) fail_at(p, "insts is a number from 0 on");
  return count;
}

void SassReader::finish_warp(std::uint32_t first, SassBlockBuffers& out) {
  if (exits_) {
    out.instructions.back().op = Op::kExit;
    return;
  }
  if (out.instructions.size() > first)
    warnings_.once(SassWarnings::kMissingExit, lines_, "the last instruction of a warp is no EXIT; one is added");
  Instruction exit;
  exit.op = Op::kExit;
  exit.pipe = Pipe::kControl;
  exit.mask = 0;
  out.instructions.push_back(exit);
}

}  // namespace gputlm
