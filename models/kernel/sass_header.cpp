#include "models/kernel/sass_header.h"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "models/kernel/program.h"
#include "models/kernel/sass_fields.h"
#include "models/kernel/sass_scan.h"
#include "tlm/base/error.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kMaxRegisters = 255;     // of a thread, since Kepler (CUDA compute capability 3.5)
constexpr std::uint32_t kAssumedRegisters = 32;  // lets every architecture since Maxwell fill all its threads
constexpr Bytes kMaxSharedMemory = 228 * 1024;   // of an SM, the maximum of any GPU (compute capability 9.0)
constexpr std::uint64_t kNewestVersion = 6;      // newest version of the tracer that the reader knows

namespace sass_header {
using sass::kTracer, sass::trace_format;
constexpr const char* kHeader = "header, `-key = value`";
const FormatField kName(trace_format, kHeader, "kernel name", "function of the kernel, mangled", "",
                        "up to the end of the line", kTracer);
const FormatField kGrid(trace_format, kHeader, "grid dim", "thread blocks of the grid", "blocks",
                        "`(x,y,z)`, decimal, each from 1 on", kTracer);
const FormatField kBlock(trace_format, kHeader, "block dim", "threads of a block", "threads",
                         "`(x,y,z)`, decimal, each from 1 on", kTracer);
const FormatField kSharedMemory(trace_format, kHeader, "shmem", "shared memory of a block, static and dynamic", "B",
                                "decimal; printed as a signed number of 32 bits", kTracer);
const FormatField kRegisters(trace_format, kHeader, "nregs", "registers of a thread", "",
                             "decimal, 1 to 255 (CU_FUNC_ATTRIBUTE_NUM_REGS); of some real traces garbage", kTracer);
const FormatField kBinary(trace_format, kHeader, "binary version", "architecture of the code", "",
                          "decimal: ten times the compute capability (CU_FUNC_ATTRIBUTE_BINARY_VERSION); of some real "
                          "traces 0",
                          kTracer);
const FormatField kStream(trace_format, kHeader, "cuda stream id", "handle (CUstream) of the launch's stream", "",
                          "decimal, unsigned 64 bits: 0 and 1 (CU_STREAM_LEGACY) are the default stream, 2 "
                          "(CU_STREAM_PER_THREAD) that of the thread, others addresses",
                          "tracer_tool.cu, enter_kernel_launch; CUDA Driver API, data types (CU_STREAM_LEGACY, "
                          "CU_STREAM_PER_THREAD)");
const FormatField kSharedBase(trace_format, kHeader, "shmem base_addr", "generic address of shared memory", "B",
                              "hexadecimal with 0x", kTracer);
const FormatField kLocalBase(trace_format, kHeader, "local mem base_addr", "generic address of local memory", "B",
                             "hexadecimal with 0x", kTracer);
const FormatField kVersion(trace_format, kHeader, "accelsim tracer version",
                           "version of the tracer, and thus of the file's form", "",
                           "1.2, 2, 3, 4, 5, 6; what is before the point decides", kTracer);
const FormatField kLineInfo(trace_format, kHeader, "enable lineinfo", "whether instructions begin with a source line",
                            "", "0 no, 1 yes; missing before version 4: no", kTracer);
}  // namespace sass_header

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

class HeaderReader {
 public:
  HeaderReader(LineReader& lines, SassWarnings& warnings) : lines_(lines), warnings_(warnings) {}

  SassHeader read() {
    for (;;) {
      if (!lines_.next()) fail("the file ends in the header; a line that starts with `#` must follow it");
      const std::string_view line = trim({lines_.begin(), static_cast<std::size_t>(lines_.end() - lines_.begin())});
      if (line.empty()) continue;
      if (line[0] == '#') break;
      if (line[0] != '-') fail("found `" + std::string(line.substr(0, 60)) + "`; a header line is `-key = value`");
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;  // a key without a value says nothing
      set(trim(line.substr(1, equals - 1)), trim(line.substr(equals + 1)));
    }
    check();
    return header_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(lines_.path(), lines_.number(), what); }
  void warn(const std::string& what) { warnings_.header(lines_.path(), what); }
  static std::string shown(std::string_view value) { return shortened(std::string(value)); }

  struct Key {
    const FormatField& field;
    void (HeaderReader::*read)(std::string_view value);
  };
  /// The keys that are read; others are ignored.
  static const std::array<Key, 11> kKeys;

  void set(std::string_view key, std::string_view value) {
    const auto [earlier, first] = line_of_.emplace(key, lines_.number());
    if (!first) fail("`-" + shown(key) + "` is given twice, first in line " + std::to_string(earlier->second));
    for (const Key& known : kKeys) {
      if (key == known.field.name) (this->*known.read)(value);
    }
  }

  void set_grid(std::string_view value) { header_.grid = dimensions(sass_header::kGrid, value), grid_seen_ = true; }
  void set_block(std::string_view value) { header_.block = dimensions(sass_header::kBlock, value), block_seen_ = true; }
  void set_shared_base(std::string_view value) { header_.shared_base = address(sass_header::kSharedBase, value); }
  void set_local_base(std::string_view value) { header_.local_base = address(sass_header::kLocalBase, value); }

  void set_name(std::string_view value) {
    if (!is_plain_text(value)) fail("the kernel name has a byte that is not UTF-8, or a control character");
    header_.name = std::string(value);
  }

  /// The value as a decimal number. It is a view into the line, so the scan ends at its '\n' at the latest.
  static bool number(std::string_view value, std::uint64_t& out) {
    const char* p = value.data();
    return !value.empty() && sass::scan_decimal(p, out) && p == value.data() + value.size();
  }

  Dim3 dimensions(const FormatField& field, std::string_view value) const {
    Dim3 result;
    const char* p = value.data();
    bool good = !value.empty() && *p == '(';
    std::uint32_t* const parts[] = {&result.x, &result.y, &result.z};
    for (std::size_t i = 0; good && i < 3; ++i) {
      std::uint64_t part = 0;
      ++p;
      sass::skip_blanks(p);
      good = sass::scan_digits(p, part) && part <= std::numeric_limits<std::uint32_t>::max();
      sass::skip_blanks(p);
      good = good && *p == (i < 2 ? ',' : ')');
      *parts[i] = static_cast<std::uint32_t>(part);
    }
    if (!good) fail("found `" + shown(value) + "`; " + field.name + " is " + field.values);
    if (result.x == 0 || result.y == 0 || result.z == 0)
      fail(std::string("found ") + field.name + " = " + shown(value) + "; each dimension is at least 1");
    return result;
  }

  Address address(const FormatField& field, std::string_view value) const {
    Address result = 0;
    const char* p = value.data();
    if (value.empty() || !sass::scan_hex(p, result))
      fail("found `" + shown(value) + "`; " + field.name + " is " + field.values);
    return result;
  }

  void set_stream(std::string_view value) {
    constexpr std::uint64_t kLegacy = 1;  // CU_STREAM_LEGACY: another handle of stream 0
    if (!number(value, header_.stream)) fail("found `" + shown(value) + "`; cuda stream id is a number from 0 on");
    if (header_.stream == kLegacy) header_.stream = 0;
  }

  void set_shared_memory(std::string_view value) {
    if (number(value, header_.shared_memory) && header_.shared_memory <= kMaxSharedMemory) return;
    header_.shared_memory = 0;
    warn("shmem = " + shown(value) + " is not a number of bytes from 0 to " + std::to_string(kMaxSharedMemory) +
         "; assumed 0");
  }

  void set_registers(std::string_view value) {
    std::uint64_t registers = 0;
    registers_seen_ = true;
    if (!number(value, registers) || registers == 0 || registers > kMaxRegisters) {
      warn("nregs = " + shown(value) + " is not a number of registers from 1 to " + std::to_string(kMaxRegisters) +
           "; assumed " + std::to_string(kAssumedRegisters));
      registers = kAssumedRegisters;
    } else {
      header_.registers_known = true;
    }
    header_.registers = static_cast<std::uint32_t>(registers);
  }

  void check_binary_version(std::string_view value) {
    std::uint64_t version = 0;
    if (!number(value, version) || version < 20 || version > 129)
      warn("binary version = " + shown(value) +
           " is no architecture; opcodes are taken by name, as Kepler to Blackwell share them");
    header_.binary = version;
  }

  /// Reads the version up to the point, as the simulator does: the first tracers were 1.2.
  void set_tracer_version(std::string_view value) {
    std::uint64_t version = 0;
    version_seen_ = true;
    const char* p = value.data();
    const bool good =
        !value.empty() && sass::scan_digits(p, version) && (p == value.data() + value.size() || *p == '.');
    if (!good || version == 0)
      warn("accelsim tracer version = " + shown(value) + " is not a version; assumed 3 or later");
    else if (version > kNewestVersion)
      warn("accelsim tracer version = " + shown(value) + " is not known; read as version " +
           std::to_string(kNewestVersion));
    header_.block_prefix = version == 1 || version == 2;
    header_.has_values = version >= 6;
  }

  void set_line_info(std::string_view value) {
    if (value != "0" && value != "1") warn("enable lineinfo = " + shown(value) + " is neither 0 nor 1; assumed 0");
    header_.line_info = value == "1";
  }

  void check() {
    if (!grid_seen_) fail("the header has no `-grid dim = (x,y,z)`");
    if (!block_seen_) fail("the header has no `-block dim = (x,y,z)`");
    // Divisions, because three 32-bit dimensions may overflow their 64-bit product.
    const Dim3& grid = header_.grid;
    constexpr std::uint64_t kMaxBlocks = std::numeric_limits<std::uint32_t>::max();
    if (std::uint64_t{grid.x} * grid.y > kMaxBlocks / grid.z)
      fail("the grid has more than " + std::to_string(kMaxBlocks) + " blocks");
    const Dim3& block = header_.block;
    if (std::uint64_t{block.x} * block.y > kMaxThreadsPerBlock / block.z)
      fail("the block dim is (" + std::to_string(block.x) + "," + std::to_string(block.y) + "," +
           std::to_string(block.z) + "); a block has at most " + std::to_string(kMaxThreadsPerBlock) + " threads");
    if (header_.name.empty()) {
      const std::size_t slash = lines_.path().rfind('/');
      header_.name = lines_.path().substr(slash == std::string::npos ? 0 : slash + 1);
      warn("the header has no kernel name; assumed " + header_.name);
    }
    if (!registers_seen_) {
      header_.registers = kAssumedRegisters;
      warn("the header has no nregs; assumed " + std::to_string(kAssumedRegisters));
    }
    if (!version_seen_) warn("the header has no accelsim tracer version; assumed 3 or later");
  }

  LineReader& lines_;
  SassWarnings& warnings_;
  SassHeader header_;
  std::map<std::string, std::size_t, std::less<>> line_of_;  ///< line of each key
  bool grid_seen_ = false, block_seen_ = false, registers_seen_ = false, version_seen_ = false;
};

const std::array<HeaderReader::Key, 11> HeaderReader::kKeys{{
    {sass_header::kName, &HeaderReader::set_name},
    {sass_header::kGrid, &HeaderReader::set_grid},
    {sass_header::kBlock, &HeaderReader::set_block},
    {sass_header::kSharedMemory, &HeaderReader::set_shared_memory},
    {sass_header::kRegisters, &HeaderReader::set_registers},
    {sass_header::kBinary, &HeaderReader::check_binary_version},
    {sass_header::kStream, &HeaderReader::set_stream},
    {sass_header::kSharedBase, &HeaderReader::set_shared_base},
    {sass_header::kLocalBase, &HeaderReader::set_local_base},
    {sass_header::kVersion, &HeaderReader::set_tracer_version},
    {sass_header::kLineInfo, &HeaderReader::set_line_info},
}};

}  // namespace

SassHeader read_sass_header(LineReader& lines, SassWarnings& warnings) { return HeaderReader(lines, warnings).read(); }

}  // namespace gputlm
