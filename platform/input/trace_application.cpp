#include "platform/input/trace_application.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "platform/input/kernel_names.h"
#include "platform/input/trace_files.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::size_t kMaxLaunches = 10'000'000;  // including repetitions: a short file must not exhaust the memory

/// Labels of the trace's launches, by number.
std::map<std::size_t, std::string> labels_of(const Trace& trace) {
  std::vector<std::size_t> numbers;
  std::vector<std::string> names;
  for (const TraceCommand& command : trace.commands) {
    if (const auto* kernel = std::get_if<std::shared_ptr<SassKernel>>(&command.what)) {
      numbers.push_back(command.number);
      names.push_back((*kernel)->name);
    }
  }
  std::vector<std::string> full;
  for (const std::string& name : names) full.push_back(demangled(name));
  const std::vector<std::string> shorts = short_names(full);
  std::map<std::size_t, std::string> labels;
  for (std::size_t i = 0; i < names.size(); ++i) labels[numbers[i]] = full[i] == names[i] ? names[i] : shorts[i];
  return labels;
}

using TracedKernels = std::vector<std::pair<ApplicationId, std::shared_ptr<const SassKernel>>>;

void tell(const TracedKernels& kernels, std::vector<std::string>& lines) {
  struct Warning {
    std::string text;
    std::uint64_t instructions = 0;
    std::size_t kernels = 0;
  };
  std::vector<Warning> all;
  std::map<std::pair<ApplicationId, std::string>, std::size_t> places;
  for (const auto& [application, kernel] : kernels) {
    for (const SassWarning& warning : kernel->warnings()) {
      const auto [place, is_new] = places.emplace(std::make_pair(application, warning.kind), all.size());
      if (is_new) all.push_back({warning.text});
      all[place->second].instructions += warning.instructions;
      ++all[place->second].kernels;
    }
  }
  for (const Warning& warning : all) {
    const std::string times =
        std::to_string(warning.instructions) + (warning.instructions == 1 ? " instruction" : " instructions");
    const std::string in_kernels = std::to_string(warning.kernels) + " kernels";
    std::string how_often;
    if (warning.kernels > 1) {
      how_often = (warning.instructions ? times + " of " : "so in ") + in_kernels;
    } else if (warning.instructions) {
      how_often = times;
    }
    lines.push_back(warning.text + (how_often.empty() ? "" : " (" + how_often + ")"));
  }
}

class TraceAdder {
 public:
  TraceAdder(const Trace& trace, const TraceRun& run, Workload& workload, LaunchList& launches)
      : trace_(trace), run_(run), workload_(workload), launches_(launches), labels_(labels_of(trace)),
        first_stream_(workload.streams.size()), thread_(workload.threads.size()) {
    workload.threads.push_back({"host", run.application, {}, trace.path});
  }

  void add() {
    if (is_a_task()) {
      TaskSpec task = run_.task;
      if (std::any_of(workload_.tasks.begin(), workload_.tasks.end(),
                      [&](const TaskSpec& t) { return t.name == task.name; }))
        task.name += " (line " + std::to_string(run_.line) + ")";
      task.application = run_.application;
      task.file = run_.file;
      task.line = run_.line;
      workload_.tasks.push_back(std::move(task));
    } else if (run_.releases.front() > 0) {
      call(HostCall::Kind::kWaitUntil, 0, 0, 0).time = run_.releases.front();
    }
    for (std::size_t time = 0; time < run_.releases.size(); ++time) {
      if (is_a_task()) begin_job(time);
      for (const TraceCommand& command : trace_.commands) {
        if (const auto* memcpy = std::get_if<TraceMemcpy>(&command.what)) {
          copy(*memcpy, command);
        } else {
          launch(std::get<std::shared_ptr<SassKernel>>(command.what), command, time);
        }
      }
      if (time + 1 < run_.releases.size()) call(HostCall::Kind::kSynchronizeDevice, 0, 0, 0);
    }
    // A stream that is alone waits for no other.
    if (workload_.streams.size() == first_stream_ + 1) workload_.streams.back().kind = StreamKind::kBlocking;
  }

 private:
  bool is_a_task() const { return !run_.task.name.empty(); }

  HostCall& call(HostCall::Kind kind, StreamId stream, std::size_t what, std::size_t line) {
    return workload_.threads[thread_].calls.emplace_back(
        HostCall{kind, stream, static_cast<std::uint32_t>(what), 0, line});
  }

  StreamId stream_of(std::uint64_t cuda_stream) {
    const auto known = std::find(ids_.begin(), ids_.end(), cuda_stream);
    const auto stream = static_cast<StreamId>(first_stream_ + static_cast<std::size_t>(known - ids_.begin()));
    if (known == ids_.end()) {
      ids_.push_back(cuda_stream);
      const StreamKind kind = cuda_stream == 0 ? StreamKind::kDefault : StreamKind::kBlocking;
      StreamSpec made = run_.stream;
      made.name = "stream " + std::to_string(cuda_stream);
      made.application = run_.application;
      made.kind = kind;
      made.file = run_.file;
      made.line = run_.line;
      workload_.streams.push_back(std::move(made));
    }
    return stream;
  }

  void begin_job(std::size_t time) {
    workload_.jobs.push_back({static_cast<std::uint32_t>(workload_.tasks.size() - 1), static_cast<std::uint32_t>(time),
                              run_.releases[time]});
    call(HostCall::Kind::kReleaseJob, 0, job().value(), 0);
  }
  std::optional<std::uint32_t> job() const {
    return is_a_task() ? std::optional(static_cast<std::uint32_t>(workload_.jobs.size() - 1)) : std::nullopt;
  }

  void copy(const TraceMemcpy& memcpy, const TraceCommand& from) {
    CopyCommand command;
    command.label = run_.label_prefix + "MemcpyHtoD#" + std::to_string(++copies_);
    command.stream = stream_of(0);
    command.to = memcpy.address;
    command.bytes = memcpy.bytes;
    command.blocking = true;  // the tracer records cudaMemcpy
    command.job = job();
    command.file = trace_.path;
    command.line = from.line;
    call(HostCall::Kind::kCopy, command.stream, workload_.copies.size(), from.line);
    workload_.copies.push_back(std::move(command));
  }

  void launch(const std::shared_ptr<SassKernel>& kernel, const TraceCommand& from, std::size_t time) {
    LaunchCommand command = run_.launch;
    command.deadline = std::nullopt;  // the job has the deadline
    command.label = run_.label_prefix + labels_.at(from.number);
    const std::string number = "#" + std::to_string(time * trace_.launches + from.number);
    while (!used_.insert(command.label).second) command.label += number;
    command.stream = stream_of(kernel->cuda_stream());
    command.kernel = kernel;
    command.release = run_.releases[time];
    command.job = job();
    command.file = kernel->path();
    launches_.add(workload_, std::move(command), workload_.threads[thread_].calls.size(), thread_);
  }

  const Trace& trace_;
  const TraceRun& run_;
  Workload& workload_;
  LaunchList& launches_;
  std::map<std::size_t, std::string> labels_;
  std::size_t first_stream_, thread_;
  std::vector<std::uint64_t> ids_;  ///< CUDA's ids of the streams
  std::unordered_set<std::string> used_;
  std::size_t copies_ = 0;
};

}  // namespace

Trace load_trace(const std::string& path, const LaunchNumbers& numbers, Address offset) {
  KernelsList list = find_trace(path);
  Trace trace;
  trace.path = list.path;
  trace.warnings = std::move(list.warnings);
  trace.launches = static_cast<std::size_t>(std::count_if(list.entries.begin(), list.entries.end(), [](const auto& e) {
    return std::holds_alternative<TraceLaunch>(e.command);
  }));
  if (trace.launches == 0) throw InputError(list.path, 0, "the list names no kernel trace; at least one is needed");
  numbers.check(trace.launches);
  std::size_t number = 1;  // number of the launch that the copy belongs to
  for (const KernelsListEntry& entry : list.entries) {
    const bool wanted = numbers.contains(std::min(number, trace.launches));
    if (const auto* copy = std::get_if<TraceMemcpy>(&entry.command)) {
      if (wanted && copy->bytes > 0)
        trace.commands.push_back({entry.line, 0, TraceMemcpy{copy->address + offset, copy->bytes}});
      continue;
    }
    if (wanted) {
      try {
        trace.commands.push_back(
            {entry.line, number, std::make_shared<SassKernel>(std::get<TraceLaunch>(entry.command).path, offset)});
      } catch (const InputError& error) {
        if (entry.line == 0) throw;
        throw InputError(list.path, entry.line, error.what());
      }
    }
    ++number;
  }
  return trace;
}

void add_trace(const Trace& trace, const TraceRun& run, Workload& workload, LaunchList& launches) {
  if (run.releases.size() > kMaxLaunches / trace.commands.size()) {
    throw InputError(run.file, run.line,
                     "found more than " + std::to_string(kMaxLaunches) + " launches, counting each repetition");
  }
  TraceAdder(trace, run, workload, launches).add();
  workload.warnings.insert(workload.warnings.end(), trace.warnings.begin(), trace.warnings.end());
}

std::function<std::vector<std::string>()> late_warnings(const Workload& workload) {
  TracedKernels kernels;
  std::set<const Kernel*> seen;  // repetitions share kernels
  for (const LaunchCommand& launch : workload.launches) {
    auto kernel = std::dynamic_pointer_cast<const SassKernel>(launch.kernel);
    if (kernel && seen.insert(kernel.get()).second)
      kernels.emplace_back(workload.streams[launch.stream].application, std::move(kernel));
  }
  return [lines = workload.warnings, kernels = std::move(kernels)] {
    std::vector<std::string> all = lines;
    tell(kernels, all);
    return all;
  };
}

}  // namespace gputlm
