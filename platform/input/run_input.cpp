#include "platform/input/run_input.h"

#include <algorithm>

#include "tlm/error.h"

namespace gputlm {
namespace {

const InputFormat& format_of(const std::string& path) {
  const auto& formats = input_formats().all();
  return *std::find_if(formats.begin(), std::prev(formats.end()), [&](const InputFormat& f) { return f.takes(path); });
}

}  // namespace

Registry<InputFormat>& input_formats() {
  static Registry<InputFormat> registry("input format");
  return registry;
}

RunInput load_run_input(const std::vector<std::string>& paths, const RunInputOptions& options) {
  const InputFormat& format = format_of(paths.at(0));
  for (const std::string& path : paths) {
    if (const InputFormat& other = format_of(path); &other != &format) {
      throw InputError(path, 0,
                       "is a " + other.name + ", but " + paths[0] + " is a " + format.name +
                           "; allowed together are files of one kind");
    }
  }
  for (const auto& [name, value] : options.own) {
    const auto same = [name = name](const FormatOption& option) { return option.name == name; };
    if (std::any_of(format.options.begin(), format.options.end(), same)) continue;
    std::string others;
    for (const InputFormat& other : input_formats()) {
      if (std::any_of(other.options.begin(), other.options.end(), same))
        others += (others.empty() ? "" : ", ") + other.name;
    }
    throw InputError(name + ": found with " + paths[0] + ", a " + format.name + "; allowed with: " + others);
  }
  RunInput input = format.load(paths, options);
  input.format = format.name;
  return input;
}

}  // namespace gputlm
