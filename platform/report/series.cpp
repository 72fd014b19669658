#include "platform/report/series.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "platform/files/csv_reader.h"
#include "platform/report/packed_table.h"

namespace gputlm {
namespace {

/// A line: what does not add up, and the sums of what does.
struct Sums {
  std::uint64_t start = 0;
  std::vector<std::optional<std::int64_t>> values;  ///< by column; none: empty in all lines
};

class Series {
 public:
  explicit Series(CsvReader& csv)
      : csv_(csv), start_(csv.column("start_cycle")), application_(csv.column("application")) {}

  PackedTable table(std::size_t intervals_together) {
    std::optional<std::uint64_t> interval;
    std::size_t intervals = 0;
    while (csv_.next()) {
      const std::uint64_t start = csv_.number(start_);
      if (interval != start) {
        if (intervals == intervals_together) write(), intervals = 0;
        interval = start;
        ++intervals;
      }
      add(start);
    }
    write();
    return std::move(table_);
  }

 private:
  void add(std::uint64_t start) {
    const std::string application(csv_.field(application_));
    auto at = sums_.find(application);
    if (at == sums_.end()) {
      at = sums_.emplace(application, Sums{start, {}}).first;
      at->second.values.resize(csv_.header().size());
      order_.push_back(application);
    }
    for (std::size_t column = 0; column < csv_.header().size(); ++column) {
      if (column == start_ || column == application_ || csv_.field(column).empty()) continue;
      auto& value = at->second.values[column];
      value = value.value_or(0) + csv_.integer(column);
    }
  }
  void write() {
    for (const std::string& application : order_) {
      const Sums& sums = sums_[application];
      for (std::size_t column = 0; column < csv_.header().size(); ++column) {
        PackedColumn& packed = table_.column(csv_.header()[column]);
        if (column == start_) {
          packed.add(static_cast<std::int64_t>(sums.start));
        } else if (column == application_) {
          packed.add(std::string_view(application));
        } else if (const auto& value = sums.values[column]) {
          packed.add(*value);
        }
      }
      table_.end_row();
    }
    order_.clear();
    sums_.clear();
  }

  CsvReader& csv_;
  std::size_t start_, application_;
  std::map<std::string, Sums> sums_;  ///< by application
  std::vector<std::string> order_;    ///< of its lines
  PackedTable table_;
};

}  // namespace

nlohmann::ordered_json packed_series(const std::string& path, std::string_view text, std::size_t most) {
  std::size_t intervals = 0;
  std::optional<std::uint64_t> last;
  CsvReader counted(path, text);
  for (const std::size_t start = counted.column("start_cycle"); counted.next();) {
    if (last == counted.number(start)) continue;
    last = counted.number(start);
    ++intervals;
  }
  CsvReader csv(path, text);
  return Series(csv).table((intervals + most - 1) / most).json();
}

}  // namespace gputlm
