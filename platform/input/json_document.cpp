/// JSON as a Document.
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "platform/input/document_builder.h"
#include "tlm/error.h"

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

/// Makes nodes of the calls of nlohmann's parser.
class JsonEvents {
 public:
  using Json = nlohmann::json;
  JsonEvents(DocumentBuilder& builder, const Position& position) : builder_(builder), position_(position) {}

  bool null() { return add(Kind::kNull, ""); }
  bool boolean(bool truth) { return add(Kind::kLiteral, truth ? "true" : "false"); }
  bool number_integer(Json::number_integer_t number) { return add_number(std::to_string(number)); }
  bool number_unsigned(Json::number_unsigned_t number) { return add_number(std::to_string(number)); }
  bool number_float(Json::number_float_t number, const std::string& text) {
    constexpr double kMaxExact = 9007199254740992.0;  // 2^53
    const bool whole = number >= 0 && number <= kMaxExact && std::floor(number) == number;
    return add_number(whole ? std::to_string(static_cast<std::uint64_t>(number)) : text);
  }
  bool string(std::string& text) { return add(Kind::kString, std::move(text)); }
  bool binary(Json::binary_t&) { return false; }  // no part of a text
  bool key(std::string& name) { return string(name); }
  bool start_object(std::size_t) { return begin(Kind::kMap); }
  bool start_array(std::size_t) { return begin(Kind::kList); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) {
    builder_.fail(position_.line, "is no JSON: found `" + shortened(token) + "`");
  }

 private:
  using Kind = Document::Node::Kind;

  /// A number's end is known by what follows it.
  bool add_number(std::string text) {
    builder_.add(Kind::kLiteral, std::move(text), position_.line - (position_.last == '\n'));
    return true;
  }
  bool add(Kind kind, std::string text) {
    builder_.add(kind, std::move(text), position_.line);
    return true;
  }
  bool begin(Kind kind) {
    builder_.begin(kind, position_.line);
    return true;
  }
  bool end() {
    builder_.end();
    return true;
  }

  DocumentBuilder& builder_;
  const Position& position_;
};

}  // namespace

std::shared_ptr<const Document> Document::parse_json(const std::string& text, const std::string& name) {
  DocumentBuilder builder(text, name);
  Position position;
  JsonEvents events(builder, position);
  const char* const begin = text.data();
  nlohmann::json::sax_parse(Input(begin, &position), Input(begin + text.size(), &position), &events);
  return builder.document();
}

}  // namespace gputlm
