/// Plug-ins of cuda_scheduling_examiner, the benchmarks that a configuration names: what each does in an iteration, as calls
/// of its host thread. Each plug-in registers itself in its own file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/examiner/examiner_run.h"
#include "platform/examiner/fields.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/registry.h"

namespace gputlm {

/// The parameters of a benchmark's entry in the configuration.
struct PluginParameters {
  YamlNode entry;
  std::optional<YamlNode> info;  ///< additional_info
  Dim3 threads, blocks;          ///< 0 if the plug-in chooses them
  Bytes data_size = 0;
  std::optional<SmSet> sms = std::nullopt;  ///< SMs that its kernels may use; none: all
  std::string label = {};                   ///< prefix of its launches' labels

  /// additional_info, which is required.
  const YamlNode& needed_info() const;
  /// additional_info as a number described by the row; `otherwise` if it is missing.
  std::uint64_t number_or(const FormatField& field, std::uint64_t otherwise,
                          std::uint64_t most = std::numeric_limits<std::int64_t>::max()) const;
  /// Throws InputError if data_size is smaller.
  void need_data(Bytes least) const;
  /// The block shape of the configuration; throws InputError if it has a zero.
  Dim3 block_shape() const;
  Dim3 grid_shape() const;
};

/// A kernel that a plug-in launches. Its body is already scaled (PluginProgram::scaled).
struct PluginKernel {
  std::string name;  ///< name in the result file
  std::string label;
  Dim3 grid, block;
  std::vector<ProgramElement> body;
  std::vector<AddressPattern> patterns = {};
  Bytes shared_memory = 0;
  std::optional<SmSet> sms = std::nullopt;
};

/// State shared by everything that is built from one configuration.
class WorkloadBuilder {
 public:
  WorkloadBuilder(Workload& filled, std::uint64_t scale) : workload(filled), time_scale(scale) {}

  Workload& workload;
  const std::uint64_t time_scale;
  /// Kinds of names. Names of a kind are unique: a repeated one gets a number.
  enum class Named : std::uint8_t { kApplication, kStream, kThread, kLaunch, kCopy };
  std::string unique(Named kind, const std::string& name);
  Address allocate(Bytes bytes);
  StreamId null_stream(ApplicationId application);
  void call(std::size_t thread, HostCall::Kind kind, StreamId stream = 0, std::size_t what = 0, Femtoseconds time = 0,
            std::uint32_t count = 0);

 private:
  std::map<std::pair<Named, std::string>, unsigned> names_;
  Address next_ = Address{1} << 36;
  std::map<ApplicationId, StreamId> null_streams_;
};

/// Writes the calls of one iteration of a benchmark, in order.
class PluginProgram {
 public:
  /// `buffers`: addresses of the benchmark's memory, which all iterations use.
  PluginProgram(WorkloadBuilder& builder, const PluginParameters& parameters, ExaminerBenchmark& benchmark,
                StreamId stream, std::map<std::string, Address>& buffers, const std::string& remark)
      : builder_(builder), parameters_(parameters), benchmark_(benchmark), stream_(stream), buffers_(buffers),
        mask_(parameters.sms), remark_(remark) {}

  const PluginParameters& parameters() const { return parameters_; }
  /// Warns of keys of an object that no row of the place describes (platform/examiner/fields.h).
  void check_keys(const YamlNode& object, const char* place);
  /// Warns about the benchmark, once even if it has a warm-up.
  void warn(const std::string& what);

  /// Begins the plug-in's function execute; copy_in comes first.
  void execute() { benchmark_.execute = calls(); }
  void copy_out() { benchmark_.copy_out = calls(); }

  /// From here on kernels, copies and synchronizations use the NULL stream.
  void use_null_stream();
  void use_own_stream() { stream_in_use_ = std::nullopt; }
  /// For a plug-in that launches its kernels in a stream to which it does not apply the benchmark's sm_mask.
  void drop_mask();

  /// `synchronized`: the plug-in records the time at which it notices the end.
  void launch(PluginKernel kernel, bool synchronized = true);
  void copy(CopyKind kind, const std::string& buffer, Bytes bytes, bool blocking = false);
  void memset(const std::string& buffer, Bytes bytes) { copy(CopyKind::kMemset, buffer, bytes); }
  void synchronize();
  void synchronize_device();
  void sleep(Femtoseconds time);

  /// Waits for everything launched so far, then copies times and SMs of its blocks to the host.
  void copy_out_blocks(std::uint64_t blocks);

  /// Runs one kernel, waits for it, and copies its times, SMs and `bytes` of its result to the host.
  void run_one(PluginKernel kernel, const std::string& result = "", Bytes bytes = 0);

  static constexpr std::uint64_t kMaxNanoseconds = 3'600'000'000'000'000;  ///< maximum time, before scaling

  Address buffer(const std::string& name, Bytes bytes);
  /// Divides work by the time scale; at least 1.
  std::uint64_t scaled(std::uint64_t work) const;
  Femtoseconds nanoseconds(const YamlNode& node) const {
    return nanoseconds(examiner::whole_number(node, 0, kMaxNanoseconds));
  }
  Femtoseconds nanoseconds(std::uint64_t time) const;
  Femtoseconds seconds(const YamlNode& node) const;  ///< 0 for negative values

 private:
  std::size_t calls() const { return builder_.workload.threads[benchmark_.thread].calls.size(); }
  void call(HostCall::Kind kind, StreamId stream = 0, std::size_t what = 0, Femtoseconds time = 0) {
    builder_.call(benchmark_.thread, kind, stream, what, time);
  }
  StreamId stream() const { return stream_in_use_.value_or(stream_); }

  WorkloadBuilder& builder_;
  const PluginParameters& parameters_;
  ExaminerBenchmark& benchmark_;
  StreamId stream_;
  std::optional<StreamId> stream_in_use_;
  std::map<std::string, Address>& buffers_;
  std::optional<SmSet> mask_;         ///< mask of the benchmark's own stream
  std::string remark_;                ///< suffix of labels
  std::vector<std::size_t> waiting_;  ///< kernels that await their synchronization
};

/// The body repeated `count` times, for any count.
ProgramElement repeated(std::uint64_t count, std::vector<ProgramElement> body);

struct ExaminerPlugin : Registered {
  std::string title;  ///< title in the result file
  std::function<void(PluginProgram& program)> build;
  bool names_launches = false;  ///< its kernels have labels of their own, which their launches get
};

/// All plug-ins, by file name without folder and extension.
Registry<ExaminerPlugin>& examiner_plugins();

}  // namespace gputlm
