#include "platform/rtl/build.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "platform/files/atomic_file.h"
#include "platform/files/text_file.h"
#include "platform/lab/run_store.h"
#include "platform/rtl/headers.h"
#include "tlm/digest.h"
#include "tlm/error.h"
#include "tlm/file_lock.h"
#include "tlm/tools/tool.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kVerilate{"--cc", "-O3",      "--no-timing", "--x-assign", "fast", "--x-initial",
                                         "fast", "--prefix", "Vdesign",     "--Mdir",     "."};
const std::vector<std::string> kCompile{"-std=c++17",     "-O2",      "-w", "-fPIC", "-shared", "-fvisibility=hidden",
                                        "-Wl,-Bsymbolic", "-DVM_SC=0"};

/// Headers of models/ by the path that includes name: "models/rtl_ports.h".
std::vector<std::pair<std::string, std::string>> headers() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const PresetSource& source : rtl_port_headers()) all.emplace_back(source.name + ".h", source.yaml);
  for (const PresetSource& source : rtl_unit_headers()) all.emplace_back("models/" + source.name + ".h", source.yaml);
  return all;
}

struct Tools {
  std::atomic<bool> stop{false};
  tools::Tool verilator = tools::find_tool("verilator", "verilator", "--version", stop);
  tools::Tool compiler = tools::find_tool("g++", "g++", "--version", stop);
};

/// All that the library is made of.
std::string identity(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                     const std::string& code, const Tools& tools) {
  std::string all = tools.verilator.version + tools.compiler.version + code;
  for (const auto& [name, text] : headers()) all += name + text;
  for (const auto* const list : {&kVerilate, &kCompile}) {
    for (const std::string& argument : *list) all += argument + '\n';
  }
  for (const std::string& argument : design.arguments(parameters)) all += argument + '\n';
  for (const std::string& file : interface.files) all += file_digest(file) + '\n';
  return digest(all);
}

/// One who waits for another that makes the same.
class Turn {
 public:
  explicit Turn(const std::string& path) : descriptor_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    using namespace std::chrono_literals;
    while (descriptor_ >= 0 && try_lock(descriptor_) == FileLock::kHeldByAnother) std::this_thread::sleep_for(50ms);
  }
  ~Turn() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_;
};

/// Where Verilator has its own sources.
std::string verilator_root(const tools::Tool& verilator, const std::string& folder) {
  tools::run_tool(verilator, {"--getenv", "VERILATOR_ROOT"}, folder, "root.log", std::atomic<bool>{false});
  std::string root = read_text(folder + "/root.log");
  while (!root.empty() && root.back() == '\n') root.pop_back();
  return root;
}

/// One source of the class, so that the compiler reads the headers once.
void write_source(const std::string& folder, const std::string& code) {
  std::string all;
  std::vector<std::string> parts;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".cpp") parts.push_back(file.path().filename().string());
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) all += "#include \"" + part + "\"\n";
  tools::write_file(folder + "/library.cpp", all + code);
  for (const auto& [name, text] : headers()) {
    fs::create_directories(fs::path(folder + "/" + name).parent_path());
    tools::write_file(folder + "/" + name, text);
  }
}

void make(const RtlDesign& design, const RtlParameters& parameters, const std::string& code, const Tools& tools,
          const std::string& library) {
  const tools::WorkFolder work;
  std::vector<std::string> verilate = kVerilate;
  for (std::string& argument : design.arguments(parameters)) verilate.push_back(std::move(argument));
  run_verilator(design, verilate, work.path());
  write_source(work.path(), code);
  const std::string root = verilator_root(tools.verilator, work.path()) + "/include";
  std::vector<std::string> compile = kCompile;
  compile.insert(compile.end(), {"-I.", "-I" + root, "-I" + root + "/vltstd", "library.cpp", root + "/verilated.cpp",
                                 root + "/verilated_threads.cpp", "-o", "library.so", "-lpthread"});
  tools::run_tool(tools.compiler, compile, work.path(), "compiler.log", tools.stop);
  AtomicFile file(library);
  file.write(read_text(work.path() + "/library.so"));
  file.commit();
}

}  // namespace

RtlMaker build_rtl(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                   const std::string& code) {
  const Tools tools;
  const std::string cache = RunStore::default_folder();
  if (cache.empty()) {
    throw InputError(
        fmt::format("--rtl {}: neither XDG_CACHE_HOME nor HOME says where to keep what is built of it", design.path()));
  }
  const std::string folder = cache + "/rtl";
  make_output_folder(folder);
  const std::string library = folder + "/" + identity(design, interface, parameters, code, tools) + ".so";
  const Turn turn(folder + "/lock");
  if (!fs::exists(library)) {
    std::string values;
    for (const auto& [name, value] : parameters) values += fmt::format(" {}={}", name, value);
    fmt::print(stderr, "{}:{}: Verilator and g++ build it, for {}\n", design.top(), values, library);
    make(design, parameters, code, tools, library);
  }
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const made = opened ? dlsym(opened, "gputlm_make") : nullptr;
  if (!made) throw std::runtime_error(fmt::format("{}: {}", library, dlerror()));
  return reinterpret_cast<RtlMaker>(made);
}

}  // namespace gputlm
