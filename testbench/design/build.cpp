#include "testbench/design/build.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>

#include "platform/files/atomic_file.h"
#include "platform/lab/run_store.h"
#include "testbench/design/sources.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"
#include "tlm/base/file_lock.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

const Strings kVerilate{"--cc", "-O3", "--no-timing", "--prefix", "Vdesign", "--Mdir", "."};
const Strings kCompile{"-std=c++17", "-w", "-fPIC", "-fvisibility=hidden", "-DVM_SC=0"};
const Strings kLink{"-shared", "-Wl,-Bsymbolic", "-lpthread"};
const Strings kSources{"verilated.cpp", "verilated_threads.cpp"};  // Verilator's own
// Without these, the sources lack functions that modules with waveforms and coverage call.
const Strings kWithAll{"-DVM_TRACE=1", "-DVM_TRACE_FST=1", "-DVM_COVERAGE=1"};

/// The headers by the path in #include: "testbench/ports/verilated.h".
std::vector<std::pair<std::string, std::string>> headers() {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const char* folder, const std::vector<PresetSource>& sources) {
    for (const PresetSource& source : sources) all.emplace_back(folder + source.name + ".h", source.yaml);
  };
  add("tlm/", rtl_base_headers());
  add("testbench/", rtl_device_headers());
  add("testbench/kinds/", rtl_kind_headers());
  add("testbench/", rtl_bench_headers());
  return all;
}

struct Tools {
  explicit Tools(const std::atomic<bool>& stopped) : stop(stopped) {}
  const std::atomic<bool>& stop;
  tools::Tool verilator = tools::find_tool("verilator", "verilator", "--version", stop);
  tools::Tool compiler = tools::find_tool("g++", "g++", "--version", stop);
};

Strings joined(Strings first, const Strings& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string in_lines(const Strings& list) {
  std::string text;
  for (const std::string& one : list) text += one + '\n';
  return text + '\n';
}

/// Identity of Verilator's part of the library: everything that determines it.
std::string runtime_identity(const RtlLibrary& library, const Tools& tools) {
  return digest(tools.verilator.version + tools.compiler.version + in_lines(joined(kSources, library.sources)) +
                in_lines(joined(kCompile, library.compile)) + in_lines(kWithAll));
}

/// Identity of the library: everything that determines it.
std::string identity(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                     const RtlLibrary& library, const Tools& tools) {
  std::string all = runtime_identity(library, tools) + library.code + library.optimize + in_lines(library.verilate) +
                    in_lines(kVerilate) + in_lines(library.link) + in_lines(kLink) +
                    in_lines(design.arguments(parameters));
  for (const auto& [name, text] : headers()) all += name + text;
  for (const std::string& file : interface.files) all += file_digest(file) + '\n';
  return digest(all);
}

/// Waits for another process that builds the same library.
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

/// The folder of Verilator's own sources.
std::string verilator_sources(const tools::Tool& verilator, const std::string& folder) {
  tools::run_tool(verilator, {"--getenv", "VERILATOR_ROOT"}, folder, "root.log", tools::kNeverStopped);
  std::string root = read_text(folder + "/root.log");
  while (!root.empty() && root.back() == '\n') root.pop_back();
  return root + "/include";
}

/// The errors in a compiler's log, one per line.
std::string compile_errors(const std::string& log) {
  std::istringstream lines(log);
  std::string errors, line;
  while (std::getline(lines, line)) {
    if (line.find("error: ") != std::string::npos || line.find("cannot find") != std::string::npos)
      errors += "\n  " + line;
  }
  return errors;
}

void run_compiler(const RtlDesign& design, const Tools& tools, const Strings& arguments, const std::string& folder) {
  try {
    tools::run_tool(tools.compiler, arguments, folder, "compiler.log", tools.stop);
  } catch (const InputError& error) {
    const std::string errors = compile_errors(read_text(folder + "/compiler.log"));
    throw InputError(design.path() + ": " +
                     (errors.empty() ? error.what() : "what Verilator makes of it does not compile" + errors));
  }
}

void keep(const std::string& made, const std::string& path) {
  AtomicFile file(path);
  file.write(read_text(made));
  file.commit();
}

Strings include_options(const std::string& root) { return {"-I" + root, "-I" + root + "/vltstd"}; }

/// Builds Verilator's own sources as a library that all designs share: they take longer to compile than most designs.
void make_runtime(const RtlDesign& design, const RtlLibrary& library, const Tools& tools, const std::string& path) {
  const tools::WorkFolder work;
  const std::string root = verilator_sources(tools.verilator, work.path());
  Strings compile = joined(joined(joined(kCompile, kWithAll), library.compile), include_options(root));
  compile.insert(compile.end(), {"-O2", "-c"});
  Strings archive{"rcs", "runtime.a"};
  for (const std::string& source : joined(kSources, library.sources)) {
    compile.push_back(root + "/" + source);
    archive.push_back(fs::path(source).stem().string() + ".o");
  }
  run_compiler(design, tools, compile, work.path());
  tools::run_tool(tools::find_tool("ar", "binutils"), archive, work.path(), "archive.log", tools.stop);
  keep(work.path() + "/runtime.a", path);
}

/// Precompiles Verilator's headers, a third of the compiler's work for a small design. The compiler looks for the header at
/// `path`, and takes `path`.gch.
void precompile(const RtlDesign& design, const RtlLibrary& library, const Tools& tools, const std::string& path) {
  const tools::WorkFolder work;
  std::string includes = "#include \"verilated.h\"\n";
  for (const std::string& source : library.sources)
    includes += "#include \"" + fs::path(source).stem().string() + ".h\"\n";
  tools::write_file(work.path() + "/runtime.h", includes);
  const Strings compile =
      joined(joined(kCompile, library.compile), include_options(verilator_sources(tools.verilator, work.path())));
  run_compiler(design, tools, joined(compile, {library.optimize, "-x", "c++-header", "runtime.h", "-o", "runtime.gch"}),
               work.path());
  keep(work.path() + "/runtime.gch", path + ".gch");
  keep(work.path() + "/runtime.h", path);  // last: if this file exists, runtime.gch does, too
}

/// A single source file of the class, so that the compiler reads the headers once.
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

/// `runtime`: the prefix of the names of the files that all designs share.
void make(const RtlDesign& design, const RtlParameters& parameters, const RtlLibrary& library, const Tools& tools,
          const std::string& runtime, const std::string& path) {
  const tools::WorkFolder work;
  run_verilator(design, joined(joined(kVerilate, library.verilate), design.arguments(parameters)), work.path(),
                tools.stop);
  const std::string archive = runtime + ".a", header = runtime + library.optimize + ".h";
  if (!fs::exists(archive)) make_runtime(design, library, tools, archive);
  if (!fs::exists(header)) precompile(design, library, tools, header);
  write_source(work.path(), library.code);
  const Strings compile =
      joined(joined(kCompile, library.compile), include_options(verilator_sources(tools.verilator, work.path())));
  const Strings build{library.optimize, "-include", header, "-I.", "library.cpp", archive, "-o", "library.so"};
  run_compiler(design, tools, joined(joined(joined(compile, build), kLink), library.link), work.path());
  keep(work.path() + "/library.so", path);
}

}  // namespace

void* build_rtl(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                const RtlLibrary& library, const std::atomic<bool>& stop) {
  const Tools tools(stop);
  const std::string cache = RunStore::default_folder();
  if (cache.empty()) {
    throw InputError(
        fmt::format("{}: neither XDG_CACHE_HOME nor HOME says where to keep what is built of it", design.path()));
  }
  const std::string folder = cache + "/rtl";
  make_output_folder(folder);
  const std::string path = library.file.empty()
                               ? folder + "/" + identity(design, interface, parameters, library, tools) + ".so"
                               : library.file;
  std::optional<Turn> turn;
  if (library.file.empty()) turn.emplace(folder + "/lock");
  if (!fs::exists(path)) {
    std::string values;
    for (const auto& [name, value] : parameters) values += fmt::format(" {}={}", name, value);
    if (library.file.empty())
      fmt::print(stderr, "{}:{}: Verilator and g++ build it, for {}\n", design.top(), values, path);
    make(design, parameters, library, tools, folder + "/runtime-" + runtime_identity(library, tools), path);
  }
  void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const made = opened ? dlsym(opened, "gputlm_make") : nullptr;
  if (!made) throw std::runtime_error(fmt::format("{}: {}", path, dlerror()));
  return made;
}

}  // namespace gputlm
