#include "platform/input/foreign_formats.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "models/kernel/byte_source.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::optional<FileStart> start_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  FileStart start{path, std::string(FileStart::kBytes, '\0')};
  try {
    const auto source = open_bytes(path, ReadAhead::kNo);
    std::size_t size = 0;
    while (const std::size_t count = source->read(start.text.data() + size, start.text.size() - size)) size += count;
    start.text.resize(size);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return start;
}

/// A field of a line of CSV, without quotes and the spaces around it.
std::string_view bare(std::string_view field) {
  constexpr std::string_view kAround = " \t\r\"";
  const std::size_t first = field.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(kAround) + 1 - first);
}

bool has_field(std::string_view line, std::string_view wanted) {
  while (true) {
    const std::size_t comma = line.find(',');
    if (bare(line.substr(0, comma)) == wanted) return true;
    if (comma == std::string_view::npos) return false;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

bool FileStart::has_json_key(std::string_view key) const {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string::npos || text[first] != '{') return false;
  const std::string quoted = '"' + std::string(key) + '"';
  for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(kSpace, at + quoted.size());
    if (next != std::string::npos && text[next] == ':') return true;
  }
  return false;
}

bool FileStart::has_csv_header(std::initializer_list<std::string_view> columns) const {
  if (!std::all_of(columns.begin(), columns.end(), [&](std::string_view column) { return has(column); })) return false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end);
    if (std::all_of(columns.begin(), columns.end(), [&](std::string_view column) { return has_field(line, column); }))
      return true;
    rest.remove_prefix(end + 1);
  }
  return false;
}

Registry<ForeignFormat>& foreign_formats() {
  static Registry<ForeignFormat> registry("foreign format");
  return registry;
}

void add_foreign_format(unsigned rank, const char* name, const char* to_do, bool (*takes)(const FileStart& start)) {
  ForeignFormat format;
  format.name = name;
  format.rank = rank;
  format.to_do = to_do;
  format.takes = takes;
  foreign_formats().add(std::move(format));
}

void refuse_foreign(const std::string& path) {
  const auto start = start_of(path);
  if (!start) return;
  for (const ForeignFormat& format : foreign_formats()) {
    if (format.takes(*start)) throw InputError(path, 0, "is " + format.name + ", which is not read; " + format.to_do);
  }
}

}  // namespace gputlm
