/// YAML as a Document.
#include <yaml.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/input/document.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Line numbers of a text whose lines end with LF. libyaml also ends lines at a lone CR and at three Unicode characters (YAML
/// 1.1, 4.2).
class Lines {
 public:
  explicit Lines(std::string_view text) {
    std::uint32_t line = 1;
    lines_.push_back(line);
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '\n') {
        lines_.push_back(++line);
      } else if ((c == '\r' && text.substr(at + 1, 1) != "\n") || (c == '\xc2' && text.substr(at, 2) == "\u0085") ||
                 (c == '\xe2' && (text.substr(at, 3) == "\u2028" || text.substr(at, 3) == "\u2029"))) {
        lines_.push_back(line);
      }
    }
  }
  std::size_t of(const yaml_mark_t& mark) const { return lines_[std::min(mark.line, lines_.size() - 1)]; }

 private:
  std::vector<std::uint32_t> lines_;  ///< libyaml's lines
};

std::string_view text_of(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

/// The events of libyaml for a text.
class Events {
 public:
  explicit Events(const std::string& text) : text_(text), lines_(text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  /// Null if the text is not YAML; valid until the next call.
  const yaml_event_t* next() {
    yaml_event_delete(&event_);
    return yaml_parser_parse(&parser_, &event_) ? &event_ : nullptr;
  }
  const Lines& lines() const { return lines_; }
  /// The reason: "did not find expected ',' or ']', while parsing a flow sequence that begins in line 3"
  std::string problem() const {
    std::string text = parser_.problem;
    if (parser_.context) text += std::string(", ") + parser_.context;
    if (parser_.context && parser_.context_mark.line != parser_.problem_mark.line)
      text += " that begins in line " + std::to_string(lines_.of(parser_.context_mark));
    return text;
  }
  std::size_t problem_line() const {
    if (parser_.error != YAML_READER_ERROR) return lines_.of(parser_.problem_mark);
    // There is no mark for a character error yet.
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(parser_.problem_offset, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
  }

 private:
  const std::string& text_;
  Lines lines_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

/// Builds nodes from events. Unlike libyaml's trees, it rejects aliases inside their own anchors and limits the size.
class YamlEvents {
 public:
  YamlEvents(DocumentBuilder& builder, const Lines& lines) : builder_(builder), lines_(lines) {}

  void take(const yaml_event_t& event) {
    const std::size_t line = lines_.of(event.start_mark);
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (builder_.has_root()) builder_.fail(line, "a second YAML document begins here, but only one is allowed");
        break;
      case YAML_SCALAR_EVENT: return scalar(event, line);
      case YAML_SEQUENCE_START_EVENT:
        return begin(Kind::kList, event.data.sequence_start.anchor, event.data.sequence_start.tag, line);
      case YAML_MAPPING_START_EVENT:
        return begin(Kind::kMap, event.data.mapping_start.anchor, event.data.mapping_start.tag, line);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return builder_.end();
      case YAML_ALIAS_EVENT: return repeat(std::string(text_of(event.data.alias.anchor)), line);
      default: break;
    }
  }

 private:
  using Kind = Document::Node::Kind;

  void scalar(const yaml_event_t& event, std::size_t line) {
    const auto& found = event.data.scalar;
    check_tag(found.tag, line);
    const bool plain = found.style == YAML_PLAIN_SCALAR_STYLE;
    std::string text(reinterpret_cast<const char*>(found.value), found.length);
    if (plain && text == "<<") builder_.fail(line, "merge keys (<<) are not supported");
    if (plain && is_null(text))
      name(builder_.add(Kind::kNull, "", line), found.anchor);
    else
      name(builder_.add(Kind::kText, std::move(text), line), found.anchor);
  }

  void begin(Kind kind, const yaml_char_t* anchor, const yaml_char_t* tag, std::size_t line) {
    check_tag(tag, line);
    name(builder_.begin(kind, line), anchor);
  }

  void repeat(const std::string& anchor, std::size_t line) {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) builder_.fail(line, "no anchor '&" + shortened(anchor) + "' stands before this alias");
    builder_.repeat(*found->second, line);
  }

  void name(const Document::Node& node, const yaml_char_t* anchor) {
    if (anchor) anchors_[std::string(text_of(anchor))] = &node;
  }

  /// YAML 1.2, 10.3.2 (core schema).
  static bool is_null(std::string_view text) {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
  }

  void check_tag(const yaml_char_t* tag, std::size_t line) const {
    if (!tag) return;
    std::string written(text_of(tag));
    const std::string_view core = "tag:yaml.org,2002:";  // meaning of `!!`
    if (written.rfind(core, 0) == 0) written.replace(0, core.size(), "!!");
    builder_.fail(line, "found the tag '" + shortened(written) + "', but tags are not supported");
  }

  DocumentBuilder& builder_;
  const Lines& lines_;
  std::unordered_map<std::string, const Document::Node*> anchors_;
};

}  // namespace

std::shared_ptr<const Document> Document::parse_yaml(const std::string& text, const std::string& name) {
  DocumentBuilder builder(text, name);
  Events events(text);
  YamlEvents taken(builder, events.lines());
  for (;;) {
    const yaml_event_t* event = events.next();
    if (!event) builder.fail(events.problem_line(), "not YAML: " + events.problem());
    if (event->type == YAML_STREAM_END_EVENT) break;
    taken.take(*event);
  }
  if (!builder.has_root() || builder.document()->root().kind == Node::Kind::kNull) builder.fail(0, "the file is empty");
  return builder.document();
}

}  // namespace gputlm
