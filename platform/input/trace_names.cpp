#include "platform/input/trace_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tlm/text.h"

namespace gputlm {
namespace {

constexpr std::array<std::string_view, 3> kCompressions{".xz", ".zst", ".gz"};
constexpr std::array<std::string_view, 2> kTraces{".traceg", ".tracez"};

}  // namespace

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
