/// The one document of a YAML or JSON file, as a tree of bounded size. What a name of the tree means is for YamlNode
/// (platform/input/yaml_reader.h) to say.
///
/// Of YAML 1.2 there are mappings, lists, texts and aliases (an alias is its anchor's node once more). Tags and merge
/// keys (`<<`) are refused: nothing here would heed them. Workload files may be JSON too, which is YAML; as JSON is read
/// what other programs read as JSON, where YAML is stricter (tabs, keys given twice) and knows no types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

class Document {
 public:
  static constexpr Bytes kMaxBytes = Bytes{16} << 20;    ///< of a file
  static constexpr std::uint64_t kMaxNodes = 4'000'000;  ///< with every alias counted as the nodes it stands for
  static constexpr std::size_t kMaxLevels = 100;         ///< of lists and mappings in each other

  struct Node {
    enum class Kind : std::uint8_t {
      kNull,
      kText,     ///< of YAML: a number or a truth value, too, for those who take it as one
      kString,   ///< of JSON
      kLiteral,  ///< of JSON: a number, true or false; a whole number below 2^53 has its digits only (`1e3` is 1000)
      kList,
      kMap,
    };
    Kind kind = Kind::kNull;
    std::uint32_t line = 0;    ///< from 1 on
    std::uint32_t levels = 0;  ///< of lists and mappings in each other, this one included
    std::uint64_t nodes = 1;   ///< this one and all below it
    std::string text = {};
    std::vector<const Node*> children = {};  ///< of a list; of a mapping key, value, key, value ...
  };

  /// `name` stands for the file in messages. Throws InputError with the line: no YAML, no UTF-8, no or several documents,
  /// one of the above limits exceeded, an alias to what it stands in.
  static std::shared_ptr<const Document> parse_yaml(const std::string& text, const std::string& name);
  static std::shared_ptr<const Document> parse_json(const std::string& text, const std::string& name);

  const std::string& file() const { return file_; }
  const Node& root() const { return *root_; }
  /// The keys and places that lead to a node, "kernels.stream.grid" or "a[2].b": of an alias, to its anchor; of a key, to
  /// its mapping. Looks through the document: for messages.
  std::string path_to(const Node& node) const;

 private:
  friend class DocumentBuilder;
  std::string file_;
  std::deque<Node> nodes_;  // whose places do not change
  const Node* root_ = nullptr;
};

// What the parsers of YAML and JSON make a Document with.

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
