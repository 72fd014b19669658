/// Each kind of design in hardware has all parts of a kind; a new kind that lacks one fails here.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "platform/files/atomic_file.h"
#include "platform/files/rows.h"
#include "platform/probes/probe.h"
#include "testbench/cost/blocks.h"
#include "testbench/design/sources.h"
#include "testbench/kind/kind.h"

namespace gputlm {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;

const std::string kTestbench = GPUTLM_SOURCE_DIR "/testbench";

std::string folder_of_kind(const std::string& kind) { return kTestbench + "/kinds/" + kind; }

/// Null if it has none.
const RtlSource* source_called(const std::vector<RtlSource>& sources, const std::string& name) {
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const RtlSource& s) { return s.name == name; });
  return found == sources.end() ? nullptr : &*found;
}

/// Those that rtl/ has, as modules POLICY_KIND.
std::vector<std::string> policies_in_hardware(const Kind& kind) {
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

TEST(Kinds, HaveAFolderEach) {
  std::set<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of_kind("")))
    folders.insert(entry.path().filename().string());
  const std::vector<std::string> names = kinds().names();
  EXPECT_EQ(folders, std::set<std::string>(names.begin(), names.end()));
}

TEST(Kinds, HaveAModuleAndABlockOfEachPolicyInHardware) {
  for (const Kind& kind : kinds()) {
    std::set<std::string> modules, blocks;
    for (const std::string& policy : policies_in_hardware(kind)) modules.insert(policy + "_" + kind.name);
    for (const cost::BlockType& block : cost::block_types()) {
      if (block.kind == kind.name) blocks.insert(block.name);
    }
    EXPECT_FALSE(modules.empty()) << kind.name;
    EXPECT_EQ(blocks, modules) << kind.name;
  }
}

TEST(Kinds, HaveAContractThatKnowsTheOrderOfEachPolicy) {
  for (const Kind& kind : kinds()) {
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
  for (const Kind& kind : kinds()) {
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

/// A parameter as `rtl/` declares it, with its range where the module refuses another.
TEST(Kinds, HaveTheParametersOfTheirModules) {
  for (const Kind& kind : kinds()) {
    for (const KindModule& module : kind.modules) {
      const RtlSource* const source = source_called(rtl_sources(), module.name + ".sv");
      ASSERT_TRUE(source) << module.name;
      for (const SizeParameter& parameter : kind.size) {
        EXPECT_THAT(source->text, ContainsRegex("parameter +(int unsigned|bit) +" + parameter.name + " "));
        const std::string refuses = "\"" + parameter.name + " must be ";
        if (source->text.find(refuses) == std::string::npos) continue;
        EXPECT_THAT(source->text,
                    AnyOf(HasSubstr(fmt::format("{}{} to {}\"", refuses, parameter.least, parameter.most)),
                          HasSubstr(fmt::format("{}a power of two up to {}\"", refuses, parameter.most)),
                          HasSubstr(fmt::format("{}at least {}\"", refuses, parameter.least))))
            << module.name;
      }
    }
  }
}

TEST(Kinds, AreRegressedInEachPolicy) {
  for (const Kind& kind : kinds()) {
    const std::string text = read_text(folder_of_kind(kind.name) + "/kind.cmake");
    for (const std::string& policy : policies_in_hardware(kind))
      EXPECT_THAT(text, HasSubstr('"' + policy + ' ')) << kind.name;
  }
}

TEST(Kinds, HaveARowOnThePageOfRtl) {
  const std::string page = read_text(GPUTLM_SOURCE_DIR "/docs/rtl.md");
  for (const Kind& kind : kinds()) {
    const std::size_t begin = page.find("\n| `" + kind.name + "` | ");
    ASSERT_NE(begin, std::string::npos) << kind.name;
    const std::string row = page.substr(begin, page.find('\n', begin + 1) - begin);
    EXPECT_THAT(row, HasSubstr("`" + kind.decision().parameter() + "`"));
    for (const std::string& policy : policies_in_hardware(kind)) EXPECT_THAT(row, HasSubstr("`" + policy + "`"));
    const std::string like = kind.like;
    EXPECT_THAT(row, HasSubstr("`" + like.substr(like.rfind('/') + 1) + "`"));
  }
}

/// What a user needs to begin with: the protocol, a section with all ports, a policy in C++.
TEST(Kinds, AreOnThePageOfPortsWithAProtocolAndHaveASkeleton) {
  const std::string page = read_text(GPUTLM_SOURCE_DIR "/docs/ports.md");
  for (const Kind& kind : kinds()) {
    const std::size_t begin = page.find("\n$ gputlm explain --ports " + kind.name + "\n");
    ASSERT_NE(begin, std::string::npos) << kind.name;
    const std::string section = page.substr(begin, page.find("\n```", begin) - begin);
    EXPECT_FALSE(kind.protocol.empty()) << kind.name;
    EXPECT_THAT(section, HasSubstr("\nProtocol\n" + kind.protocol));
    for (const DesignPort& port : kind.ports(kind.contract.size))
      EXPECT_THAT(section, HasSubstr("\n" + port.name + " ")) << kind.name;
    EXPECT_TRUE(std::filesystem::exists(folder_of_kind(kind.name) + "/skeleton.cpp.in")) << kind.name;
  }
}

TEST(Kinds, AreRecordedByAProbe) {
  for (const Kind& kind : kinds()) {
    EXPECT_TRUE(probes().find(kind.name)) << kind.name;
    EXPECT_TRUE(row_tables().find(kind.name + ".csv")) << kind.name;
  }
}

TEST(Numbers, AreWhatWasPut) {
  for (unsigned bits = 1; bits <= 32; ++bits) {
    Numbers<64, 32> numbers;
    const auto number = [=](unsigned i) { return (i * 40503u << 7 ^ i * 2654435761u) & largest_of(bits); };
    for (unsigned i = 0; i < 64; ++i) numbers.put(i, bits, largest_of(bits));
    for (unsigned i = 0; i < 64; ++i) numbers.put(i, bits, number(i));
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(numbers.at(i, bits), number(i)) << bits;
  }
}

}  // namespace
}  // namespace gputlm
