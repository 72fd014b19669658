#include "platform/input/kernels_list.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "models/kernel/sass_scan.h"
#include "models/kernel/text_source.h"
#include "platform/input/trace_names.h"
#include "tlm/error.h"
#include "tlm/format_field.h"
#include "tlm/text.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

constexpr Bytes kMaxBytes = Bytes{1} << 40;  // of a copy

namespace launch_list {
FileFormat format{"Accel-Sim launch list (kernelslist.g)", "Accel-Sim's tracer and its post-traces-processing",
                  "tracer 3 to 6, of 2021 to 2025"};
constexpr const char* kTracer =
    "accel-sim-framework, util/tracer_nvbit/tracer_tool/tracer_tool.cu, nvbit_at_cuda_event";
const FormatField kMemcpy(format, "line of a copy, parted by commas", "MemcpyHtoD",
                          "begins the line of a cuMemcpyHtoD, in the order of the calls", "", "", kTracer);
const FormatField kAddress(format, "line of a copy, parted by commas", "dstDevice", "where the copy goes", "B",
                           "hexadecimal with 0x", kTracer);
const FormatField kByteCount(format, "line of a copy, parted by commas", "ByteCount", "how much is copied", "B",
                             "decimal", kTracer);
const FormatField kKernel(format, "line of a launch", "kernel",
                          "begins the name of a kernel's trace, relative to the list, in the order of the launches", "",
                          "kernel-N.traceg or .traceg.xz",
                          "accel-sim-framework, util/tracer_nvbit/tracer_tool/traces-processing/"
                          "post-traces-processing.cpp, main");
}  // namespace launch_list

/// `,dstDevice,ByteCount` up to the end of the line.
TraceMemcpy read_memcpy(const char* p, const LineReader& lines) {
  TraceMemcpy result;
  const auto comma = [&p] {
    sass::skip_blanks(p);
    if (*p != ',') return false;
    ++p;
    sass::skip_blanks(p);
    return true;
  };
  bool good = comma();
  // The address ends at a comma, which no other number of the trace formats does: take its digits here.
  if (good && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) p += 2;
  const char* const first = p;
  for (std::uint8_t digit = 0; (digit = sass::kHexDigits[static_cast<unsigned char>(*p)]) != sass::kNoDigit; ++p)
    result.address = (result.address << 4) | digit;
  good = good && p != first && p - first <= 16 && comma() && sass::scan_decimal(p, result.bytes);
  sass::skip_blanks(p);
  if (!good || *p != '\n' || result.bytes > kMaxBytes)
    throw InputError(
        lines.path(), lines.number(),
        "found `" + shortened({lines.begin(), lines.end()}) +
            fmt::format("`; a copy is `{},{},{}`, {} and {}, of at most 2^40 bytes", launch_list::kMemcpy.name,
                        launch_list::kAddress.name, launch_list::kByteCount.name, launch_list::kAddress.values,
                        launch_list::kByteCount.values));
  return result;
}

}  // namespace

KernelsList read_kernels_list(const std::string& path) {
  LineReader lines(path, ReadAhead::kNo, 4096);
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
  KernelsList list;
  list.path = path;
  while (lines.next()) {
    const char* begin = lines.begin();
    const char* end = lines.end();
    sass::skip_blanks(begin);
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) --end;
    if (begin >= end) continue;
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    if (line.find('\0') != std::string_view::npos)
      throw InputError(path, lines.number(), "found a NUL byte; the list is text");
    const std::size_t name_at = line.rfind('/') + 1;  // 0 without a slash
    if (starts_with(line, launch_list::kMemcpy.name)) {
      list.entries.push_back({lines.number(), read_memcpy(begin + std::strlen(launch_list::kMemcpy.name), lines)});
    } else if (starts_with(line.substr(name_at), launch_list::kKernel.name) ||
               is_kernel_trace_name(std::string(line))) {
      const std::string file(line);
      list.entries.push_back({lines.number(), TraceLaunch{file[0] == '/' ? file : folder + file}});
    } else {
      if (!is_plain_text(line))
        throw InputError(path, lines.number(), "found neither MemcpyHtoD nor a kernel trace, and no text");
      list.warnings.push_back(path + ":" + std::to_string(lines.number()) + ": ignored `" +
                              shortened(std::string(line)) + "`; neither MemcpyHtoD nor a kernel trace");
    }
  }
  return list;
}

}  // namespace gputlm
