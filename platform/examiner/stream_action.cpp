/// stream_action: kernels, copies, allocations and synchronizations in the order of a list.
#include <array>

#include "platform/examiner/spin.h"

namespace gputlm {
namespace {

namespace stream_action {
using examiner::configuration_format;
constexpr const char* kDocument = "src/stream_action.cu, comment at its top and ParseParameters";
constexpr const char* kInfoPlace = "stream_action: additional_info";
const FormatField kNullStream(configuration_format, kInfoPlace, "use_null_stream",
                              "whether its actions are in the NULL stream", "", "true or false; default false",
                              kDocument);
const FormatField kActions(configuration_format, kInfoPlace, "actions", "actions, in their order", "",
                           "a list, not empty; required", kDocument);
const FormatField kInfoComment(configuration_format, kInfoPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kActionPlace = "stream_action: actions[]";
const FormatField kType(configuration_format, kActionPlace, "type", "kind of action", "",
                        "kernel, malloc, free, memset, memcpy, synchronize; required", kDocument);
const FormatField kLabel(configuration_format, kActionPlace, "label", "name, as in results for a kernel", "",
                         "a text; required", kDocument);
const FormatField kDelay(configuration_format, kActionPlace, "delay", "time that the host sleeps before the action",
                         "s", "a real; 0 or less: not at all; default 0", "src/stream_action.cu, Execute");
const FormatField kParameters(configuration_format, kActionPlace, "parameters", "parameters of the action", "",
                              "an object; need not be there for free and synchronize", kDocument);
const FormatField kActionComment(configuration_format, kActionPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kKernelPlace = "stream_action: parameters of kernel";
const FormatField kSpin(configuration_format, kKernelPlace, "type", "kind of kernel", "",
                        "timer_spin or counter_spin; default timer_spin", kDocument);
const FormatField kDuration(configuration_format, kKernelPlace, "duration",
                            "time of each block, or additions of each thread", "ns (timer_spin)", "from 0 on; required",
                            kDocument);
const FormatField kShared(configuration_format, kKernelPlace, "shared_memory_size",
                          "shared memory of a block, filled first", "words of 32 bits",
                          "0, 4096, 8192 or 10240; default 0", kDocument);
const FormatField kBlocks(configuration_format, kKernelPlace, "block_count", "blocks of the grid", "blocks",
                          "from 1 on; default the benchmark's", kDocument);
const FormatField kThreads(configuration_format, kKernelPlace, "thread_count", "threads of a block", "threads",
                           "1 to 1024; default the benchmark's", kDocument);
const FormatField kKernelComment(configuration_format, kKernelPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kMallocPlace = "stream_action: parameters of malloc";
const FormatField kMallocSize(configuration_format, kMallocPlace, "size", "size of the allocation", "B",
                              "from 0 on; required; of no effect here", kDocument);
const FormatField kMallocHost(configuration_format, kMallocPlace, "host", "whether the memory is the host's", "",
                              "true or false; default false; of no effect here", kDocument);
const FormatField kMallocComment(configuration_format, kMallocPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kFreePlace = "stream_action: parameters of free";
const FormatField kFreeHost(configuration_format, kFreePlace, "host", "whether the memory is the host's", "",
                            "true or false; default false; of no effect here", kDocument);
const FormatField kFreeComment(configuration_format, kFreePlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kMemsetPlace = "stream_action: parameters of memset";
const FormatField kMemsetAsync(configuration_format, kMemsetPlace, "async",
                               "whether it is asynchronous; false: it is in the NULL stream", "",
                               "true or false; default true", kDocument);
const FormatField kMemsetSize(configuration_format, kMemsetPlace, "size", "size of the memory that is set to 0", "B",
                              "from 0 on; required", kDocument);
const FormatField kMemsetComment(configuration_format, kMemsetPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kMemcpyPlace = "stream_action: parameters of memcpy";
const FormatField kMemcpyAsync(configuration_format, kMemcpyPlace, "async",
                               "whether it is asynchronous; false: it is in the NULL stream, and the host waits for it",
                               "", "true or false; default true", kDocument);
const FormatField kMemcpySize(configuration_format, kMemcpyPlace, "size", "size of the copy", "B",
                              "from 0 on; required", kDocument);
const FormatField kDirection(configuration_format, kMemcpyPlace, "direction", "direction of the copy", "",
                             "hostToDevice, deviceToHost, deviceToDevice; required", kDocument);
const FormatField kMemcpyComment(configuration_format, kMemcpyPlace, "comment", "passed over", "", "", kDocument);

constexpr const char* kSynchronizePlace = "stream_action: parameters of synchronize";
const FormatField kDevice(configuration_format, kSynchronizePlace, "device",
                          "whether it waits for all streams of the process", "", "true or false; default false",
                          kDocument);
const FormatField kSynchronizeComment(configuration_format, kSynchronizePlace, "comment", "passed over", "", "",
                                      kDocument);
}  // namespace stream_action

class Actions {
 public:
  Actions(PluginProgram& program, bool null_stream) : program_(program), null_stream_(null_stream) {}

  void run(const YamlNode& action) {
    static const std::vector<std::string> kTypes = {"kernel", "malloc", "free", "memset", "memcpy", "synchronize"};
    using namespace stream_action;
    static constexpr std::array kPlaces = {kKernelPlace, kMallocPlace, kFreePlace,
                                           kMemsetPlace, kMemcpyPlace, kSynchronizePlace};
    program_.check_keys(action, kActionPlace);
    const auto parameters = action.find(kParameters);
    if (const auto delay = action.find(kDelay)) program_.sleep(program_.seconds(*delay));
    label_ = action.at(kLabel).possibly_empty_text();
    const std::size_t type = action.at(kType).one_of(kTypes);
    if (parameters) program_.check_keys(*parameters, kPlaces[type]);
    use_stream(null_stream_);
    // The functions that read parameters throw if there are none.
    if (type == 0) return kernel(action.at(kParameters));
    if (type == 3) return memset(action.at(kParameters));
    if (type == 4) return memcpy(action.at(kParameters));
    const bool of_stream = type == 5 && !(parameters && examiner::is_true(*parameters, kDevice));
    return of_stream ? program_.synchronize() : program_.synchronize_device();  // as cudaMalloc and cudaFree do
  }

  const std::vector<std::uint64_t>& blocks() const { return blocks_; }

 private:
  void use_stream(bool null_stream) { null_stream ? program_.use_null_stream() : program_.use_own_stream(); }

  void kernel(const YamlNode& parameters) {
    const PluginParameters& p = program_.parameters();
    using namespace stream_action;
    const auto count = [&](const FormatField& field, std::uint64_t most) -> std::optional<Dim3> {
      const auto node = parameters.find(field);
      if (!node) return std::nullopt;
      return Dim3{static_cast<std::uint32_t>(examiner::whole_number(*node, 1, most))};
    };
    const auto grid = count(kBlocks, 0xffffffff), block = count(kThreads, kMaxThreadsPerBlock);
    const Dim3 grid_shape = grid ? *grid : p.grid_shape(), block_shape = block ? *block : p.block_shape();
    const auto type = parameters.find(kSpin);
    const bool counts = type && type->one_of({"timer_spin", "counter_spin"}) == 1;
    const YamlNode duration = parameters.at(kDuration);
    PluginKernel kernel =
        counts ? counter_spin(label_, grid_shape, block_shape, program_.scaled(examiner::whole_number(duration)))
               : timer_spin(label_, grid_shape, block_shape, program_.nanoseconds(duration));
    add_shared_memory(kernel, read_shared_words(parameters, kShared, 0));
    kernel.label = label_;
    blocks_.push_back(kernel.grid.count());
    program_.launch(std::move(kernel), /*synchronized=*/false);
  }

  static Bytes size(const YamlNode& parameters, const FormatField& field) {
    return examiner::whole_number(parameters.at(field), 0, Bytes{1} << 40);
  }
  /// An action that is not `async` uses the NULL stream.
  bool is_synchronous(const YamlNode& parameters, const FormatField& field) {
    const auto async = parameters.find(field);
    const bool synchronous = async && !async->boolean();
    if (synchronous) use_stream(true);
    return synchronous;
  }

  void memset(const YamlNode& parameters) {
    is_synchronous(parameters, stream_action::kMemsetAsync);  // cudaMemset returns before it is done
    program_.memset("buffer of " + label_, size(parameters, stream_action::kMemsetSize));
  }

  void memcpy(const YamlNode& parameters) {
    static const std::vector<std::string> kDirections = {"hostToDevice", "deviceToHost", "deviceToDevice"};
    const auto kind = static_cast<CopyKind>(parameters.at(stream_action::kDirection).one_of(kDirections));
    const bool synchronous = is_synchronous(parameters, stream_action::kMemcpyAsync);
    program_.copy(kind, "buffer of " + label_, size(parameters, stream_action::kMemcpySize), synchronous);
  }

  PluginProgram& program_;
  bool null_stream_;
  std::string label_;
  std::vector<std::uint64_t> blocks_;  // number of blocks of each kernel
};

void build_stream_action(PluginProgram& program) {
  const YamlNode& info = program.parameters().needed_info();
  program.check_keys(info, stream_action::kInfoPlace);
  program.drop_mask();
  const bool null_stream = examiner::is_true(info, stream_action::kNullStream);
  program.execute();
  Actions actions(program, null_stream);
  const std::vector<YamlNode> list = info.at(stream_action::kActions).items();
  if (list.empty()) info.at(stream_action::kActions).fail("the list is empty, but at least one action is needed");
  for (const YamlNode& action : list) actions.run(action);
  null_stream ? program.use_null_stream() : program.use_own_stream();
  program.synchronize();
  program.copy_out();
  program.use_own_stream();
  for (const std::uint64_t blocks : actions.blocks()) program.copy_out_blocks(blocks);
  program.synchronize();
}

GPUTLM_REGISTER {
  examiner_plugins().add(
      {{"stream_action"}, "Sequential action execution", build_stream_action, /*names_launches=*/true});
}

}  // namespace
}  // namespace gputlm
