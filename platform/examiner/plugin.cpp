#include "platform/examiner/plugin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/kernel/program_kernel.h"

namespace gputlm {

using Kind = HostCall::Kind;

const YamlNode& PluginParameters::needed_info() const {
  if (!info) entry.fail("key 'additional_info' is missing");
  return *info;
}

std::uint64_t PluginParameters::number_or(const FormatField& field, std::uint64_t otherwise, std::uint64_t most) const {
  const auto given = entry.find(field);
  if (!given || (given->is_text() && given->possibly_empty_text().empty())) return otherwise;
  return examiner::whole_number(*given, 0, most);
}

void PluginParameters::need_data(Bytes least) const {
  if (data_size < least)
    entry.at(examiner::benchmark::kData)
        .fail("found " + std::to_string(data_size) + ", allowed: " + std::to_string(least) + " or more");
}

Dim3 PluginParameters::block_shape() const {
  if (threads.count() == 0 || threads.count() > kMaxThreadsPerBlock)
    entry.at(examiner::benchmark::kThreads)
        .fail("found " + std::to_string(threads.count()) + " threads, allowed: 1 to 1024");
  return threads;
}

Dim3 PluginParameters::grid_shape() const {
  constexpr std::uint64_t kMax = 0xffffffff;
  if (blocks.count() == 0 || blocks.count() > kMax)
    entry.at(examiner::benchmark::kBlocks)
        .fail("found " + std::to_string(blocks.count()) + " blocks, allowed: 1 to 2^32 - 1");
  return blocks;
}

std::string WorkloadBuilder::unique(Named kind, const std::string& name) {
  const unsigned number = ++names_[{kind, name}];
  return number == 1 ? name : unique(kind, name + "#" + std::to_string(number));
}

Address WorkloadBuilder::allocate(Bytes bytes) {
  constexpr Bytes kAlignment = Bytes{2} << 20;  // cudaMalloc's alignment of large allocations
  const Address address = next_;
  next_ += (std::max<Bytes>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  return address;
}

StreamId WorkloadBuilder::null_stream(ApplicationId application) {
  const auto [at, added] = null_streams_.try_emplace(application, static_cast<StreamId>(workload.streams.size()));
  if (added) {
    StreamSpec stream;
    stream.name = unique(Named::kStream, "NULL stream");
    stream.application = application;
    stream.kind = StreamKind::kDefault;
    workload.streams.push_back(std::move(stream));
  }
  return at->second;
}

void WorkloadBuilder::call(std::size_t thread, Kind kind, StreamId stream, std::size_t what, Femtoseconds time,
                           std::uint32_t count) {
  workload.threads[thread].calls.push_back({kind, stream, static_cast<std::uint32_t>(what), time, 0, count});
}

void PluginProgram::check_keys(const YamlNode& object, const char* place) {
  if (remark_.empty()) examiner::note_unknown_keys(object, place, builder_.workload.warnings);
}

void PluginProgram::warn(const std::string& what) {
  const YamlNode& entry = parameters_.entry;
  if (remark_.empty())
    builder_.workload.warnings.push_back(entry.file() + ":" + std::to_string(entry.line()) + ": " + parameters_.label +
                                         ": " + what);
}

void PluginProgram::use_null_stream() {
  stream_in_use_ = builder_.null_stream(builder_.workload.threads[benchmark_.thread].application);
}

void PluginProgram::drop_mask() {
  if (mask_) warn("sm_mask has no effect: the plug-in's kernels are in a stream without it");
  mask_ = std::nullopt;
}

void PluginProgram::launch(PluginKernel kernel, bool synchronized) {
  ProgramSpec spec;
  spec.name = kernel.name;
  spec.grid = kernel.grid;
  spec.block = kernel.block;
  spec.shared_memory = kernel.shared_memory;
  spec.body = std::move(kernel.body);
  spec.patterns = std::move(kernel.patterns);
  spec.file = parameters_.entry.file();
  spec.line = parameters_.entry.line();
  LaunchCommand launch;
  launch.label = builder_.unique(WorkloadBuilder::Named::kLaunch,
                                 (kernel.label.empty() ? parameters_.label : kernel.label) + remark_);
  launch.stream = stream();
  launch.kernel = std::make_shared<ProgramKernel>(spec, 0);
  launch.sms = kernel.sms ? kernel.sms : mask_;
  launch.file = spec.file;
  launch.line = spec.line;
  if (synchronized) waiting_.push_back(benchmark_.kernels.size());
  const std::size_t place = builder_.workload.launches.size();
  benchmark_.kernels.push_back({static_cast<std::uint32_t>(place), calls(), kernel.name});
  builder_.workload.launches.push_back(std::move(launch));
  call(Kind::kLaunch, stream(), place);
}

void PluginProgram::copy(CopyKind kind, const std::string& name, Bytes bytes, bool blocking) {
  if (bytes == 0) return;
  CopyCommand copy;
  copy.label = builder_.unique(WorkloadBuilder::Named::kCopy, parameters_.label + ": " + name + remark_);
  copy.stream = stream();
  copy.kind = kind;
  copy.bytes = scaled(bytes);
  const Address device = buffer(name, bytes);
  if (kind == CopyKind::kDeviceToDevice) copy.from = buffer(name + " (second)", bytes);
  (kind == CopyKind::kDeviceToHost ? copy.from : copy.to) = device;
  copy.blocking = blocking;
  copy.file = parameters_.entry.file();
  copy.line = parameters_.entry.line();
  const std::size_t place = builder_.workload.copies.size();
  builder_.workload.copies.push_back(std::move(copy));
  call(Kind::kCopy, stream(), place);
}

void PluginProgram::synchronize() {
  for (const std::size_t kernel : waiting_) benchmark_.kernels[kernel].synchronization = calls();
  waiting_.clear();
  call(Kind::kSynchronizeStream, stream());
}

void PluginProgram::synchronize_device() { call(Kind::kSynchronizeDevice); }

void PluginProgram::sleep(Femtoseconds time) {
  if (time > 0) call(Kind::kHostFunction, 0, 0, time);
}

void PluginProgram::copy_out_blocks(std::uint64_t blocks) {
  copy(CopyKind::kDeviceToHost, "block times", blocks * 16);
  copy(CopyKind::kDeviceToHost, "block SMs", blocks * 4);
}

void PluginProgram::run_one(PluginKernel kernel, const std::string& result, Bytes bytes) {
  const std::uint64_t blocks = kernel.grid.count();
  execute();
  launch(std::move(kernel));
  synchronize();
  copy_out();
  copy_out_blocks(blocks);
  copy(CopyKind::kDeviceToHost, result, bytes);
  synchronize();
}

Address PluginProgram::buffer(const std::string& name, Bytes bytes) {
  constexpr Bytes kMax = Bytes{1} << 40;
  if (bytes > kMax) parameters_.entry.fail("found " + std::to_string(bytes) + " bytes, allowed: up to 2^40");
  const auto [at, added] = buffers_.try_emplace(name, 0);
  if (added) at->second = builder_.allocate(bytes);
  return at->second;
}

std::uint64_t PluginProgram::scaled(std::uint64_t work) const {
  return std::max<std::uint64_t>(work / builder_.time_scale, 1);
}

Femtoseconds PluginProgram::nanoseconds(std::uint64_t time) const {
  return static_cast<Femtoseconds>(static_cast<unsigned __int128>(time) * 1'000'000 / builder_.time_scale);
}

Femtoseconds PluginProgram::seconds(const YamlNode& node) const {
  constexpr double kMost = kMaxNanoseconds / 1e9;
  const double time = std::max(node.number(-kMost, kMost), 0.0);
  return nanoseconds(static_cast<std::uint64_t>(std::llround(time * 1e9)));
}

ProgramElement repeated(std::uint64_t count, std::vector<ProgramElement> body) {
  constexpr std::uint64_t kMax = 0xffffffff, kInner = 1'000'000;
  if (count <= kMax) return loop(static_cast<std::uint32_t>(count), std::move(body));
  return loop(static_cast<std::uint32_t>(std::min(kMax, count / kInner)), {loop(kInner, std::move(body))});
}

Registry<ExaminerPlugin>& examiner_plugins() {
  static Registry<ExaminerPlugin> registry("examiner plug-in");
  return registry;
}

}  // namespace gputlm
