/// Typed access to a YAML or JSON file. Every error is an InputError with file and line, what was found and what is allowed.
///
/// A mapping in a format of ours is read through YamlMap, which knows all allowed keys: an unknown key is an error that
/// suggests the nearest name, and so is a repeated key. Mappings of other programs are read with YamlNode::find().
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/document.h"
#include "tlm/base/error.h"
#include "tlm/base/format_field.h"
#include "tlm/base/time.h"

namespace gputlm {

class YamlNode {
 public:
  /// The YAML document of a file (platform/input/document.h). Throws InputError if the file cannot be read or is not YAML.
  static YamlNode load_file(const std::string& path);
  /// The same from text; `name` stands for the file in messages.
  static YamlNode load_text(const std::string& text, const std::string& name);
  /// The root of an existing document.
  static YamlNode root_of(std::shared_ptr<const Document> document);
  /// A file of another program, as JSON.
  static YamlNode load_json_file(const std::string& path);
  static YamlNode load_json_text(const std::string& text, const std::string& name);

  const std::string& file() const { return document_->file(); }
  std::size_t line() const { return node_->line; }
  const Document::Node& node() const { return *node_; }
  /// The path of the node, for messages: the keys that lead to it ("kernels.stream.grid").
  std::string what() const { return document_->path_to(*node_); }
  [[noreturn]] void fail(const std::string& message) const;
  /// The same at another node of its document.
  [[noreturn]] void fail_at(const Document::Node& node, const std::string& message) const {
    YamlNode(document_, node).fail(message);
  }
  /// "found 'x', allowed: `allowed`"
  [[noreturn]] void refuse(const std::string& allowed) const;
  /// Returns the result of `read` for a file that the node names. Errors in the file are reported with the node's place.
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

  /// A scalar as text; never empty and without control characters, since it may be a name that is written to files. Lives as
  /// long as the document.
  const std::string& text() const;
  const std::string& possibly_empty_text() const;
  /// A text of any number of lines, never empty.
  const std::string& lines() const;
  bool boolean() const;  ///< true or false
  /// Decimal or hexadecimal (0x).
  std::uint64_t unsigned_number(std::uint64_t least = 0,
                                std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  std::int64_t signed_number(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                             std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  double number(double least, double most) const;
  /// A number of bytes, plain or with a unit: 48KiB, 2 MiB, 1GiB.
  Bytes bytes(Bytes least = 0, Bytes most = std::numeric_limits<Bytes>::max()) const;
  /// The scalar's index in `names`, the allowed values.
  std::size_t one_of(const std::vector<std::string>& names) const;

  std::vector<YamlNode> items() const;                            ///< items of a list
  std::vector<std::pair<std::string, YamlNode>> entries() const;  ///< entries of a mapping with any keys, in file order
  /// The entry of a mapping with a single entry.
  std::pair<std::string, YamlNode> only_entry() const;

  /// Looks up a key in a mapping of another program. A key may be repeated there, as some programs write comments so: the
  /// first one counts.
  std::optional<YamlNode> find(const std::string& key) const;
  YamlNode at(const std::string& key) const;  ///< throws InputError if it is missing
  std::optional<YamlNode> find(const FormatField& field) const { return find(field.name); }
  YamlNode at(const FormatField& field) const { return at(field.name); }
  /// Adds a warning for each key that is not in `known`, with the nearest known one.
  void note_unknown_keys(const std::vector<std::string>& known, std::vector<std::string>& warnings) const;

 private:
  friend class YamlMap;
  using Kind = Document::Node::Kind;
  YamlNode(std::shared_ptr<const Document> document, const Document::Node& node)
      : document_(std::move(document)), node_(&node) {}
  void check_keys_differ() const;
  /// Whether the scalar may be a number or a truth value: it is no string of JSON.
  bool may_be_literal() const { return is_scalar() && node_->kind != Kind::kString; }

  std::shared_ptr<const Document> document_;
  const Document::Node* node_;  // owned by the document
};

class YamlMap {
 public:
  YamlMap(const YamlNode& node, const std::vector<std::string>& keys);

  std::optional<YamlNode> find(const std::string& key) const;
  /// Throws InputError if the key is missing.
  YamlNode at(const std::string& key) const;
  /// Whether the key is present with the value `true`.
  bool is_true(const std::string& key) const;
  const YamlNode& node() const { return node_; }

 private:
  YamlNode node_;
  std::vector<std::pair<std::string, YamlNode>> entries_;
};

}  // namespace gputlm
