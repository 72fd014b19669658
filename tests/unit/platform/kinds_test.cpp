/// Each kind of design in hardware has all that makes one: a new one that lacks a part fails here.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "models/rtl_sources.h"
#include "platform/files/atomic_file.h"
#include "platform/probes/recordings.h"
#include "platform/rtl/kind.h"
#include "testbench/cost/blocks.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string kTestbench = GPUTLM_SOURCE_DIR "/testbench";

std::string folder_of_kind(const std::string& kind) { return kTestbench + "/kinds/" + kind; }

/// Null if it has none.
const RtlSource* source_called(const std::vector<RtlSource>& sources, const std::string& name) {
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const RtlSource& s) { return s.name == name; });
  return found == sources.end() ? nullptr : &*found;
}

/// Those that rtl/ has, as modules POLICY_KIND.
std::vector<std::string> policies_in_hardware(const DesignKind& kind) {
  std::vector<std::string> names;
  for (const PolicyInfo* const policy : kind.decision().policies()) {
    if (source_called(rtl_sources(), policy->name + "_" + kind.name + ".sv")) names.push_back(policy->name);
  }
  return names;
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

TEST(Kinds, AreTheSameForAllThatHaveKinds) {
  const std::vector<std::string> bench = design_kinds().names(), ports = rtl_kinds().names(),
                                 cost = cost::block_kinds().names();
  const std::set<std::string> kinds(bench.begin(), bench.end());
  EXPECT_EQ(std::set<std::string>(ports.begin(), ports.end()), kinds) << "platform/rtl";
  EXPECT_EQ(std::set<std::string>(cost.begin(), cost.end()), kinds) << "blocks of gputlm cost";
  std::set<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of_kind("")))
    folders.insert(entry.path().filename().string());
  EXPECT_EQ(folders, kinds);
}

TEST(Kinds, HaveAModuleAndABlockOfEachPolicyInHardware) {
  for (const DesignKind& kind : design_kinds()) {
    std::set<std::string> modules, blocks;
    for (const std::string& policy : policies_in_hardware(kind)) modules.insert(policy + "_" + kind.name);
    for (const cost::BlockType& block : cost::block_kinds().at(kind.name).blocks) blocks.insert(block.name);
    EXPECT_FALSE(modules.empty()) << kind.name;
    EXPECT_EQ(blocks, modules) << kind.name;
  }
}

TEST(Kinds, HaveAContractThatKnowsTheOrderOfEachPolicy) {
  for (const DesignKind& kind : design_kinds()) {
    const RtlSource* const contract = source_called(contract_sources(), kind.contract.module + ".sv");
    ASSERT_TRUE(contract) << kind.name;
    for (const std::string& policy : policies_in_hardware(kind)) {
      EXPECT_THAT(contract->text, HasSubstr("\n// prove " + policy + ":")) << kind.name;
      EXPECT_EQ(kind.contract.parameters(kind.contract.size, policy).at("Ordered"), 1u) << policy;
    }
    EXPECT_EQ(kind.contract.parameters(kind.contract.size, "of a plugin").at("Ordered"), 0u) << kind.name;
  }
}

TEST(Kinds, HaveAFaultOfEachPolicy) {
  for (const DesignKind& kind : design_kinds()) {
    std::set<std::string> policies;
    for (const auto& entry : std::filesystem::directory_iterator(folder_of_kind(kind.name) + "/faults")) {
      const std::string text = read_text(entry.path().string()), key = "\npolicies: ";
      ASSERT_THAT(text, HasSubstr(key)) << entry.path();
      const std::size_t begin = text.find(key) + key.size();
      for (const std::string& word : words_in(text.substr(begin, text.find('\n', begin) - begin)))
        policies.insert(word);
    }
    for (const std::string& policy : policies_in_hardware(kind)) EXPECT_THAT(policies, Contains(policy)) << kind.name;
  }
}

/// What the regression knows of a kind is what the program knows of it.
TEST(Kinds, AreRegressedInEachPolicy) {
  for (const DesignKind& kind : design_kinds()) {
    const std::string text = read_text(folder_of_kind(kind.name) + "/kind.cmake");
    const RtlKind& rtl = rtl_kinds().at(kind.name);
    EXPECT_THAT(text, HasSubstr("CLASS " + rtl.ports + " HEADER " + rtl.header + "\n")) << kind.name;
    std::string names = "PARAMETERS";
    for (const SizeParameter& parameter : kind.size) names += " " + parameter.name;
    EXPECT_THAT(text, HasSubstr(names + "\n")) << kind.name;
    for (const std::string& policy : policies_in_hardware(kind))
      EXPECT_THAT(text, HasSubstr('"' + policy + ' ')) << kind.name;
  }
}

TEST(Kinds, HaveARowOnThePageOfRtl) {
  const std::string page = read_text(GPUTLM_SOURCE_DIR "/docs/rtl.md");
  for (const DesignKind& kind : design_kinds()) {
    const std::size_t begin = page.find("\n| `" + kind.name + "` | ");
    ASSERT_NE(begin, std::string::npos) << kind.name;
    const std::string row = page.substr(begin, page.find('\n', begin + 1) - begin);
    EXPECT_THAT(row, HasSubstr("`" + kind.decision().parameter() + "`"));
    for (const std::string& policy : policies_in_hardware(kind)) EXPECT_THAT(row, HasSubstr("`" + policy + "`"));
    const std::string like = rtl_kinds().at(kind.name).like;
    EXPECT_THAT(row, HasSubstr("`" + like.substr(like.rfind('/') + 1) + "`"));
  }
}

/// What a user needs to begin with: the protocol, a section with all ports, a policy in C++.
TEST(Kinds, AreOnThePageOfPortsWithAProtocolAndHaveASkeleton) {
  const std::string page = read_text(GPUTLM_SOURCE_DIR "/docs/ports.md");
  for (const DesignKind& kind : design_kinds()) {
    const std::size_t begin = page.find("\n$ gputlm explain --ports " + kind.name + "\n");
    ASSERT_NE(begin, std::string::npos) << kind.name;
    const std::string section = page.substr(begin, page.find("\n```", begin) - begin);
    EXPECT_FALSE(kind.protocol.empty()) << kind.name;
    EXPECT_THAT(section, HasSubstr("\nProtocol\n" + kind.protocol));
    const RtlKind& rtl = rtl_kinds().at(kind.name);
    for (const auto* const ports : {&rtl.inputs, &rtl.outputs}) {
      for (const std::string& port : *ports) EXPECT_THAT(section, HasSubstr("\n" + port + " ")) << kind.name;
    }
    EXPECT_TRUE(std::filesystem::exists(folder_of_kind(kind.name) + "/skeleton.cpp.in")) << kind.name;
  }
}

TEST(Kinds, ArePlayedWhereAProbeRecordsThem) {
  std::set<std::string> played;
  for (const DesignKind& kind : design_kinds()) {
    if (kind.recorded) played.insert(kind.name);
  }
  const std::vector<std::string> read = recording_readers().names();
  EXPECT_EQ(std::set<std::string>(read.begin(), read.end()), played);
}

}  // namespace
}  // namespace gputlm
