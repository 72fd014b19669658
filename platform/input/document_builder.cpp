#include "platform/input/document_builder.h"

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {

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
  node.nodes = 0;  // until it ends
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
  nodes_ -= node.nodes - 1;  // counted one by one
  append(node, node.line);
}

void DocumentBuilder::repeat(const Node& node, std::size_t line) {
  if (node.nodes == 0) fail(line, "an alias to the list or mapping that it stands in");
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
    fail(line, "nested too deep: more than " + std::to_string(Document::kMaxLevels) + " levels");
}

/// `node` is the next of the list or mapping that is open.
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

}  // namespace gputlm
