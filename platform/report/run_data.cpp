#include "platform/report/report_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/files/csv.h"
#include "platform/files/run_folder.h"
#include "platform/report/packed_table.h"

namespace gputlm {
namespace {

/// A row: the columns that are not summed, and the sums of the other columns.
struct Sums {
  std::uint64_t start = 0;
  std::vector<std::optional<std::int64_t>> values;  ///< sums by column; none: empty in all rows
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
  std::map<std::string, Sums> sums_;  ///< sums of each application
  std::vector<std::string> order_;    ///< applications in the order of their rows
  PackedTable table_;
};

/// series.csv in the form of a report (docs/result.md): the table with all intervals. If there are more than `most`, each row
/// sums the same number of neighbouring intervals.
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

struct Box {
  std::uint32_t launch = 0, block = 0, sm = 0, slot = 0;
  std::uint64_t start = 0, end = 0;
  std::uint32_t blocks = 1;
};

/// The boxes of a run, up to a maximum number.
class Boxes {
 public:
  explicit Boxes(std::size_t most) : most_(most) {}

  void add(const Box& box) {
    if (below_ > 0 && joined(box)) return;
    last_[{box.sm, box.slot}] = boxes_.size();
    boxes_.push_back(box);
    while (boxes_.size() > most_) merge();
  }
  const std::vector<Box>& all() const { return boxes_; }
  std::uint64_t merged_below() const { return below_; }

 private:
  /// Whether the box was merged into the previous one of its slot.
  bool joined(const Box& box) {
    const auto at = last_.find({box.sm, box.slot});
    if (at == last_.end()) return false;
    Box& before = boxes_[at->second];
    const std::uint64_t gap = box.start - std::min(before.end, box.start);
    const auto is_short = [&](const Box& b) { return b.end - b.start < below_ * b.blocks; };
    if (before.launch != box.launch || box.start < before.end || gap >= below_ || !is_short(before) || !is_short(box))
      return false;
    before.end = box.end;
    before.blocks += box.blocks;
    return true;
  }
  void merge() {
    below_ = below_ == 0 ? 1 : 2 * below_;
    std::vector<Box> all;
    all.swap(boxes_);
    last_.clear();
    for (const Box& box : all) {
      if (joined(box)) continue;
      last_[{box.sm, box.slot}] = boxes_.size();
      boxes_.push_back(box);
    }
  }

  std::size_t most_;
  std::uint64_t below_ = 0;
  std::vector<Box> boxes_;                                               ///< in the order of blocks.csv
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> last_;  ///< index of the latest box of an SM and slot
};

/// Launches in the order of their first lines.
class Launches {
 public:
  std::uint32_t of(const BlockLine& block) {
    auto place = places_.find(block.kernel);
    if (place == places_.end()) {
      place = places_.emplace(block.kernel, static_cast<std::uint32_t>(places_.size())).first;
      table_.column("kernel").add(block.kernel);
      table_.column("application").add(block.application);
      table_.column("stream").add(block.stream);
      table_.column("threads").add(std::int64_t{block.threads});
      table_.end_row();
    }
    return place->second;
  }
  nlohmann::ordered_json json() const { return table_.json(); }

 private:
  std::map<std::string, std::uint32_t, std::less<>> places_;
  PackedTable table_;
};

nlohmann::ordered_json packed(const Boxes& boxes) {
  PackedTable table;
  const auto add = [&](const char* name, std::uint64_t value) {
    table.column(name).add(static_cast<std::int64_t>(value));
  };
  for (const Box& box : boxes.all()) {
    add("launch", box.launch);
    add("block", box.block);
    add("sm", box.sm);
    add("slot", box.slot);
    add("end", box.end);
    add("cycles", box.end - box.start);
    if (boxes.merged_below()) add("blocks", box.blocks);
    table.end_row();
  }
  return table.json();
}

/// blocks.csv in the form of a report: every block or, if there are more than a page can hold, neighbours merged into one.
/// {"launches": table of kernel, application, stream, threads;
///  "boxes": table of launch, block, sm, slot, end, cycles; "blocks" if one stands for several;
///  "merged_below_cycles": only if boxes were merged}
///
/// If there are more than `most` blocks, consecutive blocks of a launch in one slot of an SM are merged if each of them, and
/// the gaps between them, are shorter than a time: the smallest power of two that leaves at most `most` boxes. `block` is
/// then the first of them. Memory does not grow with the number of merged blocks.
nlohmann::ordered_json packed_blocks(const std::string& path, std::string_view text, std::size_t most) {
  Launches launches;
  Boxes boxes(most);
  for_each_row<BlockLine>(path, text, [&](const BlockLine& block) {
    boxes.add(
        {launches.of(block), static_cast<std::uint32_t>(block.block), block.sm, block.slot, block.start, block.end});
  });
  nlohmann::ordered_json json{{"launches", launches.json()}, {"boxes", packed(boxes)}};
  if (boxes.merged_below()) json["merged_below_cycles"] = boxes.merged_below();
  return json;
}

using Json = nlohmann::ordered_json;

/// Included unchanged.
constexpr const char* kTables[] = {
    "jobs", "copies", "slices", "responses_histogram", "responses_percentiles", "responses_worst", "responses_parts"};
constexpr std::size_t kMaxIntervals = 1000;  // maximum intervals of series.csv: the number of pixels of a chart

}  // namespace

Json run_data(const std::string& path, std::size_t most_boxes) {
  RunFolder folder(path);
  Json& result = folder.result();
  Json run{{"path", path}};
  run["kernels"] = packed_objects(result["kernels"]).json();
  result.erase("kernels");
  if (const auto blocks = folder.read(run_files::kBlocks))
    run["blocks"] = packed_blocks(folder.path_of(run_files::kBlocks), *blocks, most_boxes);
  run["tables"] = Json::object();
  for (const char* name : kTables) {
    const std::string file = std::string(name) + ".csv";
    if (const auto csv = folder.read(file)) run["tables"][name] = packed_csv(folder.path_of(file), *csv).json();
  }
  if (const auto csv = folder.read(run_files::kSeries))
    run["tables"]["series"] = packed_series(folder.path_of(run_files::kSeries), *csv, kMaxIntervals);
  result.erase("copies");  // they are in copies.csv
  if (Json performance = folder.performance(); !performance.is_null()) run["performance"] = std::move(performance);
  run["result"] = std::move(result);
  return run;
}

}  // namespace gputlm
