/// stream_action: kernels, copies, allocations and synchronizations in the order of a list.
#include "platform/examiner/spin.h"

namespace gputlm {
namespace {

class Actions {
 public:
  Actions(PluginProgram& program, bool null_stream) : program_(program), null_stream_(null_stream) {}

  void run(const YamlNode& action) {
    static const std::vector<std::string> kTypes = {"kernel", "malloc", "free", "memset", "memcpy", "synchronize"};
    static const std::vector<std::vector<std::string>> kParameters = {
        {"type", "duration", "shared_memory_size", "block_count", "thread_count", "comment"},
        {"size", "host", "comment"},
        {"host", "comment"},
        {"async", "size", "comment"},
        {"async", "size", "direction", "comment"},
        {"device", "comment"}};
    program_.check_keys(action, {"type", "label", "delay", "parameters", "comment"});
    const auto parameters = action.find("parameters");
    if (const auto delay = action.find("delay")) program_.sleep(program_.seconds(*delay));
    label_ = action.at("label").possibly_empty_text();
    const std::size_t type = action.at("type").one_of(kTypes);
    if (parameters) program_.check_keys(*parameters, kParameters[type]);
    use_stream(null_stream_);
    // What takes its parameters throws where there are none.
    if (type == 0) return kernel(action.at("parameters"));
    if (type == 3) return memset(action.at("parameters"));
    if (type == 4) return memcpy(action.at("parameters"));
    const bool of_stream = type == 5 && !(parameters && is_true(*parameters, "device"));
    return of_stream ? program_.synchronize() : program_.synchronize_device();  // as cudaMalloc and cudaFree do
  }

  const std::vector<std::uint64_t>& blocks() const { return blocks_; }

 private:
  void use_stream(bool null_stream) { null_stream ? program_.use_null_stream() : program_.use_own_stream(); }

  void kernel(const YamlNode& parameters) {
    const PluginParameters& p = program_.parameters();
    const auto count = [&](const char* key, std::uint64_t most) -> std::optional<Dim3> {
      const auto node = parameters.find(key);
      if (!node) return std::nullopt;
      return Dim3{static_cast<std::uint32_t>(node->unsigned_number(1, most))};
    };
    const auto grid = count("block_count", 0xffffffff), block = count("thread_count", kMaxThreadsPerBlock);
    const Dim3 grid_shape = grid ? *grid : p.grid_shape(), block_shape = block ? *block : p.block_shape();
    const auto type = parameters.find("type");
    const bool counts = type && type->one_of({"timer_spin", "counter_spin"}) == 1;
    const YamlNode duration = parameters.at("duration");
    PluginKernel kernel =
        counts ? counter_spin(label_, grid_shape, block_shape, program_.scaled(duration.unsigned_number(0)))
               : timer_spin(label_, grid_shape, block_shape, program_.nanoseconds(duration));
    add_shared_memory(kernel, read_shared_words(parameters, 0));
    kernel.label = label_;
    blocks_.push_back(kernel.grid.count());
    program_.launch(std::move(kernel), /*synchronized=*/false);
  }

  static Bytes size(const YamlNode& parameters) { return parameters.at("size").unsigned_number(1, Bytes{1} << 40); }
  /// `async` is true unless it is said; otherwise what is done is of the NULL stream.
  bool is_synchronous(const YamlNode& parameters) {
    const auto async = parameters.find("async");
    const bool synchronous = async && !async->boolean();
    if (synchronous) use_stream(true);
    return synchronous;
  }

  void memset(const YamlNode& parameters) {
    is_synchronous(parameters);  // cudaMemset returns before it is done
    program_.memset("buffer of " + label_, size(parameters));
  }

  void memcpy(const YamlNode& parameters) {
    static const std::vector<std::string> kDirections = {"hostToDevice", "deviceToHost", "deviceToDevice"};
    const auto kind = static_cast<CopyKind>(parameters.at("direction").one_of(kDirections));
    const bool synchronous = is_synchronous(parameters);
    program_.copy(kind, "buffer of " + label_, size(parameters), synchronous);
  }

  PluginProgram& program_;
  bool null_stream_;
  std::string label_;
  std::vector<std::uint64_t> blocks_;  // of the kernels
};

void build_stream_action(PluginProgram& program) {
  const YamlNode& info = program.parameters().needed_info();
  program.check_keys(info, {"actions", "use_null_stream", "comment"});
  const bool null_stream = is_true(info, "use_null_stream");
  program.execute();
  Actions actions(program, null_stream);
  const std::vector<YamlNode> list = info.at("actions").items();
  if (list.empty()) info.at("actions").fail("the list is empty, but at least one action is needed");
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
