#include "testbench/cost/blocks.h"

#include <gmock/gmock.h>

#include "testbench/design/sources.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const BlockType& arbiter() { return *find_block("fr_rr_fcfs_arbiter"); }

std::string message(const GivenParameters& given) {
  try {
    geometries(arbiter(), given);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Blocks, AGeometryHasStandardValuesWhereNoneAreGiven) {
  EXPECT_THAT(geometries(arbiter(), {}), ElementsAre(ElementsAre(32, 4, 16, 14, 0)));
  EXPECT_THAT(geometries(arbiter(), {{"entries", "64"}, {"cap", "1"}}), ElementsAre(ElementsAre(64, 4, 16, 14, 1)));
}

TEST(Blocks, SeveralValuesAreEveryCombinationInOrder) {
  EXPECT_THAT(geometries(arbiter(), {{"entries", "64,16"}, {"apps", "2,8"}, {"banks", "4"}}),
              ElementsAre(ElementsAre(64, 2, 4, 14, 0), ElementsAre(64, 8, 4, 14, 0), ElementsAre(16, 2, 4, 14, 0),
                          ElementsAre(16, 8, 4, 14, 0)));
}

TEST(Blocks, AValueIsTakenExactlyIfItIsInItsRange) {
  for (const BlockType& block : block_types()) {
    for (const BlockParameter& parameter : block.parameters) {
      for (unsigned value = 0; value <= 2 * parameter.most; ++value) {
        const bool power = value > 0 && (value & (value - 1)) == 0;
        const bool allowed =
            value >= parameter.least && value <= parameter.most && (power || parameter.shape == Field::Shape::kAny);
        const GivenParameters given{{parameter.option, std::to_string(value)}};
        if (allowed) {
          EXPECT_NO_THROW(geometries(block, given)) << parameter.option << ' ' << value;
        } else {
          EXPECT_THROW(geometries(block, given), InputError) << parameter.option << ' ' << value;
        }
      }
    }
  }
}

TEST(Blocks, WhatHasNoEffectOnABlockIsAlwaysTheSame) {
  for (const Geometry& geometry : geometries(*find_block("gto_sorter"), {{"groups", "2,4,8"}, {"budget-bits", "1,16"}}))
    EXPECT_THAT(effective(*find_block("gto_sorter"), geometry), ElementsAre(16, 2, 8, 0));
  EXPECT_THAT(effective(*find_block("gto_sorter"), {24, 8, 4, 1}), ElementsAre(24, 2, 8, 1));
  EXPECT_THAT(effective(*find_block("qaws_sorter"), {24, 8, 4, 1}), ElementsAre(24, 8, 4, 1));
  EXPECT_THAT(effective(arbiter(), {64, 8, 4, 7, 1}), ElementsAre(64, 8, 4, 7, 1));
}

TEST(Blocks, AMessageSaysWhatWasFoundAndWhatIsAllowed) {
  EXPECT_THAT(message({{"entries", "7"}}),
              HasSubstr("--entries: found '7', fr_rr_fcfs_arbiter takes a whole number from 8 to 128"));
  EXPECT_THAT(message({{"banks", "4,12"}}), HasSubstr("--banks: found '12', fr_rr_fcfs_arbiter takes a power of two"));
  EXPECT_THAT(message({{"apps", "2,2"}}), HasSubstr("twice"));
  EXPECT_THAT(message({{"warps", "2"}}), HasSubstr("has no --warps; it has --entries"));
  for (const char* text : {"", "-8", "16,", ",16", "16;32", "x", "8x", "99999999999", "16 ,32"})
    EXPECT_THAT(message({{"entries", text}}), HasSubstr(std::string("--entries: found '") + text + "'"));
}

TEST(Blocks, EveryBlockIsAModuleOfTheSourcesAndHasTheseParameters) {
  for (const BlockType& block : block_types()) {
    bool found = false;
    for (const RtlSource& source : rtl_sources()) {
      if (source.text.find("module " + block.name + " ") == std::string::npos) continue;
      found = true;
      EXPECT_EQ(source.name, block.name + ".sv");
      EXPECT_THAT(source.text, HasSubstr(" " + block.clock + ","));
      for (const BlockParameter& parameter : block.parameters)
        EXPECT_THAT(source.text, testing::ContainsRegex("parameter .*" + parameter.name + " *="));
    }
    EXPECT_TRUE(found) << block.name;
  }
}

}  // namespace
}  // namespace gputlm::cost
