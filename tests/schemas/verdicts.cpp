// What the readers say of files, for the tests of the schemas: each line of standard input is a JSON object with `kind`, a
// name of schemas() (platform/input/schema.h), and `text`; each line of standard output has `accepted` and `message`.

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/input/workload_file.h"
#include "platform/lab/study.h"
#include "tlm/base/error.h"

namespace {

constexpr const char* kName = GPUTLM_SOURCE_DIR "/tests/schemas/documents/workload/input";

const std::map<std::string, void (*)(const std::string& text)> kReaders{
    {"workload", [](const std::string& text) { gputlm::load_workload_text(text, kName, 1); }},
    {"gpu",
     [](const std::string& text) {
       gputlm::validate(gputlm::parse_gpu(text, kName), {kName, 0});
     }},
    {"dram", [](const std::string& text) { gputlm::parse_dram(text, kName); }},
    {"study",
     [](const std::string& text) {
       gputlm::Study::read(gputlm::YamlNode::load_text(text, kName), GPUTLM_SOURCE_DIR "/workloads");
     }},
};

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const nlohmann::json asked = nlohmann::json::parse(line);
    nlohmann::json said{{"accepted", true}, {"message", ""}};
    try {
      kReaders.at(asked.at("kind"))(asked.at("text"));
    } catch (const gputlm::InputError& error) {
      said = {{"accepted", false}, {"message", error.what()}};
    }
    std::cout << said.dump() << '\n';
  }
}
