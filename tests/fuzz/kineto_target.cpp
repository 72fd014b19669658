#include "platform/programs/kineto.h"
#include "tests/fuzz/replayed_program.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

void read(const std::string& text) {
  const FileInMemory file(text);
  use(read_kineto(file.path()));
}

const Registration registration{{"kineto", Grammar::kYaml, read}};

}  // namespace
}  // namespace gputlm::fuzz
