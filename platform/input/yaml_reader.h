/// Typed access to a YAML file. Every error is an InputError with file and line, what was found and what is allowed.
///
/// A mapping is read through YamlMap, which is told all keys it may have: an unknown key is an error with the nearest
/// name, a key given twice is one too.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/yaml_document.h"
#include "tlm/time.h"

namespace gputlm {

class YamlNode {
 public:
  /// The document of a file (platform/input/yaml_document.h). Throws InputError if it cannot be read or is none.
  static YamlNode load_file(const std::string& path);
  /// The same from text; `name` stands for the file in messages.
  static YamlNode load_text(const std::string& text, const std::string& name);

  const std::string& file() const { return document_->file(); }
  std::size_t line() const { return node_->line; }
  /// What the node is, for messages: the keys that lead to it ("kernels.stream.grid").
  const std::string& what() const { return what_; }
  [[noreturn]] void fail(const std::string& message) const;

  bool is_scalar() const { return node_->kind == Kind::kText; }
  bool is_list() const { return node_->kind == Kind::kList; }
  bool is_map() const { return node_->kind == Kind::kMap; }
  bool is_null() const { return node_->kind == Kind::kNull; }

  /// A scalar as text; never empty, and without control characters: it may be a name that goes into files.
  std::string text() const;
  /// A text of any lines, never empty.
  std::string lines() const;
  bool boolean() const;  ///< true or false
  /// Decimal or hexadecimal (0x).
  std::uint64_t unsigned_number(std::uint64_t least = 0,
                                std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  std::int64_t signed_number(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                             std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  double number(double least, double most) const;
  /// A number of bytes, or with a unit: 48KiB, 2 MiB, 1GiB.
  Bytes bytes(Bytes least = 0, Bytes most = std::numeric_limits<Bytes>::max()) const;
  /// The scalar's place in `names`, which holds what is allowed.
  std::size_t one_of(const std::vector<std::string>& names) const;

  std::vector<YamlNode> items() const;                            ///< of a list
  std::vector<std::pair<std::string, YamlNode>> entries() const;  ///< of a mapping with free keys, in file order
  /// Of a mapping with a single entry.
  std::pair<std::string, YamlNode> only_entry() const;

 private:
  friend class YamlMap;
  using Kind = YamlDocument::Node::Kind;
  YamlNode(std::shared_ptr<const YamlDocument> document, const YamlDocument::Node& node, std::string what)
      : document_(std::move(document)), node_(&node), what_(std::move(what)) {}
  [[noreturn]] void expected(const std::string& allowed) const;

  std::shared_ptr<const YamlDocument> document_;
  const YamlDocument::Node* node_;  // of the document
  std::string what_;
};

class YamlMap {
 public:
  YamlMap(const YamlNode& node, const std::vector<std::string>& keys);

  std::optional<YamlNode> find(const std::string& key) const;
  /// Throws InputError if it is missing.
  YamlNode at(const std::string& key) const;
  const YamlNode& node() const { return node_; }

 private:
  YamlNode node_;
  std::vector<std::pair<std::string, YamlNode>> entries_;
};

}  // namespace gputlm
