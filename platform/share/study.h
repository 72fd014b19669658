/// Programs on a GPU: each alone, and all together under every way to share it. What a way costs is in outcome.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/parameters.h"
#include "platform/lab/run_set.h"
#include "platform/share/programs.h"
#include "platform/share/ways.h"

namespace gputlm {

/// What a user says.
struct ShareRequest {
  std::vector<std::string> inputs, keys;  ///< as shared_programs() takes them
  std::string gpu;                        ///< preset or file
  std::vector<std::string> settings;      ///< key=value
  std::uint64_t seed = 1;
  std::string ways_file;                 ///< more ways; empty: none
  std::vector<std::string> chosen = {};  ///< ways or kinds of them; none: all
  Bytes memory = 0;                      ///< that a run may take, as estimated
  /// In the place of `inputs`: a workload as text (YAML), whose applications are the programs, and whose variants the ways.
  std::string workload = {};
  std::string no_way = {};  ///< a variant of it that is no way,
  bool everywhere = false;  ///< and whether each run has it
};

class ShareStudy {
 public:
  /// A way that the programs cannot be shared by, and why.
  struct Refused {
    std::string way, why;
  };

  /// Throws InputError for whatever is wrong with the programs, the GPU, its settings, a user's ways.
  explicit ShareStudy(ShareRequest request);

  /// The workload that is run, with each way as a variant: YAML. Programs are launched again until each has run through
  /// once; those with loops or phases run once.
  std::string workload_text() const;
  const std::vector<SharedProgram>& programs() const { return programs_.programs; }
  const std::vector<SharingWay>& ways() const { return ways_; }
  const std::vector<Refused>& refused() const { return refused_; }
  bool repeats(std::size_t program) const { return repeats_[program]; }
  /// Launches of the program that do nothing but pass the time that was measured: of a capture, without a demand.
  struct Unknown {
    std::size_t launches = 0, of = 0;
  };
  Unknown unknown(std::size_t program) const;
  /// Of the GPU, as the user has set it.
  const GpuConfig& gpu() const { return alone(0).config; }

  /// One more way; it is among ways() afterwards, or among refused(), and false is returned.
  bool add(const SharingWay& way);
  bool has(const std::string& way) const { return runs_.has(key_together(way)); }
  /// What ways are made for.
  ToShare to_share() const;
  /// Carries out what was added since the last time.
  void run(const JobOptions& options) { runs_.run(options); }
  /// From here on jobs are those that run() carries out.
  void prepare(const JobOptions& options) { runs_.prepare(options); }
  std::size_t size() const { return runs_.size(); }
  Job job(std::size_t place) const { return runs_.request(runs_.keys()[place]).job(); }
  /// "alone decode", "way mps-50-50".
  const std::string& text(std::size_t place) const { return runs_.keys()[place]; }

  /// A program by itself on the whole GPU, as application 0.
  const Run& alone(std::size_t program) const { return runs_.request(key_alone(program)); }
  const RunResult& alone_result(std::size_t program) const { return runs_.result(key_alone(program)); }
  /// Programs are applications, in their order.
  const Run& together(const std::string& way) const { return runs_.request(key_together(way)); }
  const RunResult& together_result(const std::string& way) const { return runs_.result(key_together(way)); }

 private:
  std::vector<SharingWay> take_workload();
  std::string key_alone(std::size_t program) const { return "alone " + programs_.programs[program].name; }
  static std::string key_together(const std::string& way) { return "way " + way; }
  nlohmann::ordered_json document(bool again) const;
  Run run_of(const nlohmann::ordered_json& document, const std::string& variant) const;
  void check(const Run& run) const;

  ShareRequest request_;
  GpuConfig config_;
  Origins origins_;
  nlohmann::ordered_json given_;  ///< ShareRequest::workload, without those of its variants that are ways
  SharedPrograms programs_;
  std::vector<bool> repeats_;
  std::vector<SharingWay> ways_;
  std::vector<Refused> refused_;
  RunSet<std::string> runs_;
};

}  // namespace gputlm
