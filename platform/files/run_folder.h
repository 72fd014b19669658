/// A folder that `gputlm run --out` has filled (docs/result.md): what a run leaves, by which names, and how it is read again.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "platform/files/rows.h"

namespace gputlm {

inline constexpr const char* kResultSchema = "gputlm-result-3";

/// Of every run; `durations.yaml` with --fast. What its probes write they name themselves.
namespace run_files {
inline constexpr const char* kResult = "result.json";
inline constexpr const char* kPerformance = "performance.json";
inline constexpr const char* kResponses = "responses.csv";
inline constexpr const char* kDurations = "durations.yaml";
inline constexpr const char* kBlocks = "blocks.csv";
inline constexpr const char* kSeries = "series.csv";
}  // namespace run_files

class RunFolder {
 public:
  /// `path`: the folder, or its result.json. Throws InputError if there is none, or one of another version.
  explicit RunFolder(const std::string& path);

  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  /// Takes what it may no longer hold, as a run may have a million kernels, out of it.
  nlohmann::ordered_json& result() { return result_; }
  /// A file of the run; none if it has written none of this name. Throws InputError if it is not the one that result.json
  /// speaks of.
  std::optional<std::string> read(const std::string& name) const;
  /// performance.json, if it is of this run; null: it is not.
  nlohmann::ordered_json performance() const;

 private:
  std::string folder_, digest_;
  nlohmann::ordered_json result_, files_;
};

/// A line of blocks.csv.
struct BlockLine {
  std::string_view kernel;
  std::uint64_t block = 0;
  std::uint32_t sm = 0;
  std::uint64_t start = 0, end = 0;
  Thousandths start_ns, end_ns;  ///< exact, because cycles are whole femtoseconds
  std::uint32_t slot = 0, threads = 0;
  std::string_view stream, application;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = BlockLine;
    constexpr Value kCycle{"core cycles"}, kNs{"ns"};
    v.field(&R::kernel, "kernel", Value{}, "Label of the launch; launched again, `LABEL@2`, `LABEL@3` ...");
    v.field(&R::block, "block", Value{}, "Index in the grid, x fastest");
    v.field(&R::sm, "sm", Value{}, "The SM that ran it");
    v.field(&R::start, "start_cycle", kCycle, "It arrived at the SM");
    v.field(&R::end, "end_cycle", kCycle, "Its last warp had ended and its accesses were answered");
    v.field(&R::start_ns, "start_ns", kNs, "`start_cycle` as a time, cut off after three decimals");
    v.field(&R::end_ns, "end_ns", kNs, "`end_cycle` as a time, cut off after three decimals");
    v.field(&R::slot, "slot", Value{},
            "Its place on the SM, from 0 up: the lowest that was free when it arrived. A block that was taken off for "
            "another application's turn comes back to it");
    v.field(&R::threads, "threads", Value{"threads"}, "Of the block");
    v.field(&R::stream, "stream", Value{}, "Of the launch");
    v.field(&R::application, "application", Value{}, "Whose it is");
  }
};

}  // namespace gputlm
