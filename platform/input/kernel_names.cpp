#include "platform/input/kernel_names.h"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Calls `at(position, depth)` for each character; `depth` is the nesting of brackets around it.
template <class At>
void walk(std::string_view text, At at) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '[' || c == '{')
      at(i, depth++);
    else if (c == '>' || c == ')' || c == ']' || c == '}')
      at(i, --depth);
    else
      at(i, depth);
  }
}

/// `void a::k<int>(int*) [clone .x]` -> `a::k<int>`; a name without parameters is returned whole.
std::string_view without_parameters(std::string_view name) {
  std::size_t end = name.size();
  walk(name, [&](std::size_t i, int depth) {
    if (depth == 0 && name[i] == '(') end = i;  // the last one: a namespace may be `(anonymous namespace)`
  });
  if (end == 0 || end == name.size()) return name;
  name = name.substr(0, end);
  std::size_t begin = 0;
  walk(name, [&](std::size_t i, int depth) {
    if (depth == 0 && name[i] == ' ') begin = i + 1;
  });
  return name.substr(begin);
}

/// `a::k<int>` -> `k`
std::string_view base_name(std::string_view name) {
  std::size_t begin = 0, end = name.size();
  walk(name, [&](std::size_t i, int depth) {
    if (depth != 0) return;
    if (name[i] == ':') begin = i + 1, end = name.size();
    if (name[i] == '<' && end == name.size()) end = i;
  });
  return begin < end ? name.substr(begin, end - begin) : name;
}

}  // namespace

std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return text && status == 0 ? std::string(text.get()) : name;
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::vector<std::array<std::string, 3>> forms;
  std::array<std::map<std::string, std::set<std::string>>, 3> meant;  // for each form, the names that it may stand for
  for (const std::string& name : names) {
    const std::string_view function = without_parameters(name);
    forms.push_back({std::string(base_name(function)), std::string(function), name});
    for (std::size_t form = 0; form < meant.size(); ++form) meant[form][forms.back()[form]].insert(name);
  }
  std::vector<std::string> labels;
  labels.reserve(names.size());
  for (const auto& form : forms) {
    std::size_t shortest = 0;
    while (meant[shortest][form[shortest]].size() > 1) ++shortest;
    labels.push_back(shortened(form[shortest]));
  }
  return labels;
}

}  // namespace gputlm
