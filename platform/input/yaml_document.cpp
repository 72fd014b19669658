#include "platform/input/yaml_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {

/// Makes nodes of yaml-cpp's events, which know no bounds: its own tree takes an alias to what it stands in, and calls of
/// itself for every level.
class YamlDocumentBuilder final : public YAML::EventHandler {
 public:
  explicit YamlDocumentBuilder(YamlDocument& document) : document_(document) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    // A document begins wherever something is left behind the one before it; that may be where yaml-cpp gets no further
    // (the comma of `"a", b`), so that nothing may be read on.
    if (document_.root_ != nullptr) fail(mark, "a second YAML document begins here, but one is allowed");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, Node::Kind::kNull, anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node& of = *anchors_.at(anchor);
    if (of.nodes == 0) fail(mark, "an alias to the list or mapping that it stands in");
    append(of, mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    if (value == "<<" && tag == "?") fail(mark, "merge keys (<<) are not supported");
    add(mark, Node::Kind::kText, anchor).text = value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, tag, Node::Kind::kList, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, tag, Node::Kind::kMap, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  using Node = YamlDocument::Node;

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    throw InputError(document_.file_, static_cast<std::size_t>(mark.line + 1), what);
  }

  /// Without a tag of its own, a plain scalar has "?", a quoted one "!", and a list or mapping either.
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    const std::string core = "tag:yaml.org,2002:";  // which `!!` stands for
    const std::string written = tag.rfind(core, 0) == 0 ? "!!" + tag.substr(core.size()) : tag;
    fail(mark, "found the tag '" + shortened(written) + "', but tags are not supported");
  }

  Node& make(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
    Node& node = document_.nodes_.emplace_back();
    node.kind = kind;
    node.line = static_cast<std::uint32_t>(mark.line + 1);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    return node;
  }

  Node& add(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
    Node& node = make(mark, kind, anchor);
    append(node, mark);
    return node;
  }

  void begin(const YAML::Mark& mark, const std::string& tag, Node::Kind kind, YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (open_.size() == YamlDocument::kMaxLevels) too_deep(mark);
    Node& node = make(mark, kind, anchor);
    node.nodes = 0;  // until it ends
    open_.push_back(&node);
  }

  void end() {
    Node& node = *open_.back();
    open_.pop_back();
    node.nodes = 1;
    for (const Node* child : node.children) {
      node.nodes += child->nodes;
      node.levels = std::max(node.levels, child->levels);
    }
    ++node.levels;
    YAML::Mark mark;
    mark.line = static_cast<int>(node.line) - 1;
    nodes_ -= node.nodes - 1;  // counted one by one
    append(node, mark);
  }

  /// `node` is the next of the list or mapping that is open.
  void append(const Node& node, const YAML::Mark& mark) {
    if (open_.size() + node.levels > YamlDocument::kMaxLevels) too_deep(mark);
    nodes_ += node.nodes;
    if (nodes_ > YamlDocument::kMaxNodes)
      fail(mark, "the file has more than " + std::to_string(YamlDocument::kMaxNodes) +
                     " values, counting each alias as what it stands for");
    if (open_.empty())
      document_.root_ = &node;
    else
      open_.back()->children.push_back(&node);
  }

  [[noreturn]] void too_deep(const YAML::Mark& mark) const {
    fail(mark, "nested too deep: more than " + std::to_string(YamlDocument::kMaxLevels) + " levels");
  }

  YamlDocument& document_;
  std::unordered_map<YAML::anchor_t, const Node*> anchors_;
  std::vector<Node*> open_;  // lists and mappings, outermost first
  std::uint64_t nodes_ = 0;
};

namespace {

[[noreturn]] void fail_at(const std::string& text, std::size_t at, const std::string& name, const std::string& what) {
  throw InputError(
      name,
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1,
      what);
}

void check_characters(const std::string& text, const std::string& name) {
  if (const std::size_t at = find_invalid_utf8(text); at < text.size())
    fail_at(text, at, name, "found a byte that is not UTF-8");
  if (const std::size_t at = text.find('\0'); at != std::string::npos) fail_at(text, at, name, "found a NUL byte");
}

}  // namespace

std::shared_ptr<const YamlDocument> YamlDocument::parse(const std::string& text, const std::string& name) {
  if (text.size() > kMaxBytes)
    throw InputError(name, 0, "the file has more than " + std::to_string(kMaxBytes >> 20) + " MiB");
  check_characters(text, name);
  const auto document = std::make_shared<YamlDocument>();
  document->file_ = name;
  YamlDocumentBuilder builder(*document);
  try {
    std::istringstream input(text);
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw InputError(name, static_cast<std::size_t>(error.mark.line + 1), "not YAML: " + error.msg);
  }
  if (document->root_ == nullptr || document->root_->kind == Node::Kind::kNull)
    throw InputError(name, 0, "the file is empty");
  return document;
}

}  // namespace gputlm
