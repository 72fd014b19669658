#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iomanip>
#include <random>
#include <sstream>

#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_with(const std::string& line) {
  return error_of([&] { ParsedBlock block(one_warp({line})); });
}

TEST(SassInstruction, HasRegistersMaskAndPipeline) {
  const ParsedBlock block(one_warp({"00d0 0000ffff 1 R0 FADD.FTZ 2 R4 R3 0 0", "00e0 ffffffff 1 R9 MOV 0 0 0 ",
                                    "00f0 ffffffff 0 ISETP.NE.AND 5 R1 R2 R3 R4 R5 0"}));
  const Instruction& fadd = block.at(0);
  EXPECT_EQ(fadd.op, Op::kArithmetic);
  EXPECT_EQ(fadd.pipe, Pipe::kFp32);
  EXPECT_EQ(fadd.mask, 0xffffu);
  EXPECT_EQ(fadd.destination, 0);
  EXPECT_EQ(fadd.destinations, 1);
  EXPECT_EQ(fadd.sources, 2);
  EXPECT_EQ(fadd.source[0], 4);
  EXPECT_EQ(fadd.source[1], 3);
  EXPECT_EQ(block.at(1).sources, 0);
  EXPECT_EQ(block.at(1).mask, 0xffffffffu);
  EXPECT_EQ(block.at(2).sources, 5);
  EXPECT_EQ(block.at(2).source[4], 5);
  EXPECT_EQ(block.at(2).destinations, 0);
  EXPECT_EQ(block.at(3).op, Op::kExit);
  EXPECT_EQ(block.code->warp(0).length, 4u);
  EXPECT_THAT(texts(block.kernel.warnings()), IsEmpty());
}

/// PCs as a tracer writes them: 16 bytes an instruction since Volta, 8 before it with a control word of 8 now and then.
TEST(SassInstruction, ABranchIsTakenWhereTheTraceGoesOnElsewhere) {
  const ParsedBlock block(
      one_warp({"0100 ffffffff 1 R0 FADD 2 R4 R3 0 0", "0110 ffffffff 0 BRA 0 0 0", "0120 ffffffff 0 BRA 0 0 0",
                "0100 ffffffff 1 R0 FADD 2 R4 R3 0 0", "0300 ffffffff 0 BRA 0 0 0", "0308 ffffffff 0 BRA 0 0 0",
                "0318 ffffffff 0 BRA 0 0 0", "0318 ffffffff 1 R0 FADD 2 R4 R3 0 0"}));
  const std::vector<bool> taken{false, false, true, false, false, false, true, false};
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(block.at(i).operand, taken[i] ? kBranchTaken : 0u) << i;
}

TEST(SassInstruction, TheZeroRegisterCarriesNoDependence) {
  const ParsedBlock block(
      one_warp({"0000 ffffffff 1 R255 IADD3 3 R255 R7 R255 0 0", "0010 ffffffff 1 UR4 UMOV 2 RZ P0 0 0"}));
  EXPECT_EQ(block.at(0).destinations, 0);
  EXPECT_EQ(block.at(0).sources, 1);
  EXPECT_EQ(block.at(0).source[0], 7);
  EXPECT_EQ(block.at(1).destinations, 0);
  EXPECT_EQ(block.at(1).sources, 0);
}

TEST(SassInstruction, WideLoadsWriteConsecutiveRegisters) {
  const ParsedBlock block(one_warp({"0000 ffffffff 1 R4 LDG.E.128 1 R2 4 1 0x1000 16 0",
                                    "0010 ffffffff 2 R6 R7 LDG.E.64 1 R2 8 1 0x1000 8 0",
                                    "0020 ffffffff 1 R254 LDG.E.64 1 R2 8 1 0x1000 8 0"}));
  EXPECT_EQ(block.at(0).destination, 4);
  EXPECT_EQ(block.at(0).destinations, 4);
  EXPECT_EQ(block.at(0).width, 16);
  EXPECT_EQ(block.at(1).destinations, 2);
  EXPECT_EQ(block.at(2).destinations, 1) << "register 255 is the zero register";
}

TEST(SassInstruction, LineNumbersAndBlockPrefixesAreSkipped) {
  for (const bool lines : {false, true})
    for (const int version : {1, 2, 3, 4, 5}) {
      const std::string prefix = std::string(version < 3 ? "0 0 0 0 " : "") + (lines ? "123 " : "");
      TraceText trace;
      trace.version = "-accelsim tracer version = " + std::to_string(version) + "\n";
      trace.lineinfo = lines ? "-enable lineinfo = 1\n" : "-enable lineinfo = 0\n";
      trace.body =
          block_text("0,0,0", warp_text(0, {prefix + "00d0 ffffffff 1 R8 FADD 2 R4 R3 0 0", prefix + kExitLine}));
      const ParsedBlock block(trace);
      EXPECT_EQ(block.at(0).destination, 8) << prefix;
    }
}

TEST(SassInstruction, WhatVersion6SaysBesideIsPassedOver) {
  TraceText trace = one_warp({"0000 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R4 1 0 0 0 NoVal",
                              "0010 ffffffff 1 R8 LDG.E 1 R2 4 1 0x1000 4 0 0 Val 1 3f800000 1 7",
                              "0020 ffffffff 0 DEPBAR.LE 0 0 1 0 NoVal"});
  trace.version = "-accelsim tracer version = 6\n";
  const ParsedBlock block(trace);
  EXPECT_EQ(block.at(0).op, Op::kMatrix);
  EXPECT_EQ(block.at(0).sources, 1);
  EXPECT_EQ(block.addresses(1)[1], 0x1004u);
  EXPECT_EQ(block.at(2).op, Op::kAwaitCopies);
  trace.version = "-accelsim tracer version = 5\n";
  EXPECT_NE(error_of([&] { ParsedBlock(trace).at(0); }), "");
}

TEST(SassInstruction, AsynchronousCopiesAndTheirGroupsAreRead) {
  TraceText trace = one_warp({"0000 ffffffff 0 LDGSTS.E.BYPASS.128 2 R5 R2 16 1 0x1000 16 0",
                              "0010 ffffffff 0 LDGDEPBAR 0 0 0", "0020 ffffffff 0 DEPBAR.LE 0 0 1",
                              "0030 ffffffff 0 DEPBAR.LE 0 0", "0040 ffffffff 1 R24 HGMMA.64x128x16.F32 1 R24 0 0"});
  trace.nregs = "-nregs = 168\n";
  const ParsedBlock block(trace);
  EXPECT_EQ(block.at(0).op, Op::kAsyncLoad);
  EXPECT_EQ(block.at(0).destinations, 0);
  EXPECT_EQ(block.addresses(0)[31], 0x1000u + 31 * 16);
  EXPECT_EQ(block.at(1).op, Op::kCommitCopies);
  EXPECT_EQ(block.at(2).op, Op::kAwaitCopies);
  EXPECT_EQ(block.at(2).operand, 1u);
  EXPECT_EQ(block.at(3).operand, 0u);
  EXPECT_EQ(block.at(4).op, Op::kMatrix);
  EXPECT_EQ(block.at(4).operand, 16u);
  EXPECT_EQ(block.at(4).destinations, 64);
  EXPECT_THAT(texts(block.kernel.warnings()), IsEmpty());
}

TEST(SassInstruction, ABulkCopyOfOneLaneIsAsWideAsTheTraceSays) {
  const ParsedBlock block(
      one_warp({"0000 00000010 0 UTMALDG.2D 0 128 1 0x2000 0 0", "0010 00000010 0 UTMALDG.2D 0 0 0"}));
  EXPECT_EQ(block.at(0).op, Op::kAsyncLoad);
  EXPECT_EQ(block.at(0).mask, 0xffu);
  EXPECT_EQ(block.at(0).width, 16);
  EXPECT_EQ(block.addresses(0)[0], 0x2000u);
  EXPECT_EQ(block.addresses(0)[7], 0x2070u);
  EXPECT_EQ(block.at(1).op, Op::kArithmetic);
  EXPECT_THAT(texts(block.kernel.warnings()), ElementsAre(HasSubstr("UTMALDG has no addresses")));
}

TEST(SassInstruction, TheImmediateMayBeMissing) {
  for (const char* tail : {"", " ", " 0", " 0 ", "\t-17", " 0x1f", "\r"}) {
    const ParsedBlock block(one_warp({std::string("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4") + tail}));
    EXPECT_EQ(block.addresses(0)[31], 0x1000u + 31 * 4);
  }
}

/// The three address modes, written from the addresses themselves, over random masks.
std::string in_mode(int mode, std::uint32_t mask, const LaneAddresses& lanes) {
  std::ostringstream text;
  Address previous = 0;
  bool first = true;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    if (first && mode == 2) text << "0x" << std::hex << lanes[lane] << std::dec;
    if (mode == 0) text << "0x" << std::hex << lanes[lane] << std::dec << " ";
    if (!first && mode == 2) text << " " << static_cast<std::int64_t>(lanes[lane] - previous);
    previous = lanes[lane];
    first = false;
  }
  return text.str();
}

TEST(SassInstruction, AddressListsAndDeltasGiveBackEveryLane) {
  std::mt19937_64 random(1);
  for (const unsigned bits : {8u, 31u, 32u, 40u, 49u}) {
    std::vector<std::string> lines;
    std::vector<std::pair<std::uint32_t, LaneAddresses>> expected;
    for (unsigned i = 0; i < 200; ++i) {
      const auto mask = i == 0 ? 0xffffffffu : static_cast<std::uint32_t>(random()) | 1u << (i % 32);
      LaneAddresses lanes;
      lanes.fill(ParsedBlock::kUntouched);
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (mask >> lane & 1) lanes[lane] = random() >> (64 - bits);
      std::ostringstream line;
      line << "0010 " << std::hex << std::setw(8) << std::setfill('0') << mask << std::dec << " 1 R4 LDG.E 1 R2 4 "
           << (i % 2 ? 2 : 0) << " " << in_mode(i % 2 ? 2 : 0, mask, lanes) << " 0";
      lines.push_back(line.str());
      expected.emplace_back(mask, lanes);
    }
    const ParsedBlock block(one_warp(lines));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(block.at(i).mask, expected[i].first);
      EXPECT_EQ(block.addresses(i), expected[i].second) << bits << " bits: " << lines[i];
    }
  }
}

TEST(SassInstruction, AStrideIsBetweenNeighbouringLanes) {
  const ParsedBlock block(one_warp({"0000 ffffff00 1 R4 LDG.E 1 R2 4 1 0x7fb0fc430e00 4 0",
                                    "0010 ffffffff 0 STG.E 2 R2 R4 4 1 7fb0fc430e00 -128 0",
                                    "0020 00000010 0 STG.E 2 R2 R4 4 1 0x10 0 0"}));
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    EXPECT_EQ(block.addresses(0)[lane], lane < 8 ? ParsedBlock::kUntouched : 0x7fb0fc430e00 + 4 * (lane - 8));
    EXPECT_EQ(block.addresses(1)[lane], 0x7fb0fc430e00 - 128 * lane);
    EXPECT_EQ(block.addresses(2)[lane], lane == 4 ? 0x10 : ParsedBlock::kUntouched);
  }
  EXPECT_EQ(block.at(1).op, Op::kStore);
}

TEST(SassInstruction, WithoutActiveLanesItIssuesButTouchesNothing) {
  const ParsedBlock block(one_warp({"0000 00000000 1 R4 LDG.E 1 R2 4 0 0", "0010 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0",
                                    "0020 00000000 1 R4 LDG.E 1 R2 4 2 0x0 0", "0030 00000000 0 BAR.SYNC 0 0 0",
                                    "0040 0 1 R1 FADD 0 0 0"}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(block.at(i).mask, 0u);
    EXPECT_EQ(block.at(i).op, Op::kLoad);
    for (const Address address : block.addresses(i)) EXPECT_EQ(address, ParsedBlock::kUntouched);
  }
  EXPECT_EQ(block.at(3).op, Op::kArithmetic) << "nobody arrives at the barrier";
  EXPECT_EQ(block.code->warp(0).length, 6u);
}

TEST(SassInstruction, AGenericAccessGoesWhereItsAddressPoints) {
  const ParsedBlock block(one_warp(
      {"0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7e0000000010 4 0", "0010 ffffffff 0 ST.E 2 R2 R4 4 1 0x7e1000000010 4 0",
       "0020 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f0000000010 4 0",
       "0030 ffffffff 1 R4 ATOM.E.ADD 1 R2 4 1 0x7e0000000000 0 0",
       "0040 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7e0000000010 4 0", "0050 ffffffff 1 R4 LD.E 1 R2 4 1 0x7e0001000000 4 0"}));
  EXPECT_EQ(block.at(0).space, Space::kShared);
  EXPECT_EQ(block.addresses(0)[1], 0x14u) << "an offset, as LDS has it";
  EXPECT_EQ(block.at(1).space, Space::kLocal);
  EXPECT_EQ(block.at(2).space, Space::kGlobal);
  EXPECT_EQ(block.addresses(2)[0], 0x7f0000000010u);
  EXPECT_EQ(block.at(3).space, Space::kShared);
  EXPECT_EQ(block.at(3).op, Op::kAtomic);
  EXPECT_EQ(block.at(4).space, Space::kGlobal) << "LDG is not generic";
  EXPECT_EQ(block.at(5).space, Space::kGlobal) << "behind the window";
}

TEST(SassInstruction, WithoutWindowsAGenericAccessIsGlobal) {
  TraceText trace = one_warp({"0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x10 4 0"});
  trace.windows = "";
  EXPECT_EQ(ParsedBlock(trace).at(0).space, Space::kGlobal);
}

TEST(SassInstruction, MemoryInstructionsWithoutAddressesTouchNoMemory) {
  const ParsedBlock block(one_warp({"0000 ffffffff 1 R4 LDC 1 R2 0 0", "0010 ffffffff 1 R4 TEX.SCR.LL 2 R2 R3 0 0"}));
  EXPECT_EQ(block.at(0).op, Op::kLoad);
  EXPECT_EQ(block.at(0).space, Space::kConstant);
  block.addresses(0);  // defined, if of no interest
  EXPECT_EQ(block.at(1).op, Op::kArithmetic);
  EXPECT_EQ(block.at(1).pipe, Pipe::kLoadStore);
}

TEST(SassInstruction, BarriersAreNumberedByTheirImmediate) {
  const ParsedBlock block(one_warp({"0000 ffffffff 0 BAR.SYNC 0 0 3", "0010 ffffffff 0 BAR.SYNC 0 0",
                                    "0020 ffffffff 0 BAR.SYNC 0 0 99", "0030 ffffffff 0 BAR.ARV 0 0 1"}));
  EXPECT_EQ(block.at(0).op, Op::kBarrier);
  EXPECT_EQ(block.at(0).operand, 3u);
  EXPECT_EQ(block.at(1).operand, 0u);
  EXPECT_EQ(block.at(2).operand, 0u);
  EXPECT_EQ(block.at(3).op, Op::kArithmetic);
  EXPECT_THAT(texts(block.kernel.warnings()),
              ElementsAre(HasSubstr(":25: a barrier's number is 0 to 15"), HasSubstr("BAR.ARV")));
}

TEST(SassInstruction, AnUnknownOpcodeIsToldOnce) {
  const ParsedBlock block(one_warp({"0000 ffffffff 1 R4 QUUX.X 1 R2 0 0", "0010 ffffffff 1 R4 QUUX.Y 1 R2 4 1 0x0 4 0",
                                    "0020 ffffffff 0 CORGE 0 0 0"}));
  EXPECT_EQ(block.at(1).op, Op::kArithmetic);
  EXPECT_EQ(block.at(1).pipe, Pipe::kInt);
  EXPECT_THAT(texts(block.kernel.warnings()),
              ElementsAre(HasSubstr(":23: unknown opcode QUUX;"), HasSubstr("unknown opcode CORGE;")));
}

TEST(SassInstruction, AMalformedLineIsRefusedWithWhatIsAllowed) {
  const std::pair<const char*, const char*> cases[] = {
      {"hello", "found `hello`; allowed is PC, offset of the instruction in its function: hexadecimal"},
      {"0000", "the line ends; allowed is mask, "},
      {"0000 1ffffffff 0 NOP 0 0 0", "found `1ffffffff`; allowed is mask, "},
      {"0000 ffffffff", "the line ends; allowed is dest_num, "},
      {"0000 ffffffff 9 R1 MOV 0 0",
       "found `9`; allowed is dest_num, number of registers written that follow: decimal, 0 to 8"},
      {"0000 ffffffff 1 MOV 0 0 0", "found `MOV`; allowed is reg_dests, register written: R0 to R255"},
      {"0000 ffffffff 1 R256 MOV 0 0 0", "found `R256`; allowed is reg_dests"},
      {"0000 ffffffff 1 R MOV 0 0 0", "found `R`; allowed is reg_dests"},
      {"0000 ffffffff 1 R1 0 0", "found `0`; allowed is opcode"},
      {"0000 ffffffff 1 R1", "the line ends; allowed is opcode"},
      {"0000 ffffffff 1 R1 MOV", "the line ends; allowed is src_num"},
      {"0000 ffffffff 1 R1 MOV 6 R1 R1 R1 R1 R1 R1 0 0",
       "found `6`; allowed is src_num, number of registers read that follow: decimal, 0 to 5"},
      {"0000 ffffffff 1 R1 MOV 2 R1 0 0", "found `0`; allowed is reg_srcs, register read: R0 to R255"},
      {"0000 ffffffff 1 R1 MOV 0", "the line ends; allowed is mem_width"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0", "found `0`; nothing may follow the immediate"},
      {"0000 ffffffff 1 R1 LDG.E 0 4 3 0x0 0",
       "found `3`; allowed is adrrescompress?, form of the addresses: 0 list_all, 1"},
      {"0000 ffffffff 1 R1 LDG.E 0 4 1", "the line ends; allowed is mem_addresses, "},
      {"0000 ffffffff 1 R1 LDG.E 0 4 1 0x0", "the line ends; allowed is mem_addresses, stride, "},
      {"0000 ffffffff 1 R1 LDG.E 0 4 1 0x11112222333344445 4", "hexadecimal with 0x"},
      {"0000 0000000f 1 R1 LDG.E 0 4 0 0x0 0x4 0x8", "the line ends; allowed is mem_addresses, "},
      {"0000 0000000f 1 R1 LDG.E 0 4 2 0x0 4 4", "the line ends; allowed is mem_addresses, deltas, "},
      {"0000 0000000f 1 R1 LDG.E 0 4 2 0x0 4 4 99999999999999999999", "allowed is mem_addresses, deltas, "},
      {"0000 0000000f 1 R1 LDG.E 0 4 0 0x0 0x4 0x8 0xc 0x10 0", "nothing may follow the immediate"},
  };
  for (const auto& [line, message] : cases) {
    EXPECT_THAT(error_with(line), HasSubstr(message)) << line;
    EXPECT_THAT(error_with(line), HasSubstr("k.traceg:23: ")) << line;
  }
}

TEST(SassInstruction, NoTextWhateverMakesTheParserFail) {
  // Every prefix of valid lines, and lines with one byte changed, are either read or refused.
  const std::string good[] = {"0010 0000ff0f 1 R4 LDG.E.64.SYS 1 R2 8 2 0x7f00 -8 8 16 -16 8 8 8 8 8 8 8 0",
                              "0020 ffffffff 1 R1 FFMA 3 R1 R2 R3 0 0", "0030 ffffffff 0 BAR.SYNC 0 0 1"};
  std::mt19937 random(1);
  for (const std::string& line : good) {
    for (std::size_t size = 1; size < line.size(); ++size) error_with(line.substr(0, size));
    for (unsigned i = 0; i < 100; ++i) {
      std::string changed = line;
      changed[random() % line.size()] = static_cast<char>(random());
      error_with(changed);
    }
  }
}

TEST(SassInstruction, AStoreHasNoDestination) {
  EXPECT_THAT(error_with("0000 ffffffff 1 R4 STG.E 1 R2 4 1 0x1000 4 0"),
              HasSubstr("`STG.E` has a destination register, but a store has none"));
  EXPECT_EQ(error_with("0000 ffffffff 1 R255 STG.E 1 R2 4 1 0x1000 4 0"), "");
  EXPECT_EQ(error_with("0000 ffffffff 1 R4 ATOMG.E.ADD 1 R2 4 1 0x1000 4 0"), "");
}

TEST(SassInstruction, AMemoryWidthIsAPowerOfTwo) {
  for (const char* width : {"3", "99", "100", "256", "18446744073709551615"})
    EXPECT_THAT(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 " + std::string(width) + " 1 0x1000 4 0"),
                HasSubstr("a power of two up to 128"))
        << width;
  EXPECT_EQ(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 32 1 0x1000 4 0"), "");
}

TEST(SassInstruction, AddressesHave49BitsOnEveryActiveLane) {
  const char* kBeyond = "an address is beyond the 49 bits";
  EXPECT_EQ(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1fffffffffff0 0 0"), "");
  EXPECT_THAT(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x2000000000000 0 0"), HasSubstr(kBeyond));
  EXPECT_THAT(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1ffffffffff84 4 0"), HasSubstr(kBeyond));
  EXPECT_EQ(error_with("0000 7fffffff 1 R4 LDG.E 1 R2 4 1 0x1ffffffffff84 4 0"), "");
  EXPECT_EQ(error_with("0000 fffffffe 1 R4 LDG.E 1 R2 4 1 0x1ffffffffff84 4 0"), "");
  EXPECT_THAT(error_with("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 -1000 0"), HasSubstr(kBeyond));
  EXPECT_THAT(error_with("0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 9000000000000000000 0"), HasSubstr(kBeyond));
  EXPECT_THAT(error_with("0000 00000003 1 R4 LDG.E 1 R2 4 2 0x1000 -4097 0"), HasSubstr(kBeyond));
  EXPECT_THAT(error_with("0000 00000003 1 R4 LDG.E 1 R2 4 0 0x1000 0x2000000000000 0"), HasSubstr(kBeyond));
}

TEST(SassInstruction, AnAccessWithoutAddressesIsTold) {
  const ParsedBlock block(one_warp({"0000 ffffffff 1 R4 LDG.E 1 R2 0 0", "0010 ffffffff 1 R4 LDG.E 1 R2 0 0",
                                    "0020 00000000 1 R4 LDL 1 R2 0 0", "0030 ffffffff 1 R4 LDC 1 R2 0 0"}));
  EXPECT_THAT(texts(block.kernel.warnings()),
              ElementsAre(HasSubstr("k.traceg:23: LDG has no addresses; such instructions touch no memory")));
  const ParsedBlock idle(one_warp({"0000 00000000 1 R4 LDG.E 1 R2 0 0", "0010 ffffffff 1 R4 LDC 1 R2 0 0"}));
  EXPECT_THAT(texts(idle.kernel.warnings()), IsEmpty());
}

TEST(SassInstruction, ARegisterBeyondThoseOfAThreadIsTold) {
  const ParsedBlock inside(one_warp({"0000 ffffffff 1 R8 LDG.E.128 1 R11 4 1 0x1000 16 0"}));  // nregs is 12
  EXPECT_THAT(texts(inside.kernel.warnings()), IsEmpty());
  const ParsedBlock wide(one_warp({"0000 ffffffff 1 R9 LDG.E.128 1 R2 4 1 0x1000 16 0"}));
  EXPECT_THAT(texts(wide.kernel.warnings()), ElementsAre(HasSubstr("k.traceg:23: R12 is used, but nregs is 12")));
  const ParsedBlock source(one_warp({"0000 ffffffff 1 R4 FADD 1 R12 0 0"}));
  EXPECT_THAT(texts(source.kernel.warnings()), ElementsAre(HasSubstr("R12 is used")));
  TraceText assumed = one_warp({"0000 ffffffff 1 R200 FADD 1 R12 0 0"});
  assumed.nregs = "-nregs = 0\n";
  EXPECT_EQ(ParsedBlock(assumed).kernel.warnings().size(), 1u) << "what was assumed is no limit";
}

TEST(SassInstruction, AnAccessBeyondTheSharedMemoryIsTold) {
  const ParsedBlock inside(one_warp({"0000 ffffffff 1 R4 LDS 1 R2 4 1 0x180 4 0"}));  // shmem is 512
  EXPECT_THAT(texts(inside.kernel.warnings()), IsEmpty());
  for (const char* line :
       {"0000 ffffffff 1 R4 LDS 1 R2 4 1 0x184 4 0", "0000 00000001 1 R4 LDS.64 1 R2 4 1 0x1fc 0 0",
        "0000 00000003 0 STS 1 R2 4 2 0x200 -16 0", "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7e0000000184 4 0"}) {
    const ParsedBlock beyond(one_warp({line}));
    EXPECT_THAT(texts(beyond.kernel.warnings()), ElementsAre(HasSubstr("of shared memory, but shmem is 512"))) << line;
  }
}

TEST(SassInstruction, AnOpcodeIsText) {
  for (const std::string opcode : {"F\xff",
                                   "FA\x01"
                                   "DD",
                                   "F\xc3\xb6"})
    EXPECT_THAT(error_with("0000 ffffffff 0 " + opcode + " 0 0 0"), HasSubstr("k.traceg:23: ")) << opcode;
}

TEST(SassInstruction, NotEveryUnknownOpcodeIsTold) {
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) lines.push_back("0000 ffffffff 0 NEW" + std::to_string(i) + " 0 0 0");
  EXPECT_EQ(ParsedBlock(one_warp(lines)).kernel.warnings().size(), 20u);
}

}  // namespace
}  // namespace gputlm
