#include "platform/input/trace_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include "models/kernel/text_source.h"
#include "platform/input/trace_names.h"
#include "tlm/error.h"
#include "tlm/numbers.h"
#include "tlm/text.h"

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

/// The same file in another form, compressed or not, if there is one.
std::optional<std::string> counterpart(const std::string& path) {
  for (const std::string& other : names_of_the_same(path)) {
    if (other != path && is_there(other)) return other;
  }
  return std::nullopt;
}

enum class Content { kList, kKernel, kOther };

/// What a file begins with; `kOther` for what cannot be read.
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

/// Of the forms of a file that are there, the first.
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

/// Of what is missing in the list, takes what is there instead.
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

}  // namespace gputlm
