/// `gputlm run -`: a workload file from standard input.
#include <cstdio>
#include <string>

#include "platform/input/document.h"
#include "platform/input/run_input.h"
#include "platform/input/trace_application.h"
#include "platform/input/workload_file.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr const char* kName = "<stdin>";

/// All of it, but no more than one byte beyond what is allowed: it may be endless.
std::string read_standard_input() {
  std::string text(Document::kMaxBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  if (std::ferror(stdin) != 0) throw InputError(kName, 0, "cannot be read");
  return text;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "workload from standard input";
  format.rank = 0;
  format.description = "-: a workload file, whose paths count from the current folder";
  format.takes = [](const std::string& path) { return path == "-"; };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(kName, 0, "is given twice; allowed is once");
    RunInput input;
    const std::string text = read_standard_input();
    input.workload = load_workload_text(text, kName, options.seed, options.gpu);
    input.files.push_back({kName, text.size(), sha1(text)});
    input.warnings = late_warnings(input.workload);
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace
}  // namespace gputlm
