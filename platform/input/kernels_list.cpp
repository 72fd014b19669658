#include "platform/input/kernels_list.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "models/kernel/sass_scan.h"
#include "models/kernel/text_source.h"
#include "platform/input/run_input.h"
#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

constexpr std::string_view kMemcpy = "MemcpyHtoD";
constexpr Bytes kMostBytes = Bytes{1} << 40;  // of a copy

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// `,0xADDRESS,BYTES` up to the end of the line.
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
  if (!good || *p != '\n' || result.bytes > kMostBytes)
    throw InputError(lines.path(), lines.number(),
                     "found `" + shortened({lines.begin(), lines.end()}) +
                         "`; a copy is `MemcpyHtoD,0xADDRESS,BYTES`, of at most 2^40 bytes");
  return result;
}

}  // namespace

KernelsList read_kernels_list(const std::string& path) {
  LineReader lines(path, ReadAhead::kNo, 4096);
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
  KernelsList list;
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
    if (starts_with(line, kMemcpy)) {
      list.entries.push_back({lines.number(), read_memcpy(begin + kMemcpy.size(), lines)});
    } else if (starts_with(line.substr(name_at), "kernel") || ends_with(line, ".traceg") ||
               ends_with(line, ".traceg.xz")) {
      const std::string file(line);
      list.entries.push_back({lines.number(), TraceLaunch{file[0] == '/' ? file : folder + file}});
    } else {
      if (find_invalid_utf8(line) < line.size() || find_control_character(line) < line.size())
        throw InputError(path, lines.number(), "found neither MemcpyHtoD nor a kernel trace, and no text");
      list.warnings.push_back(path + ":" + std::to_string(lines.number()) + ": ignored `" +
                              shortened(std::string(line)) + "`; neither MemcpyHtoD nor a kernel trace");
    }
  }
  return list;
}

TraceWorkload load_kernels_list(const std::string& path) {
  KernelsList list = read_kernels_list(path);
  TraceWorkload result;
  result.list_warnings = std::move(list.warnings);
  result.workload.applications.push_back({"trace"});
  result.workload.threads.push_back({"host", 0, {}, path});
  std::vector<std::uint64_t> stream_ids;
  std::unordered_set<std::string> labels;
  const auto stream_of = [&](std::uint64_t cuda_stream) {
    const auto known = std::find(stream_ids.begin(), stream_ids.end(), cuda_stream);
    const auto stream = static_cast<StreamId>(known - stream_ids.begin());
    if (known == stream_ids.end()) {
      stream_ids.push_back(cuda_stream);
      const StreamKind kind = cuda_stream == 0 ? StreamKind::kDefault : StreamKind::kBlocking;
      result.workload.streams.push_back({"stream " + std::to_string(cuda_stream), 0, 0, kind});
    }
    return stream;
  };
  const auto call = [&](HostCall::Kind kind, StreamId stream, std::size_t what, std::size_t line) {
    HostCall made;
    made.kind = kind;
    made.stream = stream;
    made.what = static_cast<std::uint32_t>(what);
    made.line = line;
    result.workload.threads[0].calls.push_back(made);
  };
  for (const KernelsListEntry& entry : list.entries) {
    if (const auto* copy = std::get_if<TraceMemcpy>(&entry.command)) {
      if (copy->bytes == 0) continue;
      CopyCommand command;
      command.label = "MemcpyHtoD#" + std::to_string(result.workload.copies.size() + 1);
      command.stream = stream_of(0);
      command.to = copy->address;
      command.bytes = copy->bytes;
      command.blocking = true;  // the tracer records cudaMemcpy
      command.file = path;
      command.line = entry.line;
      call(HostCall::Kind::kCopy, command.stream, result.workload.copies.size(), entry.line);
      result.workload.copies.push_back(std::move(command));
      continue;
    }
    const std::string& file = std::get<TraceLaunch>(entry.command).path;
    std::shared_ptr<SassKernel> kernel;
    try {
      kernel = std::make_shared<SassKernel>(file);
    } catch (const InputError& error) {
      throw InputError(path, entry.line, error.what());
    }
    const StreamId stream = stream_of(kernel->cuda_stream());
    result.kernels.push_back(kernel);
    LaunchCommand launch;
    launch.label = kernel->name;
    while (!labels.insert(launch.label).second) launch.label += "#" + std::to_string(result.kernels.size());
    launch.stream = stream;
    launch.file = kernel->path();
    launch.kernel = std::move(kernel);
    call(HostCall::Kind::kLaunch, stream, result.workload.launches.size(), entry.line);
    result.workload.launches.push_back(std::move(launch));
  }
  // Alone it has nobody to wait for.
  if (result.workload.streams.size() == 1) result.workload.streams[0].kind = StreamKind::kBlocking;
  if (result.kernels.empty()) throw InputError(path, 0, "the list names no kernel trace; at least one is needed");
  return result;
}

std::vector<std::string> TraceWorkload::warnings() const {
  std::vector<std::string> all = list_warnings;
  for (const auto& kernel : kernels) all.insert(all.end(), kernel->warnings().begin(), kernel->warnings().end());
  return all;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "kernels list";
  format.rank = 10;
  format.description = "kernelslist.g of an Accel-Sim trace";
  format.takes = [](const std::string& path) { return ends_with(path, ".g"); };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions&) {
    if (paths.size() > 1) throw InputError(paths[1], 0, "is a second list; allowed is one");
    TraceWorkload trace = load_kernels_list(paths[0]);
    RunInput input;
    input.workload = std::move(trace.workload);
    input.warnings = [trace = std::move(trace)] { return trace.warnings(); };
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace gputlm
