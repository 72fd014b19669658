#include "platform/input/run_input.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "platform/input/foreign_formats.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

const InputFormat& format_of(const std::string& path) {
  const auto& formats = input_formats().all();
  return *std::find_if(formats.begin(), std::prev(formats.end()), [&](const InputFormat& f) { return f.takes(path); });
}

}  // namespace

InputFile input_file(const std::string& path) {
  const std::filesystem::path where(path);
  // Of a folder, what comes behind its last slash is empty.
  const std::string name = (where.has_filename() ? where : where.parent_path()).filename().string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(where, error)) return {name, 0, ""};
  return {name, std::filesystem::file_size(where), sha1_of_file(path)};
}

Registry<InputFormat>& input_formats() {
  static Registry<InputFormat> registry("input format");
  return registry;
}

const InputFormat& input_format(const std::string& path) {
  refuse_foreign(path);
  return format_of(path);
}

RunInput load_run_input(const std::vector<std::string>& paths, const RunInputOptions& options) {
  for (const std::string& path : paths) refuse_foreign(path);
  const InputFormat& format = format_of(paths.at(0));
  for (const std::string& path : paths) {
    if (const InputFormat& other = format_of(path); &other != &format) {
      const std::string& together = format.together.empty() ? other.together : format.together;
      throw InputError(path, 0,
                       "is a " + other.name + ", but " + paths[0] + " is a " + format.name +
                           "; allowed together are files of one kind" + (together.empty() ? "" : "; ") + together);
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
  if (input.files.empty()) {
    for (const std::string& path : paths) input.files.push_back(input_file(path));
  }
  return input;
}

}  // namespace gputlm
