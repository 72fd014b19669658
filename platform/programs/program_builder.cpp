#include "platform/programs/program_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include "models/kernel/program.h"
#include "platform/input/kernel_names.h"
#include "tlm/base/error.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

using Kind = MeasuredCall::Kind;

constexpr Nanoseconds kMaxLength = std::int64_t{3'600'000'000'000};  // an hour
constexpr Nanoseconds kMaxAway = kMaxLength / 2;                     // maximum distance from other commands
constexpr Nanoseconds kLatest = Nanoseconds{1} << 62;                // times may count from 1970: this is in 2116
constexpr std::size_t kMaxCommands = 10'000'000;
constexpr std::uint64_t kMpsShare = 0;  // not used by green contexts

bool is_within(const Dim3& shape, const Dimensions& allowed) {
  const std::uint32_t sizes[] = {shape.x, shape.y, shape.z};
  for (std::size_t i = 0; i < 3; ++i) {
    if (sizes[i] < 1 || sizes[i] > allowed.most[i]) return false;
  }
  return true;
}

}  // namespace

std::uint64_t choose_device(const std::map<std::uint64_t, std::size_t>& commands, std::optional<std::uint64_t> wanted,
                            ProgramBuilder& builder) {
  std::string there;
  for (const auto& [device, count] : commands) there += (there.empty() ? "" : ", ") + std::to_string(device);
  if (wanted && commands.count(*wanted) == 0)
    throw InputError(
        "--device", 0,
        "found " + std::to_string(*wanted) + ", allowed: " + there + ", the devices with kernels in " + builder.path());
  const auto most = std::max_element(commands.begin(), commands.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::uint64_t device = wanted ? *wanted : most != commands.end() ? most->first : 0;
  if (commands.size() > 1)
    builder.warn("has kernels of devices " + there + "; using those of device " + std::to_string(device) +
                 " (--device)");
  return device;
}

std::string CapturePlace::text() const { return fmt::format("{}, {} {}", list, item, number); }

void ProgramBuilder::note(const std::string& what, const CapturePlace& place) {
  const auto [at, is_new] = notes_.emplace(what, program_.notes.size());
  if (is_new) program_.notes.push_back({what, 0, place.text()});
  ++program_.notes[at->second].count;
}

bool ProgramBuilder::leave_out(const std::string& why, const CapturePlace& place) {
  note(why + "; they are left out", place);
  return false;
}

std::size_t ProgramBuilder::stream(std::uint64_t process, std::uint64_t context, std::uint64_t id) {
  const auto [at, is_new] = places_.emplace(std::make_tuple(process, context, id), program_.streams.size());
  if (is_new) {
    MeasuredStream& made = program_.streams.emplace_back();
    made.process = process;
    made.context = context;
    made.id = id;
  }
  return at->second;
}

MeasuredStream* ProgramBuilder::find_stream(std::uint64_t process, std::uint64_t context, std::uint64_t id) {
  const auto found = places_.find({process, context, id});
  return found == places_.end() ? nullptr : &program_.streams[found->second];
}

std::size_t ProgramBuilder::share(std::uint64_t process, std::uint64_t id) {
  const auto [at, is_new] = shares_.emplace(std::make_pair(process, id), program_.shares.size());
  if (is_new) program_.shares.push_back({process, id});
  return at->second;
}

void ProgramBuilder::set_gpu(MeasuredGpu gpu, std::optional<double> percent) {
  program_.gpu = std::move(gpu);
  percent_ = percent;
}

void ProgramBuilder::share_by_percentage() {
  if (!percent_ || !program_.gpu.sms) return;
  const auto sms = static_cast<unsigned>(std::ceil(*percent_ / 100 * *program_.gpu.sms));
  for (MeasuredCommand& command : program_.commands) {
    auto* const kernel = std::get_if<MeasuredKernel>(&command.what);
    if (!kernel || kernel->share) continue;
    kernel->share = share(program_.streams[command.stream].process, kMpsShare);
    program_.shares[*kernel->share].sms = sms;
  }
}

bool ProgramBuilder::can_be(const MeasuredCommand& command, const CapturePlace& place) {
  // CUPTI writes 0 for a time that it could not collect (CUpti_ActivityKernel: "If both the start and end timestamps for the
  // kernel are 0, timestamp information could not be collected").
  if (command.start <= 0 || command.end <= 0 || command.end > kLatest)
    return leave_out("commands have no start or no end", place);
  if (command.end < command.start) return leave_out("commands end before they start", place);
  if (const MeasuredCopy* copy = command.copy(); copy && copy->bytes > kMaxAllocated)
    return leave_out(fmt::format("copies have an impossible size (allowed: up to {} bytes)", kMaxAllocated), place);
  const MeasuredKernel* const kernel = command.kernel();
  return !kernel || can_be(*kernel, place);
}

bool ProgramBuilder::can_be(const MeasuredKernel& kernel, const CapturePlace& place) {
  if (kernel.unknown_shape) return true;
  if (!is_within(kernel.grid, kGridShape) || kernel.grid.count() > kMaxIterations)
    return leave_out("kernels have an impossible grid", place);
  if (!is_within(kernel.block, kBlockShape) || kernel.block.count() > kMaxThreadsPerBlock)
    return leave_out("kernels have an impossible block", place);
  if (kernel.registers > kMaxRegisters)
    return leave_out(fmt::format("kernels have more than {} registers per thread", kMaxRegisters), place);
  if (kernel.shared_memory > kMaxSharedMemory)
    return leave_out(fmt::format("kernels have more than {} bytes of shared memory", kMaxSharedMemory), place);
  return true;
}

bool ProgramBuilder::add(MeasuredCommand command, std::optional<std::uint64_t> correlation, const CapturePlace& place) {
  if (!can_be(command, place)) return false;
  if (program_.commands.size() == kMaxCommands)
    throw InputError(program_.path, 0, fmt::format("has more than {} kernels and copies", kMaxCommands));
  if (auto* const kernel = std::get_if<MeasuredKernel>(&command.what)) {
    kernel->name = demangled(kernel->name);
    if (!kernel->name.empty() && !is_plain_text(kernel->name)) {
      note("kernels have a name that is not text; they are called 'kernel'", place);
      kernel->name.clear();
    }
    if (kernel->name.empty()) kernel->name = "kernel";
    const Dim3& cluster = kernel->cluster;
    if (cluster.count() == 0) kernel->cluster = {};
  } else if (const MeasuredCopy* copy = command.copy(); copy && copy->bytes == 0) {
    return true;  // it moves nothing
  }
  program_.commands.push_back(std::move(command));
  correlations_.push_back(correlation);
  return true;
}

void ProgramBuilder::add(const CapturedCall& call, const CapturePlace& place) {
  if (call.start <= 0 || call.end < call.start) {
    leave_out("calls have no start, or end before it", place);
    return;
  }
  const auto [at, is_new] = call_of_.emplace(Correlation{call.process, call.correlation}, calls_.size());
  if (!is_new) {  // a call nested in another one of the same number: it begins with the outer call
    Call& known = calls_[at->second];
    known.start = known.entered = std::min(known.start, call.start);
    known.end = std::max(known.end, call.end);
    return;
  }
  Call made;
  made.start = made.entered = call.start;
  made.end = call.end;
  made.process = call.process;
  made.thread = call.thread;
  made.api = host_api(call.name);
  made.place = place;
  calls_.push_back(made);
}

void ProgramBuilder::full_queue(std::uint64_t process, std::uint64_t correlation, Nanoseconds end) {
  Call* const call = call_of({process, correlation});
  if (call && end > call->start && end <= call->end) call->entered = end;
}

void ProgramBuilder::add_record(std::uint64_t correlation, const CapturedStream& stream, const CapturedEvent& event,
                                const CapturePlace& place) {
  records_.push_back({{stream.process, correlation}, stream, event, place});
}

void ProgramBuilder::add_wait(Kind kind, std::uint64_t correlation, const CapturedStream& stream,
                              const std::optional<CapturedEvent>& event, const CapturePlace& place) {
  waits_.push_back({{stream.process, correlation}, kind, stream, event, place});
}

void ProgramBuilder::add(MeasuredRange range, const CapturePlace& place) {
  if (range.end < range.start) {
    leave_out("ranges end before they start", place);
    return;
  }
  if (!is_plain_text(range.name)) return;
  program_.ranges.push_back(std::move(range));
  range_places_.push_back(place);
}

ProgramBuilder::Call* ProgramBuilder::call_of(const Correlation& correlation) {
  const auto found = call_of_.find(correlation);
  return found == call_of_.end() ? nullptr : &calls_[found->second];
}

Program ProgramBuilder::finish(const std::map<std::uint64_t, std::string>& process_names) {
  order_commands();
  link_commands();
  link_records();
  link_waits();
  for (Call& call : calls_) explain(call);
  share_by_percentage();
  order_streams();
  make_threads();
  order_ranges();
  label();
  check_length();
  std::map<std::uint64_t, std::string> names;
  for (const MeasuredStream& stream : program_.streams) {
    const auto known = process_names.find(stream.process);
    const bool usable = known != process_names.end() && !known->second.empty() && is_plain_text(known->second);
    names[stream.process] = usable ? known->second : "process " + std::to_string(stream.process);
  }
  for (auto& [process, name] : names) program_.process_names.push_back(std::move(name));
  return std::move(program_);
}

void ProgramBuilder::order_commands() {
  std::vector<std::size_t> order(program_.commands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return program_.commands[a].start < program_.commands[b].start;
  });
  std::vector<MeasuredCommand> commands;
  std::vector<std::optional<std::uint64_t>> correlations;
  commands.reserve(order.size());
  for (const std::size_t number : order) {
    commands.push_back(std::move(program_.commands[number]));
    correlations.push_back(correlations_[number]);
  }
  program_.commands = std::move(commands);
  correlations_ = std::move(correlations);
}

void ProgramBuilder::link_commands() {
  std::map<const Call*, std::size_t> last;  // last command of a call
  for (std::size_t i = 0; i < program_.commands.size(); ++i) {
    MeasuredCommand& command = program_.commands[i];
    Call* const call =
        correlations_[i] ? call_of({program_.streams[command.stream].process, *correlations_[i]}) : nullptr;
    if (!call || command.start - call->start > kMaxAway) continue;
    command.called = std::min(call->start, command.start);
    const auto [before, is_first] = last.emplace(call, i);
    if (is_first) {
      call->kind = Kind::kCommands;
      call->means = true;
      call->what = i;
      call->stream = command.stream;
    } else {
      program_.commands[before->second].next = i;
      before->second = i;
    }
    auto* const copy = std::get_if<MeasuredCopy>(&command.what);
    const bool of_host = copy && (copy->kind == CopyKind::kHostToDevice || copy->kind == CopyKind::kDeviceToHost);
    // CUDA Runtime API, "API synchronization behavior": copies within the device and memsets do not block the host; a copy
    // from pageable memory may return after staging, before it has ended.
    if (of_host && (call->api == HostApi::kBlockingCopy || copy->pageable)) call->waits = call->end >= command.end;
    if (of_host && copy->pageable) copy->staged = call->end < command.end;
  }
}

std::optional<std::size_t> ProgramBuilder::any_stream(const CapturedStream& of) const {
  const auto first = places_.lower_bound({of.process, of.context, 0});
  if (first == places_.end() || std::get<0>(first->first) != of.process || std::get<1>(first->first) != of.context)
    return std::nullopt;
  return first->second;
}

bool ProgramBuilder::has_process(std::uint64_t process) const {
  const auto first = places_.lower_bound({process, 0, 0});
  return first != places_.end() && std::get<0>(first->first) == process;
}

void ProgramBuilder::link_records() {
  for (std::size_t r = 0; r < records_.size(); ++r) {
    Record& record = records_[r];
    if (!any_stream(record.stream)) continue;
    record.call = call_of(record.correlation);
    if (!record.call) {
      note("records of events have no call in the capture; waits for them are dropped", record.place);
      continue;
    }
    records_of_[{record.correlation.first, record.event.id}].push_back(r);
    if (record.event.sync) record_of_sync_.emplace(Correlation{record.correlation.first, record.event.sync}, r);
  }
  for (auto& [event, records] : records_of_) {
    std::stable_sort(records.begin(), records.end(),
                     [&](std::size_t a, std::size_t b) { return records_[a].call->start < records_[b].call->start; });
  }
}

ProgramBuilder::Record* ProgramBuilder::record_of(std::uint64_t process, const CapturedEvent& event,
                                                  Nanoseconds before) {
  if (event.sync) {
    const auto same = record_of_sync_.find({process, event.sync});
    if (same != record_of_sync_.end() && records_[same->second].event.id == event.id) return &records_[same->second];
  }
  const auto found = records_of_.find({process, event.id});
  if (found == records_of_.end()) return nullptr;
  // A wait refers to the latest record of the event made before it (CUDA Runtime API, cudaStreamWaitEvent).
  const std::vector<std::size_t>& records = found->second;
  const auto behind =
      std::upper_bound(records.begin(), records.end(), before,
                       [&](Nanoseconds time, std::size_t record) { return time < records_[record].call->start; });
  if (behind == records.begin()) return nullptr;
  Record& latest = records_[*std::prev(behind)];
  return event.sync && latest.event.sync ? nullptr : &latest;
}

void ProgramBuilder::link_waits() {
  struct Linked {
    const Wait* wait;
    Call* call;
    std::optional<std::size_t> event;
  };
  std::vector<Linked> all;
  for (const Wait& wait : waits_) {
    Call* const call = call_of(wait.correlation);
    if (!any_stream(wait.stream)) {
      if (call) call->api = HostApi::kOther;  // it waits for another device, which needs no explanation
      continue;
    }
    if (!call) {
      note("waits have no call in the capture; they are left out", wait.place);
      continue;
    }
    if (call->api == HostApi::kQuery || call->means) continue;  // a call with commands waits for its commands
    call->api = HostApi::kOther;
    if (wait.kind != Kind::kWaitEvent && wait.kind != Kind::kSynchronizeEvent) {
      all.push_back({&wait, call, std::nullopt});
      continue;
    }
    Record* const record = wait.event ? record_of(wait.correlation.first, *wait.event, call->start) : nullptr;
    if (record) {
      all.push_back({&wait, call, event_of(*record)});
    } else {  // explain() reports it
      call->api = wait.kind == Kind::kWaitEvent ? HostApi::kWaitEvent : HostApi::kSynchronizeEvent;
    }
  }
  for (const Linked& linked : all) {  // now all streams are known, including those with only events
    const CapturedStream& of = linked.wait->stream;
    const bool of_stream = linked.wait->kind == Kind::kWaitEvent || linked.wait->kind == Kind::kSynchronizeStream;
    if (of_stream && !find_stream(of.process, of.context, of.id.value_or(0))) continue;  // the stream is empty
    linked.call->kind = linked.wait->kind;
    linked.call->stream = of_stream ? stream(of.process, of.context, of.id.value_or(0)) : *any_stream(of);
    linked.call->what = linked.event.value_or(0);
    linked.call->means = true;
  }
}

/// The event of a record that a wait refers to.
std::size_t ProgramBuilder::event_of(Record& record) {
  if (!record.number) {
    record.number = program_.events++;
    record.call->kind = Kind::kRecordEvent;
    record.call->stream = stream(record.stream.process, record.stream.context, record.stream.id.value_or(0));
    record.call->what = *record.number;
    record.call->means = true;
  }
  return *record.number;
}

std::optional<std::size_t> ProgramBuilder::only_stream(std::uint64_t process, bool context) const {
  std::optional<std::size_t> only;
  for (std::size_t s = 0; s < program_.streams.size(); ++s) {
    const MeasuredStream& stream = program_.streams[s];
    if (stream.process != process) continue;
    if (only && (!context || program_.streams[*only].context != stream.context)) return std::nullopt;
    only = s;
  }
  return only;
}

/// Interprets a call of which only the name was recorded.
void ProgramBuilder::explain(Call& call) {
  if (call.means || !has_process(call.process)) return;
  const bool device = call.api == HostApi::kSynchronizeDevice || call.api == HostApi::kFree;
  if (device || call.api == HostApi::kSynchronizeStream) {
    const auto stream = only_stream(call.process, device);
    if (stream) {
      call.kind = device ? Kind::kSynchronizeDevice : Kind::kSynchronizeStream;
      call.implied = call.api == HostApi::kFree;
      call.stream = *stream;
      call.means = true;
    } else if (call.api != HostApi::kFree) {
      note("calls wait for a stream that the capture does not name; their duration does not change", call.place);
    }
  } else if (call.api == HostApi::kSynchronizeEvent) {
    note("calls wait for an event whose recording is not in the capture; their duration does not change", call.place);
  } else if (call.api == HostApi::kWaitEvent) {
    note("streams wait for an event whose recording is not in the capture; the wait is left out", call.place);
  }
}

void ProgramBuilder::make_threads() {
  std::map<std::pair<std::uint64_t, std::uint64_t>, MeasuredThread> threads;
  for (const Call& call : calls_) {
    MeasuredThread& thread = threads[{call.process, call.thread}];
    thread.process = call.process;
    thread.id = call.thread;
    if (call.means && is_near(call.start, call.end, "calls", call.place)) thread.calls.push_back(call);
  }
  for (auto& [key, thread] : threads) {
    if (thread.calls.empty()) continue;
    if (const auto name = thread_names_.find(key); name != thread_names_.end() && is_plain_text(name->second))
      thread.name = name->second;
    std::stable_sort(thread.calls.begin(), thread.calls.end(),
                     [](const MeasuredCall& a, const MeasuredCall& b) { return a.start < b.start; });
    program_.threads.push_back(std::move(thread));
  }
}

/// A session may last days, but 64 bits of femtoseconds hold only two and a half hours.
bool ProgramBuilder::is_near(Nanoseconds start, Nanoseconds end, const char* what, const CapturePlace& place) {
  if (program_.commands.empty()) return true;
  const Nanoseconds first = program_.commands.front().start;
  return (start >= first - kMaxAway && end <= first + kMaxLength + kMaxAway) ||
         leave_out(fmt::format("{} are more than half an hour away from all commands", what), place);
}

void ProgramBuilder::order_ranges() {
  std::vector<MeasuredRange> near;
  for (std::size_t r = 0; r < program_.ranges.size(); ++r) {
    MeasuredRange& range = program_.ranges[r];
    if (is_near(range.start, range.end, "ranges", range_places_[r])) near.push_back(std::move(range));
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const MeasuredRange& a, const MeasuredRange& b) { return a.start < b.start; });
  program_.ranges = std::move(near);
}

/// Renumbers streams, which were numbered in the order of appearance, in the order of their keys.
void ProgramBuilder::order_streams() {
  std::vector<MeasuredStream> ordered;
  std::vector<std::size_t> place(places_.size());
  for (const auto& [key, number] : places_) {
    place[number] = ordered.size();
    ordered.push_back(program_.streams[number]);
  }
  program_.streams = std::move(ordered);
  for (MeasuredCommand& command : program_.commands) command.stream = place[command.stream];
  for (Call& call : calls_) {
    if (call.means) call.stream = place[call.stream];
  }
}

void ProgramBuilder::label() {
  std::vector<std::string> names;
  for (const MeasuredCommand& command : program_.commands) {
    if (const MeasuredKernel* kernel = command.kernel()) names.push_back(kernel->name);
  }
  names = short_names(names);
  std::map<std::string, std::size_t> total, number;
  for (const std::string& name : names) ++total[name];
  const bool numbered = std::any_of(names.begin(), names.end(),
                                    [](const std::string& name) { return name.find('#') != std::string::npos; });
  std::size_t kernels = 0, copies = 0;
  for (MeasuredCommand& command : program_.commands) {
    if (command.kernel()) {
      const std::string& name = names[kernels++];
      command.label = name + (total[name] > 1 ? "#" + std::to_string(++number[name]) : "");
    } else {
      command.label = std::string(to_string(command.copy()->kind)) + "#" + std::to_string(++copies);
    }
  }
  if (numbered) tell_labels_apart();
}

/// A name may contain a number of its own, as lambdas do.
void ProgramBuilder::tell_labels_apart() {
  std::set<std::string_view> labels;
  for (MeasuredCommand& command : program_.commands) {
    while (labels.count(command.label) > 0) command.label += "'";
    labels.insert(command.label);
  }
}

void ProgramBuilder::check_length() const {
  if (program_.commands.empty()) return;
  const Nanoseconds first = program_.commands.front().start;
  for (const MeasuredCommand& command : program_.commands) {
    if (command.end - first > kMaxLength)
      throw InputError(program_.path, 0,
                       "'" + shortened(command.label) + "' ends more than an hour after the first command starts");
  }
}

}  // namespace gputlm
