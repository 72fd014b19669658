/// The single document of a YAML or JSON file, as a tree of bounded size. YamlNode (platform/input/yaml_reader.h) gives the
/// tree its meaning.
///
/// The supported part of YAML 1.2: mappings, lists, scalars and aliases (an alias repeats its anchor's node). Tags and merge
/// keys (`<<`) are refused, since nothing here would honour them. Workload files may also be JSON, which is YAML. Files of
/// other programs are parsed as JSON: YAML is stricter in some respects (tabs, duplicate keys) and has no types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

class Document {
 public:
  static constexpr Bytes kMaxBytes = Bytes{16} << 20;    ///< maximum size of a file
  static constexpr std::uint64_t kMaxNodes = 4'000'000;  ///< maximum; an alias counts as all nodes that it stands for
  static constexpr std::size_t kMaxLevels = 100;         ///< maximum nesting of lists and mappings

  struct Node {
    enum class Kind : std::uint8_t {
      kNull,
      kText,     ///< text of YAML: may also stand for a number or a truth value
      kString,   ///< string of JSON
      kLiteral,  ///< of JSON: a number, true or false; a whole number below 2^53 as digits only (`1e3` is 1000)
      kList,
      kMap,
    };
    Kind kind = Kind::kNull;
    std::uint32_t line = 0;    ///< number of the line, from 1 on
    std::uint32_t levels = 0;  ///< nesting depth of lists and mappings, including this one
    std::uint64_t nodes = 1;   ///< this node and all nodes below it
    std::string text = {};
    std::vector<const Node*> children = {};  ///< items of a list; key, value, key, value ... of a mapping
  };

  /// `name` stands for the file in messages. Throws InputError with the line: not YAML, not UTF-8, no document or several, a
  /// limit above exceeded, an alias inside its own anchor.
  static std::shared_ptr<const Document> parse_yaml(const std::string& text, const std::string& name);
  static std::shared_ptr<const Document> parse_json(const std::string& text, const std::string& name);

  const std::string& file() const { return file_; }
  const Node& root() const { return *root_; }
  /// The keys and indices that lead to a node, "kernels.stream.grid" or "a[2].b". An alias has the path of its anchor, a key
  /// that of its mapping. Searches the document: for messages only.
  std::string path_to(const Node& node) const;

 private:
  friend class DocumentBuilder;
  std::string file_;
  std::deque<Node> nodes_;  // addresses of its elements are stable
  const Node* root_ = nullptr;
};

// The interface through which the YAML and JSON parsers build a Document.

/// Accepts what a parser finds, in order, and enforces the limits of Document. Lines count from 1.
class DocumentBuilder {
 public:
  using Node = Document::Node;

  /// Throws InputError if the text is too long or has bytes that no text file has.
  DocumentBuilder(const std::string& text, const std::string& name);

  const Node& add(Node::Kind kind, std::string text, std::size_t line);
  /// Begins a list or mapping; everything until its end belongs to it.
  const Node& begin(Node::Kind kind, std::size_t line);
  void end();
  /// Adds an existing node once more.
  void repeat(const Node& node, std::size_t line);

  bool has_root() const { return document_->root_ != nullptr; }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;
  std::shared_ptr<const Document> document() const { return document_; }

 private:
  Node& make(Node::Kind kind, std::size_t line);
  void check_levels(std::size_t more, std::size_t line) const;
  void append(const Node& node, std::size_t line);

  std::shared_ptr<Document> document_ = std::make_shared<Document>();
  std::vector<Node*> open_;  // open lists and mappings, outermost first
  std::uint64_t nodes_ = 0;
};

}  // namespace gputlm
