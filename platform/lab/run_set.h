/// A set of runs, whose results are found by key.
///
///   RunSet<std::pair<std::string, unsigned>> runs;
///   for (...) runs.add({policy, budget}, {gpu, workload});
///   runs.run(options);
///   runs.result({"qaws", 8}).kernels
///
/// A key has an order, or is an aggregate that tlm/base/bytes.h takes.
///
/// `Request` is the type of a run: Run, or an experiment's own type. It has
///
///   using Result = ...;
///   Job job() const;                               // the request must outlive it
///   static Result result(std::string_view bytes);  // from the bytes that the job returned
///
/// A run of a whole GPU, to which `--set` applies and whose SM model may need durations, also has
///
///   GpuRun gpu_run();
///
/// Other types have nothing to set: JobOptions::settings are an InputError.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "models/sm/blocks/table.h"
#include "platform/input/preset.h"
#include "platform/lab/calibration.h"
#include "platform/lab/jobs.h"
#include "platform/run/result.h"
#include "tlm/base/bytes.h"
#include "tlm/base/error.h"

namespace gputlm {

/// Digests (tlm/base/digest.h) of everything that a result depends on.
struct RunDigests {
  std::string program;        ///< digest of the program (program_digest())
  std::string configuration;  ///< digest of the GPU's configuration
  std::string inputs;         ///< digest of the workload, its kernels and the seed; empty if a kernel has no digest
};

/// A workload on a GPU, from start to end.
struct Run {
  GpuConfig config;
  Workload workload;
  bool keep_blocks = true;        ///< fill RunResult::blocks
  bool keep_predictions = false;  ///< fill RunResult::predictions
  /// Durations for an SM model that needs them, instead of the file of sm.durations.
  std::shared_ptr<const DurationTable> durations = nullptr;

  using Result = RunResult;
  GpuRun gpu_run();
  RunDigests digests() const;
  /// The job's id is a digest of these digests. A run that does not end throws std::runtime_error.
  Job job() const;
  static RunResult result(std::string_view bytes);
};

template <class Request, class = void>
struct IsGpuRun : std::false_type {};
template <class Request>
struct IsGpuRun<Request, std::void_t<decltype(std::declval<Request&>().gpu_run())>> : std::true_type {};

/// The order of keys: their own, or else the order of their bytes (tlm/base/bytes.h), so that a key names its members once.
template <class Key, class = void>
struct KeyOrder {
  bool operator()(const Key& a, const Key& b) const { return bytes_of("", a) < bytes_of("", b); }
};
template <class Key>
struct KeyOrder<Key, std::void_t<decltype(std::declval<const Key&>() < std::declval<const Key&>())>> : std::less<Key> {
};

template <class Key, class Request = Run>
class RunSet {
 public:
  using Result = typename Request::Result;

  /// Throws std::logic_error if the set already has the key.
  void add(const Key& key, Request request) {
    if (!entries_.emplace(key, Entry{std::move(request), {}, false}).second) {
      throw std::logic_error("two runs of a set have the same key");
    }
    order_.push_back(key);
  }
  bool has(const Key& key) const { return entries_.count(key) > 0; }
  std::size_t size() const { return order_.size(); }
  /// In the order in which they were added.
  const std::vector<Key>& keys() const { return order_; }

  /// Gives the runs that were added since the last call the settings and durations that run() gives them, so that their jobs
  /// are those of run().
  void prepare(const JobOptions& options) {
    if constexpr (IsGpuRun<Request>::value) {
      std::vector<GpuRun> runs;
      for (Entry* const entry : undone()) runs.push_back(entry->request.gpu_run());
      gputlm::prepare(runs, options);
    } else if (!options.settings.empty()) {
      throw InputError("--set: found '" + options.settings.front() + "', but these runs are not of a whole GPU");
    }
  }

  /// Carries out the runs that were added since the last call. Throws as carry_out() does.
  void run(const JobOptions& options) {
    prepare(options);
    const std::vector<Entry*> entries = undone();
    std::vector<Job> jobs;
    for (const Entry* const entry : entries) jobs.push_back(entry->request.job());
    const std::vector<std::string> bytes = carry_out(jobs, options);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i]->result = Request::result(bytes[i]);
      entries[i]->done = true;
    }
  }

  /// Both throw std::logic_error if the key was not added, or its run was not carried out.
  const Result& result(const Key& key) const {
    const Entry& entry = entry_of(key);
    if (!entry.done) throw std::logic_error("a run of a set is asked for its result before it has run");
    return entry.result;
  }
  const Request& request(const Key& key) const { return entry_of(key).request; }

 private:
  struct Entry {
    Request request;
    Result result;
    bool done;
  };
  std::vector<Entry*> undone() {
    std::vector<Entry*> entries;
    for (const Key& key : order_) {
      Entry& entry = entries_.at(key);
      if (!entry.done) entries.push_back(&entry);
    }
    return entries;
  }
  const Entry& entry_of(const Key& key) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) throw std::logic_error("a set has no run with this key");
    return found->second;
  }

  std::map<Key, Entry, KeyOrder<Key>> entries_;
  std::vector<Key> order_;
};

}  // namespace gputlm
