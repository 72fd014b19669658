/// Tables of many rows as JSON of few bytes, which the page of a report unpacks (platform/report/page/table.mjs).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// A column takes what it is given for the simplest of: whole numbers, decimal fractions of few digits, doubles, texts.
/// An empty cell is no value.
class PackedColumn {
 public:
  void add(std::string_view cell);
  void add(std::int64_t value);
  void add(double value);
  /// Adds empty cells up to this many rows.
  void fill(std::size_t rows);
  std::size_t rows() const;

  /// One of, where bytes are in base64 and differences are from row to row (the first from 0), zigzag, as varints, a run
  /// of zeros as 0 and how many more there are:
  ///   {"integers": differences, "decimals": n}            value times 10^n; an empty cell repeats the one before it
  ///   {"numbers": doubles, little-endian}                 NaN: empty
  ///   {"texts": [...], "indices": differences}            "" : empty
  /// and, of the first, {"empty": lengths of the runs of cells that are and are not there, by turns, as varints}.
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
  std::vector<std::int64_t> integers_;  ///< of texts: places in texts_
  unsigned decimals_ = 0;
  std::vector<std::size_t> runs_;  ///< of cells that are there and that are empty, by turns
  std::vector<double> doubles_;
  std::vector<std::string> texts_;
  std::map<std::string, std::int64_t, std::less<>> places_;
};

/// Columns by name, in the order in which they came.
class PackedTable {
 public:
  /// The column of a name, with empty cells in the rows before, if it is new.
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

/// A CSV file as it is.
PackedTable packed_csv(const std::string& path, std::string_view text);
/// A list of objects: what is in objects of theirs is a column with a dot in its name, a list is text.
PackedTable packed_objects(const nlohmann::ordered_json& list);

}  // namespace gputlm
