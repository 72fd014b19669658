#include "platform/input/document.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "tlm/base/error.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

/// Appends the path from `from` to `to` if there is one.
bool append_path(const Document::Node& from, const Document::Node& to, std::string& path) {
  if (&from == &to) return true;
  const bool is_map = from.kind == Document::Node::Kind::kMap;
  const std::size_t before = path.size();
  for (std::size_t i = 0; i < from.children.size(); ++i) {
    if (is_map && i % 2 == 0) {
      if (from.children[i] == &to) return true;
      continue;
    }
    path += is_map ? (path.empty() ? "" : ".") + from.children[i - 1]->text : "[" + std::to_string(i) + "]";
    if (append_path(*from.children[i], to, path)) return true;
    path.resize(before);
  }
  return false;
}

// JSON as a Document.

/// Current position of the parser.
struct Position {
  std::size_t line = 1;
  char last = 0;
};

/// Reads a text and counts lines.
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

/// Builds nodes from the callbacks of nlohmann's parser.
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
  bool binary(Json::binary_t&) { return false; }  // does not occur in text
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

  /// The end of a number is known only from what follows it.
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

std::string Document::path_to(const Node& node) const {
  std::string path;
  append_path(*root_, node, path);
  return path;
}

DocumentBuilder::DocumentBuilder(const std::string& text, const std::string& name) {
  document_->file_ = name;
  if (text.size() > Document::kMaxBytes)
    fail(0, "the file has more than " + std::to_string(Document::kMaxBytes >> 20) + " MiB");
  const auto refuse_at = [&](std::size_t at, const char* what) {
    if (at < text.size())
      fail(1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
           what);
  };
  refuse_at(find_invalid_utf8(text), "found a byte that is not UTF-8");
  refuse_at(text.find('\0'), "found a NUL byte");
}

const DocumentBuilder::Node& DocumentBuilder::add(Node::Kind kind, std::string text, std::size_t line) {
  Node& node = make(kind, line);
  node.text = std::move(text);
  append(node, line);
  return node;
}

const DocumentBuilder::Node& DocumentBuilder::begin(Node::Kind kind, std::size_t line) {
  check_levels(1, line);
  Node& node = make(kind, line);
  node.levels = 1;
  node.nodes = 0;  // until the node ends
  open_.push_back(&node);
  return node;
}

void DocumentBuilder::end() {
  Node& node = *open_.back();
  open_.pop_back();
  node.nodes = 1;
  for (const Node* child : node.children) {
    node.nodes += child->nodes;
    node.levels = std::max(node.levels, 1 + child->levels);
  }
  nodes_ -= node.nodes - 1;  // its nodes were counted one by one
  append(node, node.line);
}

void DocumentBuilder::repeat(const Node& node, std::size_t line) {
  if (node.nodes == 0) fail(line, "an alias to the list or mapping that contains it");
  append(node, line);
}

void DocumentBuilder::fail(std::size_t line, const std::string& what) const {
  throw InputError(document_->file_, line, what);
}

DocumentBuilder::Node& DocumentBuilder::make(Node::Kind kind, std::size_t line) {
  Node& node = document_->nodes_.emplace_back();
  node.kind = kind;
  node.line = static_cast<std::uint32_t>(line);
  return node;
}

void DocumentBuilder::check_levels(std::size_t more, std::size_t line) const {
  if (open_.size() + more > Document::kMaxLevels)
    fail(line, "nested too deeply: more than " + std::to_string(Document::kMaxLevels) + " levels");
}

/// `node` is the next element of the open list or mapping.
void DocumentBuilder::append(const Node& node, std::size_t line) {
  check_levels(node.levels, line);
  nodes_ += node.nodes;
  if (nodes_ > Document::kMaxNodes)
    fail(line, "the file has more than " + std::to_string(Document::kMaxNodes) +
                   " values, counting each alias as what it stands for");
  if (open_.empty())
    document_->root_ = &node;
  else
    open_.back()->children.push_back(&node);
}

std::shared_ptr<const Document> Document::parse_json(const std::string& text, const std::string& name) {
  DocumentBuilder builder(text, name);
  Position position;
  JsonEvents events(builder, position);
  const char* const begin = text.data();
  nlohmann::json::sax_parse(Input(begin, &position), Input(begin + text.size(), &position), &events);
  return builder.document();
}

}  // namespace gputlm
