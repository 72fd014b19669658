#include "platform/input/id_set.h"

#include "platform/input/yaml_reader.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

void attack_sm_set(const std::string& text) {
  const SmSet sms = read_sm_set(YamlNode::load_text(text, kName));
  require(sms.any(), "a set without an SM");
  require(read_sm_set(YamlNode::load_text("[" + to_text(sms) + "]", kName)) == sms,
          "a set of SMs that is written and read again is another");
}

const Registration of_sm_set{{"sm_set", Grammar::kYaml, attack_sm_set}};

}  // namespace
}  // namespace gputlm::fuzz
