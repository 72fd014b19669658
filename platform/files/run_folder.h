/// A folder written by `gputlm run --out` (docs/result.md): the names of its files, and how to read them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "platform/files/rows.h"

namespace gputlm {

inline constexpr const char* kResultSchema = "gputlm-result-3";

/// Files of every run, and `durations.yaml` with --fast. Probes name their own files.
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
  /// `path`: the folder, or its result.json. Throws InputError if there is none, or if it has another version.
  explicit RunFolder(const std::string& path);

  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  /// Callers may move large lists out of it: a run can have a million kernels.
  nlohmann::ordered_json& result() { return result_; }
  /// A file of the run; none if the run has no such file. Throws InputError if it is not the file that result.json lists.
  std::optional<std::string> read(const std::string& name) const;
  /// performance.json; null if it does not belong to this run.
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
    v.field(&R::kernel, "kernel", Value{}, "Label of the launch; repetitions are `LABEL@2`, `LABEL@3` ...");
    v.field(&R::block, "block", Value{}, "Index in the grid, x fastest");
    v.field(&R::sm, "sm", Value{}, "The SM that ran it");
    v.field(&R::start, "start_cycle", kCycle, "Time at which it arrived at the SM");
    v.field(&R::end, "end_cycle", kCycle, "Time at which its last warp had ended and its accesses were answered");
    v.field(&R::start_ns, "start_ns", kNs, "`start_cycle` as a time, truncated to three decimals");
    v.field(&R::end_ns, "end_ns", kNs, "`end_cycle` as a time, truncated to three decimals");
    v.field(&R::slot, "slot", Value{},
            "Slot on the SM, from 0 on: the lowest free one on arrival. A preempted block returns to its slot");
    v.field(&R::threads, "threads", Value{"threads"}, "Threads of the block");
    v.field(&R::stream, "stream", Value{}, "Stream of the launch");
    v.field(&R::application, "application", Value{}, "Name of its application");
  }
};

}  // namespace gputlm
