#include "platform/report/packed_table.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "platform/files/csv.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

/// Bytes as text (RFC 4648, 4).
std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t taken = bytes.size() - at < 3 ? bytes.size() - at : 3;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < taken ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text.push_back(i <= taken ? kDigits[group >> (18 - 6 * i) & 63] : '=');
  }
  return text;
}

using Json = nlohmann::ordered_json;

constexpr unsigned kMaxDecimals = 6;
constexpr std::int64_t kMaxInteger = std::int64_t{1} << 53;  // exactly representable in the page's numbers

void put_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<char>(value | 128));
  bytes.push_back(static_cast<char>(value));
}

std::string differences(const std::vector<std::int64_t>& values) {
  std::string bytes;
  std::int64_t before = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const std::int64_t difference = values[at] - std::exchange(before, values[at]);
    put_varint(bytes, static_cast<std::uint64_t>(difference << 1 ^ difference >> 63));
    if (difference != 0) continue;
    const std::size_t first = at;
    while (at + 1 < values.size() && values[at + 1] == before) ++at;
    put_varint(bytes, at - first);
  }
  return base64(bytes);
}

std::int64_t power_of_ten(unsigned digits) { return digits == 0 ? 1 : 10 * power_of_ten(digits - 1); }

}  // namespace

std::size_t PackedColumn::rows() const { return kind_ == Kind::kDoubles ? doubles_.size() : integers_.size(); }

void PackedColumn::add(std::string_view cell) {
  if (cell.empty()) return add_empty();
  if (kind_ == Kind::kIntegers && add_decimal(cell)) return;
  if (kind_ != Kind::kTexts) {
    if (const auto value = parse_number<double>(cell); value && std::isfinite(*value)) return add(*value);
    become_texts();
  }
  add_text(cell);
}

void PackedColumn::add(std::int64_t value) {
  if (kind_ == Kind::kIntegers && decimals_ == 0 && std::abs(value) <= kMaxInteger) {
    if (runs_.size() % 2 == 0) runs_.push_back(0);
    ++runs_.back();
    integers_.push_back(value);
  } else if (kind_ == Kind::kTexts) {
    add_text(std::to_string(value));
  } else {
    add(static_cast<double>(value));
  }
}

void PackedColumn::add(double value) {
  if (kind_ == Kind::kTexts) return add_text(fmt::format("{}", value));
  become_doubles();
  doubles_.push_back(value);
}

/// Adds a number in this program's notation, without an exponent or leading zeros; false if the cell contains another text.
bool PackedColumn::add_decimal(std::string_view cell) {
  std::string digits(cell);
  const std::size_t point = cell.find('.');
  unsigned decimals = 0;
  if (point != std::string_view::npos) {
    decimals = static_cast<unsigned>(cell.size() - point - 1);
    if (decimals == 0 || decimals > kMaxDecimals) return false;
    digits.erase(point, 1);
  }
  const std::size_t first = cell.front() == '-';
  if (first == cell.size() || (cell[first] == '0' && cell.size() > first + 1 && point != first + 1)) return false;
  const auto value = parse_number<std::int64_t>(digits);
  if (!value) return false;
  const unsigned together = std::max(decimals, decimals_);
  const std::int64_t most = kMaxInteger / power_of_ten(together);
  if (std::abs(*value) / power_of_ten(decimals) >= most) return false;
  if (decimals > decimals_) {
    for (const std::int64_t before : integers_) {
      if (std::abs(before) / power_of_ten(decimals_) >= most) return false;
    }
    for (std::int64_t& before : integers_) before *= power_of_ten(decimals - decimals_);
    decimals_ = decimals;
  }
  if (runs_.size() % 2 == 0) runs_.push_back(0);
  ++runs_.back();
  integers_.push_back(*value * power_of_ten(decimals_ - decimals));
  return true;
}

void PackedColumn::add_empty() {
  switch (kind_) {
    case Kind::kDoubles: return doubles_.push_back(std::numeric_limits<double>::quiet_NaN());
    case Kind::kTexts: return add_text("");
    case Kind::kIntegers:
      if (runs_.empty()) runs_.push_back(0);
      if (runs_.size() % 2 == 1) runs_.push_back(0);
      ++runs_.back();
      integers_.push_back(integers_.empty() ? 0 : integers_.back());
  }
}

void PackedColumn::fill(std::size_t rows_wanted) {
  while (rows() < rows_wanted) add_empty();
}

void PackedColumn::add_text(std::string_view text) {
  auto place = places_.find(text);
  if (place == places_.end()) {
    place = places_.emplace(text, texts_.size()).first;
    texts_.emplace_back(text);
  }
  integers_.push_back(place->second);
}

std::string PackedColumn::text_of(std::size_t row) const {
  if (kind_ == Kind::kDoubles) return std::isnan(doubles_[row]) ? "" : fmt::format("{}", doubles_[row]);
  if (decimals_ == 0) return std::to_string(integers_[row]);
  const std::int64_t unit = power_of_ten(decimals_);
  return fmt::format("{}{}.{:0{}}", integers_[row] < 0 ? "-" : "", std::abs(integers_[row]) / unit,
                     std::abs(integers_[row]) % unit, decimals_);
}

void PackedColumn::become_doubles() {
  if (kind_ == Kind::kDoubles) return;
  std::size_t row = 0;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    for (std::size_t i = 0; i < runs_[run]; ++i, ++row) {
      doubles_.push_back(run % 2 ? std::numeric_limits<double>::quiet_NaN()
                                 : static_cast<double>(integers_[row]) / static_cast<double>(power_of_ten(decimals_)));
    }
  }
  integers_.clear();
  kind_ = Kind::kDoubles;
}

void PackedColumn::become_texts() {
  std::vector<std::string> cells;
  if (kind_ == Kind::kDoubles) {
    for (std::size_t row = 0; row < doubles_.size(); ++row) cells.push_back(text_of(row));
  } else {
    std::size_t row = 0;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      for (std::size_t i = 0; i < runs_[run]; ++i, ++row) cells.push_back(run % 2 ? "" : text_of(row));
    }
  }
  integers_.clear();
  doubles_.clear();
  kind_ = Kind::kTexts;
  for (const std::string& cell : cells) add_text(cell);
}

Json PackedColumn::json() const {
  if (kind_ == Kind::kTexts) return {{"texts", texts_}, {"indices", differences(integers_)}};
  if (kind_ == Kind::kDoubles) {
    static_assert(sizeof(double) == 8 && std::numeric_limits<double>::is_iec559);
    std::string bytes;
    for (const double value : doubles_) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      for (unsigned byte = 0; byte < 8; ++byte) bytes.push_back(static_cast<char>(bits >> 8 * byte));
    }
    return {{"numbers", base64(bytes)}};
  }
  Json json{{"integers", differences(integers_)}};
  if (decimals_) json["decimals"] = decimals_;
  if (runs_.size() > 1) {
    std::string bytes;
    for (const std::size_t run : runs_) put_varint(bytes, run);
    json["empty"] = base64(bytes);
  }
  return json;
}

PackedColumn& PackedTable::column(const std::string& name) {
  const auto [place, added] = places_.emplace(name, columns_.size());
  if (added) columns_.emplace_back(name, PackedColumn{}).second.fill(rows_);
  return columns_[place->second].second;
}

void PackedTable::end_row() {
  ++rows_;
  for (auto& [name, column] : columns_) column.fill(rows_);
}

Json PackedTable::json() const {
  Json columns = Json::object();
  for (const auto& [name, column] : columns_) columns[name] = column.json();
  return {{"rows", rows_}, {"columns", std::move(columns)}};
}

PackedTable packed_csv(const std::string& path, std::string_view text) {
  CsvReader reader(path, text);
  PackedTable table;
  for (const std::string& name : reader.header()) table.column(name);
  while (reader.next()) {
    for (std::size_t i = 0; i < reader.header().size(); ++i) table.column(reader.header()[i]).add(reader.field(i));
    table.end_row();
  }
  return table;
}

namespace {

void add(PackedTable& table, const std::string& name, const Json& value) {
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) add(table, name.empty() ? key : name + "." + key, part);
    return;
  }
  PackedColumn& column = table.column(name);
  if (value.is_number_integer()) {
    column.add(value.get<std::int64_t>());
  } else if (value.is_number()) {
    column.add(value.get<double>());
  } else {
    column.add(std::string_view(value.is_string() ? value.get<std::string>() : value.dump()));
  }
}

}  // namespace

PackedTable packed_objects(const Json& list) {
  PackedTable table;
  for (const Json& object : list) {
    add(table, "", object);
    table.end_row();
  }
  return table;
}

}  // namespace gputlm
