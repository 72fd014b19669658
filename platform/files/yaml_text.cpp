#include "platform/files/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 120;

/// Whether YAML reads it as the same text, without quotes, wherever it stands.
bool is_plain(const std::string& text) {
  static constexpr std::array<const char*, 9> kWords{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto inner = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '/' || c == '@' ||
           c == '#';
  };
  if (text.empty() || !letter(text[0]) || !std::all_of(text.begin(), text.end(), inner)) return false;
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

std::string scalar(const Json& value) {
  return value.is_string() && is_plain(value.get_ref<const std::string&>()) ? value.get<std::string>() : value.dump();
}

std::string key_text(const std::string& key) { return scalar(Json(key)); }

/// In a line.
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

/// `indent`: of what is written; the first line has been indented already.
void block(const Json& value, std::size_t indent, bool top, std::string& to) {
  const std::string margin(indent, ' ');
  if (!value.is_structured() || value.empty()) {
    to += flow(value) + "\n";
    return;
  }
  if (!top) {
    const std::string line = flow(value);
    if (indent + line.size() <= kWidth) {
      to += line + "\n";
      return;
    }
  }
  bool first = true;
  const auto begin = [&](const std::string& text) {
    to += (first ? "" : margin) + text;
    first = false;
  };
  if (value.is_array()) {
    for (const Json& item : value) {
      begin("- ");
      block(item, indent + 2, false, to);
    }
    return;
  }
  for (const auto& [key, inner] : value.items()) {
    begin(key_text(key) + ":");
    const std::string line = flow(inner);
    if (!top && indent + key.size() + 2 + line.size() <= kWidth) {
      to += " " + line + "\n";
    } else if (inner.is_structured() && !inner.empty()) {
      to += "\n" + margin + "  ";
      block(inner, indent + 2, top && inner.is_object(), to);
    } else {
      to += " " + line + "\n";
    }
  }
}

}  // namespace

std::string yaml_text(const Json& tree) {
  std::string text;
  block(tree, 0, true, text);
  return text;
}

}  // namespace gputlm
