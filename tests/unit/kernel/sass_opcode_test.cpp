#include "models/kernel/sass_opcode.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

TEST(SassOpcode, PipelinesFollowTheInstructionClass) {
  const std::pair<Pipe, std::vector<const char*>> classes[] = {
      {Pipe::kFp32, {"FADD", "FMUL.FTZ", "FFMA", "FSETP.GT.AND", "FMNMX", "FSEL", "HADD2.F32", "HFMA2.MMA", "HMUL2"}},
      {Pipe::kInt,
       {"IADD", "IADD3.X", "IMAD", "IMAD.WIDE", "LOP", "LOP3.LUT", "SHF.R.U32.HI", "SHL", "SHR.U32", "ISETP.NE.AND",
        "LEA.HI.X", "MOV", "SEL", "PRMT", "S2R", "XMAD.MRG", "UIADD3", "VOTE.ANY"}},
      {Pipe::kFp64, {"DADD", "DMUL", "DFMA", "DSETP.MAX.AND"}},
      {Pipe::kSfu, {"MUFU.RCP", "F2I.TRUNC.NTZ", "I2F.U32.RP", "F2F.F64.F32", "POPC"}},
      {Pipe::kTensor, {"HMMA.884.F32.F32.STEP0", "HMMA.16816.F16", "IMMA.8816.S8.S8"}},
      {Pipe::kControl,
       {"BRA", "SSY", "SYNC", "BSSY", "BSYNC", "RET.REL.NODEC", "CALL.ABS", "NOP", "MEMBAR.SC.GPU", "DEPBAR.LE",
        "WARPSYNC", "BAR.ARV"}},
  };
  for (const auto& [pipe, opcodes] : classes)
    for (const char* text : opcodes) {
      const SassOpcode opcode = decode_sass_opcode(text);
      EXPECT_TRUE(opcode.known) << text;
      EXPECT_EQ(opcode.op, Op::kArithmetic) << text;
      EXPECT_EQ(opcode.pipe, pipe) << text;
    }
  EXPECT_EQ(decode_sass_opcode("BAR.SYNC.DEFER_BLOCKING").op, Op::kBarrier);
  EXPECT_EQ(decode_sass_opcode("BAR.RED.POPC").op, Op::kBarrier);
  EXPECT_EQ(decode_sass_opcode("EXIT").op, Op::kExit);
}

TEST(SassOpcode, MemoryInstructionsHaveASpace) {
  struct Case {
    const char* text;
    Op op;
    Space space;
    bool generic;
  };
  for (const Case& c : {Case{"LD.E", Op::kLoad, Space::kGlobal, true},
                        {"LDG.E.SYS", Op::kLoad, Space::kGlobal, false},
                        {"LDS.U", Op::kLoad, Space::kShared, false},
                        {"LDL", Op::kLoad, Space::kLocal, false},
                        {"LDC", Op::kLoad, Space::kConstant, false},
                        {"ULDC.64", Op::kLoad, Space::kConstant, false},
                        {"ST.E", Op::kStore, Space::kGlobal, true},
                        {"STG.E", Op::kStore, Space::kGlobal, false},
                        {"STS", Op::kStore, Space::kShared, false},
                        {"STL", Op::kStore, Space::kLocal, false},
                        {"ATOM.E.ADD", Op::kAtomic, Space::kGlobal, true},
                        {"RED.E.ADD", Op::kAtomic, Space::kGlobal, false},
                        {"ATOMG.E.CAS", Op::kAtomic, Space::kGlobal, false},
                        {"ATOMS.ADD", Op::kAtomic, Space::kShared, false},
                        {"TEX.SCR.LL", Op::kLoad, Space::kGlobal, false},
                        {"TLD.LZ", Op::kLoad, Space::kGlobal, false}}) {
    const SassOpcode opcode = decode_sass_opcode(c.text);
    EXPECT_EQ(opcode.op, c.op) << c.text;
    EXPECT_EQ(opcode.space, c.space) << c.text;
    EXPECT_EQ(opcode.generic, c.generic) << c.text;
    EXPECT_EQ(opcode.pipe, Pipe::kLoadStore) << c.text;
  }
}

TEST(SassOpcode, AccessWidthComesFromTheModifiers) {
  const std::pair<const char*, int> widths[] = {{"LDG.E", 4},
                                                {"LDG.E.64.SYS", 8},
                                                {"LDG.E.128.CONSTANT", 16},
                                                {"LDG.E.U8", 1},
                                                {"LDG.E.S8.SYS", 1},
                                                {"LDG.E.U16", 2},
                                                {"LDG.E.S16", 2},
                                                {"LDG.E.LTC128B", 4},
                                                {"LDS.U.128", 16},
                                                {"STS.U8", 1},
                                                {"RED.E.ADD.F64.RN", 8},
                                                {"ATOMG.E.ADD.F16x2", 4},
                                                {"ATOMS.CAST.SPIN.64", 8},
                                                {"ST.E.U16", 2},
                                                {"LDG.E.LTC128B.64", 8}};
  for (const auto& [text, width] : widths) EXPECT_EQ(decode_sass_opcode(text).width, width) << text;
}

TEST(SassOpcode, WideResultsTakeConsecutiveRegisters) {
  const std::pair<const char*, int> registers[] = {{"LDG.E.U8", 1},
                                                   {"LDG.E", 1},
                                                   {"LDG.E.64", 2},
                                                   {"LDS.128", 4},
                                                   {"LDC.64", 2},
                                                   {"DFMA", 2},
                                                   {"DSETP", 1},
                                                   {"IMAD.WIDE.U32", 2},
                                                   {"IMAD", 1},
                                                   {"F2F.F64.F32", 2},
                                                   {"F2F.F32.F64", 1},
                                                   {"I2F.F64", 2},
                                                   {"HMMA.884.F32.F32.STEP0", 2},
                                                   {"HMMA.1688.F32", 4},
                                                   {"HMMA.16816.F16", 2},
                                                   {"IMMA.8816.S8.S8", 2},
                                                   {"IMMA.16816.S8.S8", 4},
                                                   {"LDSM.16.M88.4", 4},
                                                   {"CS2R", 2},
                                                   {"CS2R.32", 1}};
  for (const auto& [text, count] : registers) EXPECT_EQ(decode_sass_opcode(text).destinations, count) << text;
}

TEST(SassOpcode, AnUnknownOneIsAnIntegerInstruction) {
  for (const char* text : {"FROBNICATE.X", "", "LDGX", "fadd", "FADD FMUL", " "}) {
    const SassOpcode opcode = decode_sass_opcode(text);
    EXPECT_FALSE(opcode.known) << text;
    EXPECT_EQ(opcode.op, Op::kArithmetic);
    EXPECT_EQ(opcode.pipe, Pipe::kInt);
  }
}

TEST(SassOpcodeCache, KeepsOpcodesApartThatDifferAnywhere) {
  SassOpcodeCache cache;
  std::vector<std::string> texts;
  for (unsigned length = 1; length < 24; ++length)
    for (unsigned at = 0; at < length; ++at) {
      std::string text(length, 'A');
      text[at] = 'B';
      texts.push_back(text + ".64");
      texts.push_back("LDG." + text + ".64");
    }
  for (const std::string& text : texts) {
    const std::string padded = text + " 0123456789";
    ASSERT_EQ(cache.find(padded.data(), text.size()), nullptr) << text;
    cache.insert(text);
  }
  for (const std::string& text : texts) {
    const std::string padded = text + "\tother text behind";
    const SassOpcode* found = cache.find(padded.data(), text.size());
    ASSERT_NE(found, nullptr) << text;
    EXPECT_EQ(found->known, text.substr(0, 4) == "LDG.") << text;
  }
}

}  // namespace
}  // namespace gputlm
