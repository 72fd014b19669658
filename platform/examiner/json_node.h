/// Typed access to a JSON file that others have written: every error is an InputError with file and line, what was found
/// and what is allowed. Keys that occur more than once are no error, the first counts: configurations have comments so.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// A value of a JSON text and the line on which it stands.
struct JsonValue {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kText, kList, kObject };
  Kind kind = Kind::kNull;
  std::size_t line = 0;
  bool truth = false;
  double number = 0;
  std::optional<std::uint64_t> whole = std::nullopt;  ///< the number, exactly, if it is one
  std::string text = {};
  std::vector<JsonValue> items = {};                            ///< of a list
  std::vector<std::pair<std::string, JsonValue>> members = {};  ///< of an object, in the order of the file
};

class JsonNode {
 public:
  static constexpr Bytes kMaxBytes = Bytes{16} << 20;  ///< of a file
  static constexpr std::size_t kMaxLevels = 100;       ///< of lists and objects in each other

  /// Throws InputError, with the line, for what is no JSON.
  static JsonNode load(const std::string& path);
  /// The same from text; `name` stands for the file in messages.
  static JsonNode parse(const std::string& text, const std::string& name);

  const std::string& file() const { return document_->file; }
  std::size_t line() const { return value_->line; }
  [[noreturn]] void fail(const std::string& message) const;

  bool is_list() const { return value_->kind == JsonValue::Kind::kList; }
  bool is_object() const { return value_->kind == JsonValue::Kind::kObject; }
  bool is_text() const { return value_->kind == JsonValue::Kind::kText; }

  bool boolean() const;
  /// Without control characters: it may be a name that goes into files.
  const std::string& text() const;
  double number(double least, double most) const;
  /// A whole number, or a text of its digits, which older configurations have.
  std::uint64_t whole(std::uint64_t least, std::uint64_t most = std::numeric_limits<std::int64_t>::max()) const;
  /// The text's place in `names`, which are what is allowed.
  std::size_t one_of(const std::vector<std::string>& names) const;

  std::vector<JsonNode> items() const;
  std::optional<JsonNode> find(const std::string& key) const;
  /// Throws InputError if it is missing.
  JsonNode at(const std::string& key) const;
  /// A line for each key of the object that is none of `known`, with the nearest of them.
  void note_unknown_keys(const std::vector<std::string>& known, std::vector<std::string>& warnings) const;

 private:
  struct Document {
    std::string file;
    JsonValue root;
  };
  JsonNode(std::shared_ptr<const Document> document, const JsonValue& value, std::string what)
      : document_(std::move(document)), value_(&value), what_(std::move(what)) {}
  std::string found() const;
  [[noreturn]] void expected(const std::string& allowed) const { fail("found " + found() + ", allowed: " + allowed); }

  std::shared_ptr<const Document> document_;
  const JsonValue* value_;  ///< of the document
  std::string what_;        ///< the keys that lead to it
};

}  // namespace gputlm
