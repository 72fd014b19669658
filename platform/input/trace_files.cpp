#include "platform/input/trace_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include <tuple>
#include <vector>

#include "models/kernel/sass_scan.h"
#include "models/kernel/text_source.h"
#include "tlm/base/error.h"
#include "tlm/base/format_field.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualList = "kernelslist.g";

bool is_folder(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}
bool is_there(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// The same file compressed or uncompressed, if it exists.
std::optional<std::string> counterpart(const std::string& path) {
  for (const std::string& other : names_of_the_same(path)) {
    if (other != path && is_there(other)) return other;
  }
  return std::nullopt;
}

enum class Content { kList, kKernel, kOther };

/// What the beginning of a file shows; `kOther` if it cannot be read.
Content content(const std::string& path) {
  constexpr std::size_t kLines = 20;
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return Content::kOther;
  try {
    LineReader lines(path, ReadAhead::kNo, 4096);
    for (std::size_t i = 0; i < kLines && lines.next(); ++i) {
      std::string_view line(lines.begin(), static_cast<std::size_t>(lines.end() - lines.begin()));
      while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      if (line.substr(0, 13) == "-kernel name ") return Content::kKernel;
      if (line.substr(0, 11) == "MemcpyHtoD,") return Content::kList;
      if (line.find(": ") != std::string_view::npos || line.find('"') != std::string_view::npos) return Content::kOther;
      if (is_kernel_trace_name(std::string(line))) return Content::kList;
    }
  } catch (const InputError&) {
  }
  return Content::kOther;
}

/// The first number in the name; names without one come last.
std::size_t number_in(const std::string& name) {
  std::string_view rest = name;
  rest.remove_prefix(std::min(rest.find_first_of("0123456789"), rest.size()));
  return take_number<std::size_t>(rest).value_or(std::string::npos);
}

/// The first existing form of each file.
std::vector<std::string> without_copies(const std::vector<std::string>& names) {
  const std::set<std::string> all(names.begin(), names.end());
  std::vector<std::string> first;
  for (const std::string& name : names) {
    const std::vector<std::string> forms = names_of_the_same(name);
    if (*std::find_if(forms.begin(), forms.end(), [&](const auto& form) { return all.count(form) > 0; }) == name)
      first.push_back(name);
  }
  return first;
}

KernelsList of_kernels(const std::string& source, const std::vector<std::string>& paths) {
  KernelsList list;
  list.path = source;
  for (const std::string& path : paths) list.entries.push_back({0, TraceLaunch{path}});
  return list;
}

KernelsList of_folder(const std::string& folder) {
  std::vector<std::string> lists, kernels, raw;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_launch_list_name(name)) lists.push_back(name);
    if (is_kernel_trace_name(name)) kernels.push_back(name);
    if (ends_with(unpacked_name(name), ".trace")) raw.push_back(name);
  }
  if (error) throw InputError(folder, 0, "cannot be read: " + error.message());
  const auto in = [&](const std::string& name) { return (fs::path(folder) / name).string(); };
  std::sort(lists.begin(), lists.end());
  lists = without_copies(lists);
  for (const std::string& name : lists) {
    if (unpacked_name(name) != kUsualList) continue;
    lists = {name};
    break;
  }
  if (lists.size() > 1)
    throw InputError(
        folder, 0,
        fmt::format("has several launch lists: {}; name the one to run, as {}", fmt::join(lists, ", "), in(lists[0])));
  if (lists.size() == 1) return read_kernels_list(in(lists[0]));
  if (kernels.empty())
    throw InputError(folder, 0,
                     raw.empty() ? "has neither a launch list (kernelslist.g) nor kernel traces (*.traceg, *.tracez)"
                                 : "has raw traces (" + raw[0] +
                                       ") only; allowed are those that the tracer's post-traces-processing has made "
                                       "of them (*.traceg, *.tracez)");
  kernels = without_copies(kernels);
  std::sort(kernels.begin(), kernels.end(), [](const std::string& a, const std::string& b) {
    return std::make_tuple(number_in(a), a) < std::make_tuple(number_in(b), b);
  });
  for (std::string& name : kernels) name = in(name);
  KernelsList list = of_kernels(folder, kernels);
  list.warnings.push_back(folder + ": has no launch list; its " + std::to_string(kernels.size()) +
                          " kernel traces are launched in the order of their numbers");
  return list;
}

/// Replaces missing entries of the list by existing counterparts.
void take_counterparts(KernelsList& list) {
  std::size_t taken = 0;
  std::string first;
  for (KernelsListEntry& entry : list.entries) {
    auto* launch = std::get_if<TraceLaunch>(&entry.command);
    if (!launch || is_there(launch->path)) continue;
    const auto other = counterpart(launch->path);
    if (!other) continue;
    if (taken++ == 0) first = launch->path + " is missing, " + *other + " was taken";
    launch->path = *other;
  }
  if (taken == 0) return;
  if (taken > 1) first += ", and so with " + std::to_string(taken - 1) + " more";
  list.warnings.push_back(list.path + ": " + first);
}

constexpr Bytes kMaxBytes = Bytes{1} << 40;  // maximum size of a copy

namespace launch_list {
FileFormat format{"Accel-Sim launch list (kernelslist.g)", "Accel-Sim's tracer and its post-traces-processing",
                  "tracer 3 to 6, of 2021 to 2025"};
constexpr const char* kTracer =
    "accel-sim-framework, util/tracer_nvbit/tracer_tool/tracer_tool.cu, nvbit_at_cuda_event";
const FormatField kMemcpy(format, "line of a copy, parted by commas", "MemcpyHtoD",
                          "begins the line of a cuMemcpyHtoD, in the order of the calls", "", "", kTracer);
const FormatField kAddress(format, "line of a copy, parted by commas", "dstDevice", "destination address of the copy",
                           "B", "hexadecimal with 0x", kTracer);
const FormatField kByteCount(format, "line of a copy, parted by commas", "ByteCount", "bytes copied", "B", "decimal",
                             kTracer);
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
  // The address ends at a comma, unlike other numbers of the trace formats: take its digits here.
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

constexpr std::array<std::string_view, 3> kCompressions{".xz", ".zst", ".gz"};
constexpr std::array<std::string_view, 2> kTraces{".traceg", ".tracez"};

}  // namespace

bool is_trace(const std::string& path) {
  return is_launch_list_name(path) || is_kernel_trace_name(path) || is_folder(path) || content(path) != Content::kOther;
}

KernelsList find_trace(const std::string& path) {
  std::string there = path;
  std::optional<std::string> warning;
  if (!is_there(path)) {
    if (const auto other = counterpart(path)) {
      there = *other;
      warning = path + " is missing, " + there + " was taken";
    }
  }
  KernelsList list;
  if (is_folder(there)) {
    list = of_folder(there);
  } else if (is_kernel_trace_name(there) || content(there) == Content::kKernel) {
    list = of_kernels(there, {there});
  } else {
    list = read_kernels_list(there);
  }
  take_counterparts(list);
  if (warning) list.warnings.insert(list.warnings.begin(), *warning);
  return list;
}

std::string trace_name(const std::string& path) {
  std::error_code none;
  fs::path file = fs::absolute(unpacked_name(path), none).lexically_normal();
  if (!file.has_filename()) file = file.parent_path();  // "folder/"
  if (file.filename() == kUsualList && file.parent_path().has_filename()) file = file.parent_path();
  const std::string name = is_folder(file.string()) ? file.filename().string() : file.stem().string();
  return name.empty() ? "trace" : name;
}

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
    const std::size_t name_at = line.rfind('/') + 1;  // 0 if there is no slash
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

std::string unpacked_name(const std::string& path) {
  for (const std::string_view ending : kCompressions) {
    if (ends_with(path, ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

bool is_launch_list_name(const std::string& path) { return ends_with(unpacked_name(path), ".g"); }

bool is_kernel_trace_name(const std::string& path) {
  const std::string name = unpacked_name(path);
  return std::any_of(kTraces.begin(), kTraces.end(), [&](std::string_view ending) { return ends_with(name, ending); });
}

std::vector<std::string> names_of_the_same(const std::string& path) {
  const std::string name = unpacked_name(path);
  std::vector<std::string> plain{name};
  if (is_kernel_trace_name(name)) {
    plain.clear();
    for (const std::string_view ending : kTraces)
      plain.push_back(name.substr(0, name.size() - ending.size()) + std::string(ending));
  }
  std::vector<std::string> names;
  for (const std::string& each : plain) {
    names.push_back(each);
    for (const std::string_view ending : kCompressions) names.push_back(each + std::string(ending));
  }
  return names;
}

}  // namespace gputlm
