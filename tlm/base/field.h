/// What a user reads about a value that he gives or gets: a parameter, an option, a key of a file, a column, a counter, an
/// argument of a command, a size of a hardware design. Types that know more about their values derive from Field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace gputlm {

/// The value of an option, or a default.
using FieldValue = std::variant<unsigned, double, bool, std::string>;

struct Field {
  /// What a number must be besides being in range.
  enum class Shape : std::uint8_t { kAny, kPowerOfTwo, kMultipleOf32 };

  std::string name;
  std::string unit = {};     ///< "core cycles"; empty: none
  std::string meaning = {};  ///< without a full stop
  std::uint64_t least = 0,
                most = 0;  ///< allowed range of a number; if both are 0, it is another value, or has no range
  std::optional<FieldValue> default_value = {};
  std::string source = {};  ///< a document and its section, a paper, a file of another program
  Shape shape = Shape::kAny;

  bool is_number() const { return most > 0; }
  /// Whether a number has the range and the shape.
  bool allows(std::uint64_t number) const;
  /// "1 to 64 warps, a power of two"
  std::string range() const;
  /// As a user writes it; empty if there is no default.
  std::string default_text() const;
  /// 0 if there is no default. Throws std::bad_variant_access if it is no unsigned.
  unsigned default_number() const { return default_value ? std::get<unsigned>(*default_value) : 0; }
};

}  // namespace gputlm
