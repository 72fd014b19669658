#include "platform/programs/capture.h"
#include "tests/fuzz/replayed_program.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

void attack_kineto(const std::string& text) {
  const FileInMemory file(text);
  use(capture_formats().at("PyTorch's profiler").read(file.path(), {}));
}

const Registration of_kineto{{"kineto", Grammar::kYaml, attack_kineto}};

}  // namespace
}  // namespace gputlm::fuzz
