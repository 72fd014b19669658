/// Typed access to a YAML or JSON file. Every error is an InputError with file and line, what was found and what is
/// allowed.
///
/// A mapping of our own is read through YamlMap, which is told all keys it may have: an unknown key is an error with the
/// nearest name, a key given twice is one too. Those of other programs are read by YamlNode::find().
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/document.h"
#include "tlm/error.h"
#include "tlm/format_field.h"
#include "tlm/time.h"

namespace gputlm {

class YamlNode {
 public:
  /// The YAML document of a file (platform/input/document.h). Throws InputError if it cannot be read or is none.
  static YamlNode load_file(const std::string& path);
  /// The same from text; `name` stands for the file in messages.
  static YamlNode load_text(const std::string& text, const std::string& name);
  /// Of a document that is there.
  static YamlNode root_of(std::shared_ptr<const Document> document);
  /// Files of other programs, as JSON.
  static YamlNode load_json_file(const std::string& path);
  static YamlNode load_json_text(const std::string& text, const std::string& name);

  const std::string& file() const { return document_->file(); }
  std::size_t line() const { return node_->line; }
  const Document::Node& node() const { return *node_; }
  /// What the node is, for messages: the keys that lead to it ("kernels.stream.grid").
  std::string what() const { return document_->path_to(*node_); }
  [[noreturn]] void fail(const std::string& message) const;
  /// Of another node of its document.
  [[noreturn]] void fail_at(const Document::Node& node, const std::string& message) const {
    YamlNode(document_, node).fail(message);
  }
  /// "found 'x', allowed: `allowed`"
  [[noreturn]] void refuse(const std::string& allowed) const;
  /// What `read` returns of a file that the node names: what is wrong with the file is said with the node's place.
  template <class Read>
  auto naming(Read read) const {
    try {
      return read();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  bool is_scalar() const { return is_text() || node_->kind == Kind::kLiteral; }
  bool is_text() const { return node_->kind == Kind::kText || node_->kind == Kind::kString; }
  bool is_list() const { return node_->kind == Kind::kList; }
  bool is_map() const { return node_->kind == Kind::kMap; }
  bool is_null() const { return node_->kind == Kind::kNull; }

  /// A scalar as text; never empty, and without control characters: it may be a name that goes into files. Texts last as
  /// long as the document.
  const std::string& text() const;
  const std::string& possibly_empty_text() const;
  /// A text of any lines, never empty.
  const std::string& lines() const;
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

  /// Of a mapping that others have written. A key may be there more than once, since comments are written so: the first
  /// one counts.
  std::optional<YamlNode> find(const std::string& key) const;
  YamlNode at(const std::string& key) const;  ///< throws InputError if it is missing
  std::optional<YamlNode> find(const FormatField& field) const { return find(field.name); }
  YamlNode at(const FormatField& field) const { return at(field.name); }
  /// A line for each of its keys that is none of `known`, with the nearest of them.
  void note_unknown_keys(const std::vector<std::string>& known, std::vector<std::string>& warnings) const;

 private:
  friend class YamlMap;
  using Kind = Document::Node::Kind;
  YamlNode(std::shared_ptr<const Document> document, const Document::Node& node)
      : document_(std::move(document)), node_(&node) {}
  void check_keys_differ() const;
  /// The scalar, if a number or a truth value may stand in it: no string of JSON.
  bool may_be_literal() const { return is_scalar() && node_->kind != Kind::kString; }

  std::shared_ptr<const Document> document_;
  const Document::Node* node_;  // of the document
};

class YamlMap {
 public:
  YamlMap(const YamlNode& node, const std::vector<std::string>& keys);

  std::optional<YamlNode> find(const std::string& key) const;
  /// Throws InputError if it is missing.
  YamlNode at(const std::string& key) const;
  /// Whether it has the key, and `true` there.
  bool is_true(const std::string& key) const;
  const YamlNode& node() const { return node_; }

 private:
  YamlNode node_;
  std::vector<std::pair<std::string, YamlNode>> entries_;
};

}  // namespace gputlm
