/// Records of every kernel launch, copy and job that has ended, and their form in files: kernels.csv and result.json use the
/// same descriptions. Times are core cycles; an instant has the same name everywhere.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "models/host/ended.h"
#include "models/host/workload.h"
#include "platform/probes/prediction_tracker.h"
#include "tlm/base/record.h"

namespace gputlm {

inline constexpr Value kCycles{"core cycles"};

/// Instructions per cycle; 0 for no cycles.
inline double ipc(std::uint64_t instructions, Cycle cycles) {
  return cycles ? static_cast<double>(instructions) / static_cast<double>(cycles) : 0.0;
}

/// A response time and its deadline, rounded down to a whole cycle.
struct Response {
  Cycle cycles = 0;
  std::optional<Cycle> deadline;

  Response(Cycle released, Cycle notified, const std::optional<Femtoseconds>& allowed, const Clock& clock)
      : cycles(notified - released), deadline(deadline_cycles(allowed, clock)) {}

  static std::optional<Cycle> deadline_cycles(const std::optional<Femtoseconds>& allowed, const Clock& clock) {
    return allowed ? std::optional(clock.at_or_before(*allowed)) : std::nullopt;
  }
  /// None without a deadline.
  std::optional<bool> met() const { return deadline ? std::optional(cycles <= *deadline) : std::nullopt; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Response::cycles, "response_cycles", kCycles,
            "Time from `released_cycle` to `notified_cycle`, including waiting in its own stream");
    v.field(&Response::deadline, "deadline_cycles", kCycles,
            "Maximum of `response_cycles`, in whole cycles; only with a deadline");
    v.field(&Response::met, "deadline_met", Value{},
            "Whether `response_cycles` does not exceed it; only with a deadline");
  }
};

/// Predictions of Pred_Cycles relative to the actual value, over the SMs on which blocks of a kernel ended.
struct PredictionErrors {
  double least = 0, mean = 0, most = 0;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&PredictionErrors::least, "min", Value{}, "Minimum over SMs of predicted / actual runtime");
    v.field(&PredictionErrors::mean, "mean", Value{}, "Mean over SMs");
    v.field(&PredictionErrors::most, "max", Value{}, "Maximum over SMs");
  }
};

/// The accuracy of a kernel's predicted runtime.
struct PredictionSummary {
  unsigned sms = 0;                ///< number of SMs on which blocks of it ended
  PredictionErrors first;          ///< errors of the first prediction on each SM
  PredictionErrors first_of_last;  ///< errors of the first prediction of the last slice (srtf, figure 11: "/SS")

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = PredictionSummary;
    v.field(&S::sms, "sms", Value{"SMs"}, "Number of SMs on which a block of the kernel ended");
    v.record(&S::first, "first_over_actual", "Ratio of the first prediction, which is not aware of slices");
    v.record(&S::first_of_last, "last_slice_over_actual",
             "Ratio of the first prediction of the last slice (srtf, figure 11)");
  }
};

/// A kernel launch that has ended.
struct KernelRecord {
  KernelId id = 0;
  std::uint32_t command = 0;  ///< index in Workload::launches
  std::uint32_t iteration = 0;
  Cycle released = 0;
  Cycle submitted = 0;
  Cycle arrived = 0;
  Cycle first_block = 0;
  Cycle end = 0;
  Cycle notified = 0;
  BlockCounters counters;
  std::optional<PredictionSummary> prediction;  ///< none if nothing predicts runtimes

  Cycle execution() const { return end - first_block; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = KernelRecord;
    v.field(&S::id, "id", Value{}, "Index in the workload's order of launches; a repetition gets the next free number");
    v.field(&S::iteration, "iteration", Value{}, "Number of earlier launches of its application");
    v.field(&S::released, "released_cycle", kCycles,
            "Time at which it was due: its release time after the start of its phase, or after a relaunch of its "
            "application, even if its stream was not free");
    v.field(&S::submitted, "submitted_cycle", kCycles,
            "Time at which it left the host; launches due in the same cycle leave one per cycle, in the order of their "
            "streams");
    v.field(&S::arrived, "arrived_cycle", kCycles, "Time at which it reached the work distributor");
    v.field(&S::first_block, "first_block_cycle", kCycles, "Time at which its first block started on an SM");
    v.field(&S::end, "end_cycle", kCycles, "Time at which its last block ended");
    v.field(&S::notified, "notified_cycle", kCycles, "Time at which the host noticed the end");
    v.field(&S::execution, "execution_cycles", kCycles, "Time from `first_block_cycle` to `end_cycle`");
  }
};

/// Leaves the prediction empty; it is made elsewhere.
inline KernelRecord record_of(const KernelEnded& ended) {
  const KernelLaunch& k = ended.kernel;
  return {k.identity.kernel, k.command, k.iteration,    k.released, k.submitted, k.arrived,
          k.first_block,     k.end,     ended.notified, k.counters, std::nullopt};
}

/// A kernel launch as it is written to files.
struct KernelRow {
  const KernelRecord& record;
  const Workload& workload;
  const Clock& clock;

  const LaunchCommand& launch() const { return workload.launches[record.command]; }
  const StreamSpec& stream() const { return workload.streams[launch().stream]; }
  const Kernel& kernel() const { return *launch().kernel; }
  Response response() const { return {record.released, record.notified, launch().deadline, clock}; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = KernelRow;
    v.field([](const R& r) { return launch_label(r.workload, r.record.command, r.record.iteration); }, "kernel",
            Value{}, "Label of the launch; repetitions are `LABEL@2`, `LABEL@3` ...");
    v.field([](const R& r) -> const std::string& { return r.kernel().name; }, "name", Value{}, "Name of the kernel");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.stream().application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) -> const std::string& { return r.stream().name; }, "stream", Value{}, "Its stream");
    v.field([](const R& r) { return r.stream().priority; }, "priority", Value{},
            "Priority of the stream; lower is more urgent");
    v.field([](const R& r) { return r.launch().phase; }, "phase", Value{}, "Phase of the workload, from 0");
    v.field([](const R& r) { return extent(r.kernel().grid); }, "grid", Value{"blocks"},
            "Blocks of the grid in x, y and z: `XxYxZ` in CSV, a list in JSON");
    v.field([](const R& r) { return extent(r.kernel().block); }, "block", Value{"threads"},
            "Threads of a block in x, y and z, in the same form");
    v.field([](const R& r) { return r.kernel().registers_per_thread; }, "registers", Value{"registers"},
            "Registers per thread");
    v.field([](const R& r) { return r.kernel().shared_memory; }, "shared_memory_bytes", Value{"bytes"},
            "Shared memory per block");
    v.field([](const R& r) { return r.launch().budget; }, "budget", Value{},
            "Budget of its warps in the warp scheduler; only `qaws` uses it");
    v.part([](const R& r) -> const KernelRecord& { return r.record; });
    v.part(&R::response);
    v.field([](const R& r) { return r.record.counters.instructions; }, "instructions", Value{"warp instructions"},
            "Warp instructions issued");
    v.field([](const R& r) { return ipc(r.record.counters.instructions, r.record.execution()); }, "ipc",
            Value{"warp instructions a core cycle"}, "`instructions` / `execution_cycles`, over the whole GPU");
  }

 private:
  static std::array<std::uint32_t, 3> extent(const Dim3& size) { return {size.x, size.y, size.z}; }
};

/// A copy or memset that has ended.
struct CopyRecord {
  std::uint32_t command = 0;  ///< index in Workload::copies
  std::uint32_t iteration = 0;
  std::uint16_t engine = 0;
  Cycle submitted = 0;
  Cycle arrived = 0;
  Cycle started = 0;
  Cycle ended = 0;
  Cycle notified = 0;

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = CopyRecord;
    v.field(&S::iteration, "iteration", Value{}, "Number of earlier launches of its application");
    v.field(&S::engine, "engine", Value{},
            "Copy engine that did it, from 0; the number after the last one stands for the SMs");
    v.field(&S::submitted, "submitted_cycle", kCycles, "Time at which it left the host");
    v.field(&S::arrived, "arrived_cycle", kCycles, "Time at which it reached the copy engines");
    v.field(&S::started, "start_cycle", kCycles, "Time at which an engine accepted it");
    v.field(&S::ended, "end_cycle", kCycles, "Time at which its last byte was written");
    v.field(&S::notified, "notified_cycle", kCycles, "Time at which the host noticed the end");
  }
};

inline CopyRecord record_of(const CopyEnded& ended) {
  const Copy& c = ended.copy;
  return {c.command, c.iteration, c.engine, c.submitted, c.arrived, c.started, c.ended, ended.notified};
}

/// A copy as it is written to files.
struct CopyRow {
  const CopyRecord& record;
  const Workload& workload;

  const CopyCommand& copy() const { return workload.copies[record.command]; }
  const StreamSpec& stream() const { return workload.streams[copy().stream]; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = CopyRow;
    v.field([](const R& r) { return copy_label(r.workload, r.record.command, r.record.iteration); }, "copy", Value{},
            "Label of the copy; repetitions are `LABEL@2`, `LABEL@3` ...");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.stream().application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) -> const std::string& { return r.stream().name; }, "stream", Value{}, "Its stream");
    v.field([](const R& r) { return to_string(r.copy().kind); }, "kind", Value{},
            "`host_to_device`, `device_to_host`, `device_to_device` or `memset`");
    v.field([](const R& r) { return r.copy().bytes; }, "bytes", Value{"bytes"}, "Bytes copied or set");
    v.field([](const R& r) { return r.copy().pageable; }, "pageable", Value{}, "Whether its host memory is not pinned");
    v.part([](const R& r) -> const CopyRecord& { return r.record; });
  }
};

/// A job as it is written to files.
struct JobRow {
  const JobEnded& record;
  const Workload& workload;
  const Clock& clock;

  const TaskSpec& task() const { return workload.tasks[workload.jobs[record.job].task]; }
  Response response() const { return {record.released, record.notified, task().deadline, clock}; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = JobRow;
    v.field([](const R& r) { return job_label(r.workload, r.record.job, r.record.iteration); }, "job", Value{},
            "`TASK#number`, counted from 1; repetitions are `TASK#number@2` ...");
    v.field([](const R& r) -> const std::string& { return r.task().name; }, "task", Value{}, "Its task");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.task().application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) { return r.record.released; }, "released_cycle", kCycles,
            "Time at which it was due, even if its thread and streams were not free");
    v.field([](const R& r) { return r.record.notified; }, "notified_cycle", kCycles,
            "Time at which the host noticed the end of its last command");
    v.part(&R::response);
  }
};

}  // namespace gputlm
