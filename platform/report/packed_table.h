/// Tables of many rows as compact JSON, which the page of a report unpacks (platform/report/page/table.mjs).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// A column has the simplest type that holds its values: whole numbers, decimal fractions of few digits, doubles, texts.
/// Empty cells are allowed.
class PackedColumn {
 public:
  void add(std::string_view cell);
  void add(std::int64_t value);
  void add(double value);
  /// Adds empty cells up to this number of rows.
  void fill(std::size_t rows);
  std::size_t rows() const;

  /// One of the following. Bytes are in base64. Differences are from row to row (the first from 0), zigzag-encoded as
  /// varints; a run of zeros is a 0 and the number of further ones:
  ///   {"integers": differences, "decimals": n}            value times 10^n; an empty cell repeats the one before it
  ///   {"numbers": doubles, little-endian}                 NaN: empty
  ///   {"texts": [...], "indices": differences}            "" : empty
  /// The first form also has {"empty": alternating lengths of runs of filled and of empty cells, as varints}.
  nlohmann::ordered_json json() const;

 private:
  enum class Kind { kIntegers, kDoubles, kTexts };
  bool add_decimal(std::string_view cell);
  void add_empty();
  void add_text(std::string_view text);
  void become_doubles();
  void become_texts();
  std::string text_of(std::size_t row) const;

  Kind kind_ = Kind::kIntegers;
  std::vector<std::int64_t> integers_;  ///< for texts: indices in texts_
  unsigned decimals_ = 0;
  std::vector<std::size_t> runs_;  ///< alternating lengths of runs of filled and of empty cells
  std::vector<double> doubles_;
  std::vector<std::string> texts_;
  std::map<std::string, std::int64_t, std::less<>> places_;
};

/// Columns by name, in the order of their first use.
class PackedTable {
 public:
  /// The column of this name; a new one gets empty cells in the previous rows.
  PackedColumn& column(const std::string& name);
  void end_row();
  std::size_t rows() const { return rows_; }
  /// {"rows": n, "columns": {name: column}}
  nlohmann::ordered_json json() const;

 private:
  std::size_t rows_ = 0;
  std::vector<std::pair<std::string, PackedColumn>> columns_;
  std::map<std::string, std::size_t> places_;
};

/// Converts a CSV file unchanged.
PackedTable packed_csv(const std::string& path, std::string_view text);
/// Converts a list of objects: members of nested objects become columns with a dot in the name, a list becomes text.
PackedTable packed_objects(const nlohmann::ordered_json& list);

}  // namespace gputlm
