/// Programs on a GPU: each alone, and all together under every way to share it. outcome.h evaluates the ways.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "platform/input/parameters.h"
#include "platform/lab/run_set.h"
#include "platform/share/ways.h"

namespace gputlm {

/// A program that shares the GPU: an application of a workload file, converted from any kind of file.
struct SharedProgram {
  std::string name;
  std::string format;                  ///< format of its file (platform/input/run_input.h)
  nlohmann::ordered_json application;  ///< its entry in `applications`
};

struct SharedPrograms {
  std::vector<SharedProgram> programs;
  std::vector<std::string> settings;  ///< parameters that workload files set, key=value
};

/// `inputs`: FILE or NAME=FILE: captures, traces, and workload files; each application of the latter is a program. `keys`:
/// PROGRAM.KEY=VALUE, or KEY=VALUE for all programs, sets a key of the program's entry; a repeated key makes a list. Throws
/// InputError for a file that cannot be an application, two programs of one name, and an unknown program.
SharedPrograms shared_programs(const std::vector<std::string>& inputs, const std::vector<std::string>& keys,
                               const GpuConfig& gpu, std::uint64_t seed);

/// The user's request.
struct ShareRequest {
  std::vector<std::string> inputs, keys;  ///< as in shared_programs()
  std::string gpu;                        ///< preset or file
  std::vector<std::string> settings;      ///< key=value
  std::uint64_t seed = 1;
  std::string ways_file;                 ///< file with more ways; empty: none
  std::vector<std::string> chosen = {};  ///< ways or kinds of ways; empty: all
  Bytes memory = 0;                      ///< limit of a run's estimated memory
  /// Replaces `inputs`: a workload as text (YAML), whose applications are the programs and whose variants are the ways.
  std::string workload = {};
  std::string no_way = {};  ///< name of a variant of it that is not a way
  bool everywhere = false;  ///< whether every run includes that variant
};

class ShareStudy {
 public:
  /// A way that these programs cannot use, and why.
  struct Refused {
    std::string way, why;
  };

  /// Throws InputError for errors in the programs, the GPU, its settings, or the user's ways.
  explicit ShareStudy(ShareRequest request);

  /// The workload to run, as YAML with each way as a variant. Programs are relaunched until each has completed a pass; those
  /// with loops or phases run once.
  std::string workload_text() const;
  const std::vector<SharedProgram>& programs() const { return programs_.programs; }
  const std::vector<SharingWay>& ways() const { return ways_; }
  const std::vector<Refused>& refused() const { return refused_; }
  bool repeats(std::size_t program) const { return repeats_[program]; }
  /// Launches of the program that only pass the measured time: from a capture, without a demand.
  struct Unknown {
    std::size_t launches = 0, of = 0;
  };
  Unknown unknown(std::size_t program) const;
  /// The GPU with the user's settings.
  const GpuConfig& gpu() const { return alone(0).config; }

  /// Adds a way to ways(), or to refused() and returns false.
  bool add(const SharingWay& way);
  bool has(const std::string& way) const { return runs_.has(key_together(way)); }
  /// The input for making ways.
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
  nlohmann::ordered_json given_;  ///< ShareRequest::workload, without the variants that are ways
  SharedPrograms programs_;
  std::vector<bool> repeats_;
  std::vector<SharingWay> ways_;
  std::vector<Refused> refused_;
  RunSet<std::string> runs_;
};

}  // namespace gputlm
