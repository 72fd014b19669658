#include "platform/examiner/json_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/input/nearest.h"
#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

/// How far the parser has read.
struct Position {
  std::size_t line = 1;
  char last = 0;
};

/// Reads a text and counts its lines.
class Input {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Input(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  Input& operator++() {
    position_->last = *at_++;
    if (position_->last == '\n') ++position_->line;
    return *this;
  }
  bool operator==(const Input& other) const { return at_ == other.at_; }
  bool operator!=(const Input& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Position* position_;
};

/// Builds the tree, by the calls of nlohmann's parser.
class Builder {
 public:
  using Json = nlohmann::json;
  Builder(const std::string& file, const Position& position, JsonValue& root)
      : file_(file), position_(position), open_{&root} {}

  bool null() { return add({}); }
  bool boolean(bool truth) {
    JsonValue value;
    value.kind = JsonValue::Kind::kBoolean;
    value.truth = truth;
    return add(std::move(value));
  }
  bool number_integer(Json::number_integer_t number) { return add_number(static_cast<double>(number), std::nullopt); }
  bool number_unsigned(Json::number_unsigned_t number) { return add_number(static_cast<double>(number), number); }
  bool number_float(Json::number_float_t number, const std::string&) {
    constexpr double kMaxExact = 9007199254740992.0;  // 2^53
    const bool whole = number >= 0 && number <= kMaxExact && std::floor(number) == number;
    return add_number(number, whole ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt);
  }
  bool string(std::string& text) {
    JsonValue value;
    value.kind = JsonValue::Kind::kText;
    value.text = std::move(text);
    return add(std::move(value));
  }
  bool binary(Json::binary_t&) { return false; }  // no part of a text
  bool start_object(std::size_t) { return open(JsonValue::Kind::kObject); }
  bool start_array(std::size_t) { return open(JsonValue::Kind::kList); }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) {
    throw InputError(file_, position_.line, "is no JSON: found `" + shortened(token) + "`");
  }

 private:
  bool add_number(double number, std::optional<std::uint64_t> whole) {
    JsonValue value;
    value.kind = JsonValue::Kind::kNumber;
    value.number = number;
    value.whole = whole;
    add(std::move(value));
    // A number's end is known by what follows it.
    if (position_.last == '\n') --last_->line;
    return true;
  }
  bool add(JsonValue value) {
    value.line = position_.line;
    JsonValue& parent = *open_.back();
    if (open_.size() == 1) {
      parent = std::move(value);
      last_ = &parent;
    } else if (parent.kind == JsonValue::Kind::kObject) {
      last_ = &parent.members.emplace_back(key_, std::move(value)).second;
    } else {
      last_ = &parent.items.emplace_back(std::move(value));
    }
    return true;
  }
  bool open(JsonValue::Kind kind) {
    if (open_.size() > JsonNode::kMaxLevels)
      throw InputError(file_, position_.line,
                       fmt::format("found more than {} levels of lists and objects", JsonNode::kMaxLevels));
    JsonValue value;
    value.kind = kind;
    add(std::move(value));
    open_.push_back(last_);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& file_;
  const Position& position_;
  std::vector<JsonValue*> open_;  // the place of the root, and the lists and objects that have begun
  std::string key_;
  JsonValue* last_ = nullptr;  // that has been added
};

}  // namespace

JsonNode JsonNode::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (!file.is_open())) throw InputError(path, 0, "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse(text, path);
}

JsonNode JsonNode::parse(const std::string& text, const std::string& name) {
  if (text.size() > kMaxBytes)
    throw InputError(name, 0, fmt::format("is too long; allowed: {} MiB", kMaxBytes >> 20));
  auto document = std::make_shared<Document>();
  document->file = name;
  Position position;
  Builder builder(document->file, position, document->root);
  const char* const begin = text.data();
  nlohmann::json::sax_parse(Input(begin, &position), Input(begin + text.size(), &position), &builder);
  const JsonValue& root = document->root;
  return {document, root, ""};
}

void JsonNode::fail(const std::string& message) const {
  throw InputError(file(), line(), what_.empty() ? message : what_ + ": " + message);
}

std::string JsonNode::found() const {
  switch (value_->kind) {
    case JsonValue::Kind::kNull: return "null";
    case JsonValue::Kind::kBoolean: return value_->truth ? "true" : "false";
    case JsonValue::Kind::kNumber: return fmt::format("{}", value_->number);
    case JsonValue::Kind::kText: return "'" + shortened(value_->text) + "'";
    case JsonValue::Kind::kList: return "a list";
    case JsonValue::Kind::kObject: return "an object";
  }
  return "";
}

bool JsonNode::boolean() const {
  if (value_->kind != JsonValue::Kind::kBoolean) expected("true or false");
  return value_->truth;
}

const std::string& JsonNode::text() const {
  if (!is_text()) expected("a text");
  if (find_invalid_utf8(value_->text) < value_->text.size() ||
      find_control_character(value_->text) < value_->text.size())
    expected("a text without control characters");
  return value_->text;
}

double JsonNode::number(double least, double most) const {
  if (value_->kind != JsonValue::Kind::kNumber || !(value_->number >= least && value_->number <= most))
    expected(fmt::format("a number from {} to {}", least, most));
  return value_->number;
}

std::uint64_t JsonNode::whole(std::uint64_t least, std::uint64_t most) const {
  std::optional<std::uint64_t> number = value_->whole;
  const std::string& digits = value_->text;
  if (is_text() && !digits.empty() && digits.size() < 20 && digits.find_first_not_of("0123456789") == std::string::npos)
    number = std::stoull(digits);
  if (!number || *number < least || *number > most) {
    const bool bounded = most < static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    expected(bounded ? fmt::format("a whole number from {} to {}", least, most)
                     : fmt::format("a whole number, {} or more", least));
  }
  return *number;
}

std::size_t JsonNode::one_of(const std::vector<std::string>& names) const {
  const auto at = std::find(names.begin(), names.end(), text());
  if (at == names.end()) fail("found '" + shortened(text()) + "'" + suggestion(text(), names));
  return static_cast<std::size_t>(at - names.begin());
}

std::vector<JsonNode> JsonNode::items() const {
  if (!is_list()) expected("a list");
  std::vector<JsonNode> nodes;
  for (const JsonValue& item : value_->items)
    nodes.push_back({document_, item, fmt::format("{}[{}]", what_, nodes.size())});
  return nodes;
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  if (!is_object()) expected("an object");
  for (const auto& [name, value] : value_->members) {
    if (name == key) return JsonNode{document_, value, what_.empty() ? key : what_ + "." + key};
  }
  return std::nullopt;
}

JsonNode JsonNode::at(const std::string& key) const {
  auto found = find(key);
  if (!found) fail("key '" + key + "' is missing");
  return *found;
}

void JsonNode::note_unknown_keys(const std::vector<std::string>& known, std::vector<std::string>& warnings) const {
  if (!is_object()) expected("an object");
  for (const auto& [name, value] : value_->members) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    warnings.push_back(fmt::format("{}:{}: {}key '{}' is not known and has no effect{}", file(), value.line,
                                   what_.empty() ? "" : what_ + ": ", shortened(name),
                                   question(names_meant(name, known))));
  }
}

}  // namespace gputlm
