#include "platform/report/blocks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "platform/files/csv_reader.h"
#include "platform/report/packed_table.h"

namespace gputlm {
namespace {

struct Box {
  std::uint32_t launch = 0, block = 0, sm = 0, slot = 0;
  std::uint64_t start = 0, end = 0;
  std::uint32_t blocks = 1;
};

/// The boxes of a run: as many as are allowed at most.
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
  /// Whether the box became part of the one before it in its slot.
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
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> last_;  ///< by SM and slot
};

/// Launches in the order of their first lines.
class Launches {
 public:
  explicit Launches(const CsvReader& csv)
      : csv_(csv), kernel_(csv.column("kernel")), application_(csv.column("application")),
        stream_(csv.column("stream")), threads_(csv.column("threads")) {}

  std::uint32_t at_line() {
    const std::string_view kernel = csv_.field(kernel_);
    auto place = places_.find(kernel);
    if (place == places_.end()) {
      place = places_.emplace(kernel, static_cast<std::uint32_t>(places_.size())).first;
      for (const auto& [name, column] : {std::pair("kernel", kernel_), std::pair("application", application_),
                                         std::pair("stream", stream_), std::pair("threads", threads_)})
        table_.column(name).add(csv_.field(column));
      table_.end_row();
    }
    return place->second;
  }
  nlohmann::ordered_json json() const { return table_.json(); }

 private:
  const CsvReader& csv_;
  std::size_t kernel_, application_, stream_, threads_;
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

}  // namespace

nlohmann::ordered_json packed_blocks(const std::string& path, std::string_view text, std::size_t most) {
  CsvReader csv(path, text);
  const std::size_t block = csv.column("block"), sm = csv.column("sm"), slot = csv.column("slot"),
                    start = csv.column("start_cycle"), end = csv.column("end_cycle");
  Launches launches(csv);
  Boxes boxes(most);
  while (csv.next()) {
    boxes.add({launches.at_line(), static_cast<std::uint32_t>(csv.number(block)),
               static_cast<std::uint32_t>(csv.number(sm)), static_cast<std::uint32_t>(csv.number(slot)),
               csv.number(start), csv.number(end)});
  }
  nlohmann::ordered_json json{{"launches", launches.json()}, {"boxes", packed(boxes)}};
  if (boxes.merged_below()) json["merged_below_cycles"] = boxes.merged_below();
  return json;
}

}  // namespace gputlm
