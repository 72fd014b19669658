#include "platform/files/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

/// Appends the item to a list that is a member of an object.
void append(std::string& text, const Json& item) {
  const std::string lines = text_of(item);
  for (std::size_t from = 0, end = 0; end != lines.size(); from = end) {
    end = std::min(lines.find('\n', from), lines.size() - 1) + 1;
    text.append("    ").append(lines, from, end - from);
  }
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 120;
constexpr unsigned kOpenLevels = 3;  // a workload's sections, its kernels, and the members of kernels

/// Whether YAML reads it as the same text without quotes, in any position.
bool is_plain(const std::string& text) {
  static constexpr std::array<const char*, 9> kWords{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto inner = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '/' || c == '@' ||
           c == '#';
  };
  if (text.size() > 2 && text[0] == '0' && text[1] == 'x')  // every reader takes it for a number
    return text.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
  if (text.empty() || !letter(text[0]) || !std::all_of(text.begin(), text.end(), inner)) return false;
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

std::string scalar(const Json& value) {
  return value.is_string() && is_plain(value.get_ref<const std::string&>()) ? value.get<std::string>() : value.dump();
}

std::string key_text(const std::string& key) { return scalar(Json(key)); }

/// The value on one line.
std::string flow(const Json& value) {
  std::string text;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      text += (text.empty() ? "" : ", ") + key_text(key) + ": " + flow(inner);
    return "{" + text + "}";
  }
  if (!value.is_array()) return scalar(value);
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + flow(item);
  return "[" + text + "]";
}

/// Continues the current line; `indent` is that of the following lines. Down to `open` levels, values that would fit on one
/// line get one line each.
void block(const Json& value, std::size_t indent, unsigned open, std::string& to) {
  const std::string line = flow(value);
  const bool opens = open > 0;
  if (!value.is_structured() || value.empty() || (!opens && indent + line.size() <= kWidth)) {
    to += line + "\n";
    return;
  }
  const std::string margin(indent, ' ');
  bool first = true;
  const auto begin = [&](const std::string& text) {
    to += (first ? "" : margin) + text;
    first = false;
  };
  const unsigned below = open > 0 ? open - 1 : 0;
  if (value.is_array()) {
    for (const Json& item : value) {
      begin("- ");
      block(item, indent + 2, below, to);
    }
    return;
  }
  for (const auto& [key, inner] : value.items()) {
    begin(key_text(key) + ":");
    const std::size_t room = indent + key.size() + 2;
    const bool in_line = inner.empty() || !inner.is_structured() || (below == 0 && room + flow(inner).size() <= kWidth);
    to += in_line ? " " : "\n" + margin + "  ";
    block(inner, in_line ? 0 : indent + 2, in_line ? 0 : below, to);
  }
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& json) { return text_of(json) + "\n"; }

Json& object_at(Json& json, std::string_view path) {
  Json* object = &json;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    object = &(*object)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  return (*object)[std::string(path)];
}

void write_json(const nlohmann::ordered_json& json, const std::vector<JsonList>& lists,
                const std::function<void(std::string_view part)>& sink) {
  constexpr std::size_t kPart = std::size_t{1} << 16;
  const std::string around = json_text(json);
  std::size_t done = 0;
  std::string part;
  for (const JsonList& list : lists) {
    if (list.items == 0) continue;
    // A line feed in a string is escaped, so only a member of the object itself looks like this.
    const std::string empty = fmt::format("\n  \"{}\": [", list.name);
    const std::size_t found = around.find(empty, done);
    if (found == std::string::npos) throw std::logic_error("no empty array " + list.name + " behind those before it");
    part.append(around, done, found + empty.size() - done);
    done = found + empty.size();
    for (std::size_t i = 0; i < list.items; ++i) {
      part += i == 0 ? "\n" : ",\n";
      append(part, list.item(i));
      if (part.size() < kPart) continue;
      sink(part);
      part.clear();
    }
    part += "\n  ";
  }
  part.append(around, done);
  sink(part);
}

using Json = nlohmann::ordered_json;

nlohmann::ordered_json read_members(const std::string& path, const std::set<std::string>& members) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return nullptr;
  std::ifstream file(path, std::ios::binary);
  const auto keep = [&](int depth, Json::parse_event_t event, Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || members.count(parsed.get<std::string>()) > 0;
  };
  const Json json = Json::parse(file, keep, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json();
}

std::string yaml_text(const Json& tree) {
  std::string text;
  block(tree, 0, kOpenLevels, text);
  return text;
}

}  // namespace gputlm
