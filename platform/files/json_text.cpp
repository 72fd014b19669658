#include "platform/files/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

/// Appends the item as one of a list that is a member of an object.
void append(std::string& text, const Json& item) {
  const std::string lines = text_of(item);
  for (std::size_t from = 0, end = 0; end != lines.size(); from = end) {
    end = std::min(lines.find('\n', from), lines.size() - 1) + 1;
    text.append("    ").append(lines, from, end - from);
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
    // A line's end in a string is escaped, so that only a member of the object itself stands like this.
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

}  // namespace gputlm
