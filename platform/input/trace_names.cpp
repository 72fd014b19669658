#include "platform/input/trace_names.h"

#include <array>
#include <string_view>

#include "tlm/text.h"

namespace gputlm {
namespace {

constexpr std::array<std::string_view, 3> kCompressions{".xz", ".zst", ".gz"};

}  // namespace

std::string unpacked_name(const std::string& path) {
  for (const std::string_view ending : kCompressions) {
    if (ends_with(path, ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

bool is_launch_list_name(const std::string& path) { return ends_with(unpacked_name(path), ".g"); }

bool is_kernel_trace_name(const std::string& path) { return ends_with(unpacked_name(path), ".traceg"); }

std::vector<std::string> names_of_the_same(const std::string& path) {
  std::vector<std::string> names{unpacked_name(path)};
  for (const std::string_view ending : kCompressions) names.push_back(names[0] + std::string(ending));
  return names;
}

}  // namespace gputlm
