/// What the parsers of YAML and JSON make a Document with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/input/document.h"

namespace gputlm {

/// Takes what a parser finds, in its order, and keeps the limits of Document. Lines count from 1.
class DocumentBuilder {
 public:
  using Node = Document::Node;

  /// Throws InputError if the text is too long, or has bytes that no file of text has.
  DocumentBuilder(const std::string& text, const std::string& name);

  const Node& add(Node::Kind kind, std::string text, std::size_t line);
  /// A list or mapping; what is added until it ends is in it.
  const Node& begin(Node::Kind kind, std::size_t line);
  void end();
  /// A node that is there already once more.
  void repeat(const Node& node, std::size_t line);

  bool has_root() const { return document_->root_ != nullptr; }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;
  std::shared_ptr<const Document> document() const { return document_; }

 private:
  Node& make(Node::Kind kind, std::size_t line);
  void check_levels(std::size_t more, std::size_t line) const;
  void append(const Node& node, std::size_t line);

  std::shared_ptr<Document> document_ = std::make_shared<Document>();
  std::vector<Node*> open_;  // lists and mappings, outermost first
  std::uint64_t nodes_ = 0;
};

}  // namespace gputlm
