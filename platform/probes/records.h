/// What is noted of every kernel launch, copy and job that has ended, and how files say it: kernels.csv and result.json of
/// the same descriptions. Times are core cycles; an instant has the same name wherever it is said.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "models/host/ended.h"
#include "models/host/workload.h"
#include "platform/probes/prediction_tracker.h"
#include "tlm/record.h"

namespace gputlm {

inline constexpr Value kCycles{"core cycles"};

/// Instructions in a cycle; 0 where there was none.
inline double ipc(std::uint64_t instructions, Cycle cycles) {
  return cycles ? static_cast<double>(instructions) / static_cast<double>(cycles) : 0.0;
}

/// A response time, and the deadline that it is held against: the last whole cycle that is not behind it.
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
            "From `released_cycle` to `notified_cycle`: waiting behind its own stream included");
    v.field(&Response::deadline, "deadline_cycles", kCycles,
            "That `response_cycles` may be at most, in whole cycles; only with a deadline");
    v.field(&Response::met, "deadline_met", Value{}, "`response_cycles` is no more than that; only with a deadline");
  }
};

/// Predictions of Pred_Cycles as multiples of what happened, over the SMs on which blocks of a kernel ended.
struct PredictionErrors {
  double least = 0, mean = 0, most = 0;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&PredictionErrors::least, "min", Value{}, "Least predicted runtime over the actual one, of the SMs");
    v.field(&PredictionErrors::mean, "mean", Value{}, "Their mean");
    v.field(&PredictionErrors::most, "max", Value{}, "The largest");
  }
};

/// How well the runtime of a kernel was predicted.
struct PredictionSummary {
  unsigned sms = 0;                ///< on which blocks of it ended
  PredictionErrors first;          ///< the first prediction on each SM
  PredictionErrors first_of_last;  ///< the first one of the last slice (srtf, figure 11: "/SS")

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = PredictionSummary;
    v.field(&S::sms, "sms", Value{"SMs"}, "On which a block of the kernel ended");
    v.record(&S::first, "first_over_actual", "Of the first prediction, which is not aware of slices");
    v.record(&S::first_of_last, "last_slice_over_actual", "Of the first one of the last slice (srtf, figure 11)");
  }
};

/// One kernel launch that has ended.
struct KernelRecord {
  KernelId id = 0;
  std::uint32_t command = 0;  ///< its place in Workload::launches
  std::uint32_t iteration = 0;
  Cycle released = 0;
  Cycle submitted = 0;
  Cycle arrived = 0;
  Cycle first_block = 0;
  Cycle end = 0;
  Cycle notified = 0;
  BlockCounters counters;
  std::optional<PredictionSummary> prediction;  ///< none where nobody predicted runtimes

  Cycle execution() const { return end - first_block; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = KernelRecord;
    v.field(&S::id, "id", Value{}, "Place in the workload's order of launches; launched again, the next free number");
    v.field(&S::iteration, "iteration", Value{}, "How often its application had been launched before");
    v.field(&S::released, "released_cycle", kCycles,
            "It was due: its release time after the start of its phase, or after its application was launched again, "
            "whether or not its stream was free");
    v.field(&S::submitted, "submitted_cycle", kCycles,
            "It left the host; of launches due in the same cycle, one a cycle in the order of their streams");
    v.field(&S::arrived, "arrived_cycle", kCycles, "It reached the work distributor");
    v.field(&S::first_block, "first_block_cycle", kCycles, "Its first block started on an SM");
    v.field(&S::end, "end_cycle", kCycles, "Its last block ended");
    v.field(&S::notified, "notified_cycle", kCycles, "The host knew");
    v.field(&S::execution, "execution_cycles", kCycles, "From `first_block_cycle` to `end_cycle`");
  }
};

/// Without a prediction: it is made elsewhere.
inline KernelRecord record_of(const KernelEnded& ended) {
  const KernelLaunch& k = ended.kernel;
  return {k.identity.kernel, k.command, k.iteration,    k.released, k.submitted, k.arrived,
          k.first_block,     k.end,     ended.notified, k.counters, std::nullopt};
}

/// A kernel launch in files.
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
            Value{}, "Label of the launch; launched again, `LABEL@2`, `LABEL@3` ...");
    v.field([](const R& r) -> const std::string& { return r.kernel().name; }, "name", Value{}, "Of the kernel");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.stream().application].name; },
            "application", Value{}, "Whose it is");
    v.field([](const R& r) -> const std::string& { return r.stream().name; }, "stream", Value{}, "That it was in");
    v.field([](const R& r) { return r.stream().priority; }, "priority", Value{}, "Of the stream: lower is more urgent");
    v.field([](const R& r) { return r.launch().phase; }, "phase", Value{}, "Of the workload, from 0");
    v.field([](const R& r) { return extent(r.kernel().grid); }, "grid", Value{"blocks"},
            "x, y and z: `XxYxZ` in CSV, a list in JSON");
    v.field([](const R& r) { return extent(r.kernel().block); }, "block", Value{"threads"}, "Likewise");
    v.field([](const R& r) { return r.kernel().registers_per_thread; }, "registers", Value{"registers"}, "Of a thread");
    v.field([](const R& r) { return r.kernel().shared_memory; }, "shared_memory_bytes", Value{"bytes"}, "Of a block");
    v.field([](const R& r) { return r.launch().budget; }, "budget", Value{},
            "Of its warps in the warp scheduler; only `qaws` heeds it");
    v.part([](const R& r) -> const KernelRecord& { return r.record; });
    v.part(&R::response);
    v.field([](const R& r) { return r.record.counters.instructions; }, "instructions", Value{"warp instructions"},
            "Issued");
    v.field([](const R& r) { return ipc(r.record.counters.instructions, r.record.execution()); }, "ipc",
            Value{"warp instructions a core cycle"}, "`instructions` / `execution_cycles`, over the whole GPU");
  }

 private:
  static std::array<std::uint32_t, 3> extent(const Dim3& size) { return {size.x, size.y, size.z}; }
};

/// One copy or memset that has ended.
struct CopyRecord {
  std::uint32_t command = 0;  ///< its place in Workload::copies
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
    v.field(&S::iteration, "iteration", Value{}, "How often its application had been launched before");
    v.field(&S::engine, "engine", Value{}, "The copy engine that did it, from 0; behind the last one, the SMs");
    v.field(&S::submitted, "submitted_cycle", kCycles, "It left the host");
    v.field(&S::arrived, "arrived_cycle", kCycles, "It reached the copy engines");
    v.field(&S::started, "start_cycle", kCycles, "The engine took it");
    v.field(&S::ended, "end_cycle", kCycles, "Its last byte was written");
    v.field(&S::notified, "notified_cycle", kCycles, "The host knew");
  }
};

inline CopyRecord record_of(const CopyEnded& ended) {
  const Copy& c = ended.copy;
  return {c.command, c.iteration, c.engine, c.submitted, c.arrived, c.started, c.ended, ended.notified};
}

/// A copy in files.
struct CopyRow {
  const CopyRecord& record;
  const Workload& workload;

  const CopyCommand& copy() const { return workload.copies[record.command]; }
  const StreamSpec& stream() const { return workload.streams[copy().stream]; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = CopyRow;
    v.field([](const R& r) { return copy_label(r.workload, r.record.command, r.record.iteration); }, "copy", Value{},
            "Label of the copy; launched again, `LABEL@2`, `LABEL@3` ...");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.stream().application].name; },
            "application", Value{}, "Whose it is");
    v.field([](const R& r) -> const std::string& { return r.stream().name; }, "stream", Value{}, "That it was in");
    v.field([](const R& r) { return to_string(r.copy().kind); }, "kind", Value{},
            "`host_to_device`, `device_to_host`, `device_to_device` or `memset`");
    v.field([](const R& r) { return r.copy().bytes; }, "bytes", Value{"bytes"}, "That were copied or set");
    v.field([](const R& r) { return r.copy().pageable; }, "pageable", Value{}, "Its host memory is not pinned");
    v.part([](const R& r) -> const CopyRecord& { return r.record; });
  }
};

/// A job in files.
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
            "`TASK#number`, counted from 1; launched again, `TASK#number@2` ...");
    v.field([](const R& r) -> const std::string& { return r.task().name; }, "task", Value{}, "That it is of");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.task().application].name; },
            "application", Value{}, "Whose it is");
    v.field([](const R& r) { return r.record.released; }, "released_cycle", kCycles,
            "It was due, whether or not its thread and streams were free");
    v.field([](const R& r) { return r.record.notified; }, "notified_cycle", kCycles,
            "The host knew that the last of its commands had ended");
    v.part(&R::response);
  }
};

}  // namespace gputlm
