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
       {"BRA", "SSY", "SYNC", "BSSY", "BSYNC", "RET.REL.NODEC", "CALL.ABS", "NOP", "MEMBAR.ALL.CTA", "WARPSYNC",
        "BAR.ARV"}},
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

TEST(SassOpcode, AFenceOfMoreThanTheBlockWaitsForAccesses) {
  for (const char* const text : {"MEMBAR.SC.GPU", "MEMBAR.ALL.GPU", "MEMBAR.SC.SYS", "MEMBAR.GL"})
    EXPECT_EQ(decode_sass_opcode(text).op, Op::kFence) << text;
  EXPECT_EQ(decode_sass_opcode("MEMBAR.SC.CTA").op, Op::kArithmetic);
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

/// The tables of NVIDIA's CUDA Binary Utilities: Ampere and Ada, what Hopper has beside that, and Blackwell.
constexpr const char* kAmpere[] = {
    "FADD",        "FADD32I", "FCHK",     "FFMA32I",   "FFMA",      "FMNMX",  "FMUL",      "FMUL32I",
    "FSEL",        "FSET",    "FSETP",    "FSWZADD",   "MUFU",      "HADD2",  "HADD2_32I", "HFMA2",
    "HFMA2_32I",   "HMMA",    "HMNMX2",   "HMUL2",     "HMUL2_32I", "HSET2",  "HSETP2",    "DADD",
    "DFMA",        "DMMA",    "DMUL",     "DSETP",     "BMMA",      "BMSK",   "BREV",      "FLO",
    "IABS",        "IADD",    "IADD3",    "IADD32I",   "IDP",       "IDP4A",  "IMAD",      "IMMA",
    "IMNMX",       "IMUL",    "IMUL32I",  "ISCADD",    "ISCADD32I", "ISETP",  "LEA",       "LOP",
    "LOP3",        "LOP32I",  "POPC",     "SHF",       "SHL",       "SHR",    "VABSDIFF",  "VABSDIFF4",
    "F2F",         "F2I",     "I2F",      "I2I",       "I2IP",      "I2FP",   "F2IP",      "FRND",
    "MOV",         "MOV32I",  "MOVM",     "PRMT",      "SEL",       "SGXT",   "SHFL",      "PLOP3",
    "PSETP",       "P2R",     "R2P",      "LD",        "LDC",       "LDG",    "LDGDEPBAR", "LDGSTS",
    "LDL",         "LDS",     "LDSM",     "ST",        "STG",       "STL",    "STS",       "MATCH",
    "QSPC",        "ATOM",    "ATOMS",    "ATOMG",     "RED",       "CCTL",   "CCTLL",     "ERRBAR",
    "MEMBAR",      "CCTLT",   "R2UR",     "REDUX",     "S2UR",      "UBMSK",  "UBREV",     "UCLEA",
    "UF2FP",       "UFLO",    "UIADD3",   "UIMAD",     "UISETP",    "ULDC",   "ULEA",      "ULOP",
    "ULOP3",       "ULOP32I", "UMOV",     "UP2UR",     "UPLOP3",    "UPOPC",  "UPRMT",     "UPSETP",
    "UR2UP",       "USEL",    "USGXT",    "USHF",      "USHL",      "USHR",   "VOTEU",     "TEX",
    "TLD",         "TLD4",    "TMML",     "TXD",       "TXQ",       "SUATOM", "SULD",      "SURED",
    "SUST",        "BMOV",    "BPT",      "BRA",       "BREAK",     "BRX",    "BRXU",      "BSSY",
    "BSYNC",       "CALL",    "EXIT",     "JMP",       "JMX",       "JMXU",   "KILL",      "NANOSLEEP",
    "RET",         "RPCMOV",  "WARPSYNC", "YIELD",     "B2R",       "BAR",    "CS2R",      "DEPBAR",
    "GETLMEMBASE", "LEPC",    "NOP",      "PMTRIG",    "R2B",       "S2R",    "SETCTAID",  "SETLMEMBASE",
    "VOTE",        "ARRIVES", "SUQUERY",  "SPMETADATA"};
constexpr const char* kHopper[] = {
    "VHMNMX",       "VIADD",   "VIADDMNMX",  "VIMNMX",    "VIMNMX3",  "FENCE",         "LDGMC",   "REDG",
    "STSM",         "ULEPC",   "USETMAXREG", "BGMMA",     "HGMMA",    "IGMMA",         "QGMMA",   "WARPGROUP",
    "WARPGROUPSET", "UBLKCP",  "UBLKPF",     "UBLKRED",   "UTMACCTL", "UTMACMDFLUSH",  "UTMALDG", "UTMAPF",
    "UTMAREDG",     "UTMASTG", "ACQBULK",    "CGAERRBAR", "ELECT",    "ENDCOLLECTIVE", "PREEXIT"};
constexpr const char* kBlackwell[] = {
    "FADD2", "FFMA2",  "FHADD",    "FHFMA",  "FMNMX3",         "FMUL2",  "OMMA",    "QMMA",       "CREDUX",
    "CS2UR", "LDCU",   "UF2F",     "UF2I",   "UF2IP",          "UFADD",  "UFFMA",   "UFMNMX",     "UFMUL",
    "UFRND", "UFSEL",  "UFSET",    "UFSETP", "UGETNEXTWORKID", "UI2F",   "UI2FP",   "UI2I",       "UI2IP",
    "UIABS", "UIMNMX", "UMEMSETS", "UREDGR", "USTGR",          "UVIADD", "UVIMNMX", "UVIRTCOUNT", "ACQSHMINIT"};

TEST(SassOpcode, ThoseOfAmpereToBlackwellAreKnown) {
  const auto expect_known = [](const auto& opcodes) {
    for (const char* text : opcodes) {
      EXPECT_TRUE(decode_sass_opcode(text).known) << text;
      EXPECT_EQ(decode_sass_opcode(text).lost, "") << text;
    }
  };
  expect_known(kAmpere);
  expect_known(kHopper);
  expect_known(kBlackwell);
}

TEST(SassOpcode, WhatIsNotModelledIsTold) {
  EXPECT_EQ(decode_sass_opcode("SYNCS.CCTL.IV").op, Op::kArithmetic);
  EXPECT_NE(decode_sass_opcode("SYNCS.CCTL.IV").lost.find("barrier in shared memory"), std::string_view::npos);
  EXPECT_NE(decode_sass_opcode("UTCHMMA").lost.find("tensor memory"), std::string_view::npos);
}

TEST(SassOpcode, AsynchronousStoresHaveNoRegister) {
  for (const auto& [text, bytes] :
       {std::pair("STAS", 4), {"STAS.64", 8}, {"STAS.128", 16}, {"REDAS.MIN.S32", 4}, {"REDAS.ADD.64", 8}}) {
    EXPECT_EQ(decode_sass_opcode(text).op, Op::kAsyncStore) << text;
    EXPECT_EQ(decode_sass_opcode(text).width, bytes) << text;
    EXPECT_EQ(decode_sass_opcode(text).lost, "") << text;
  }
}

TEST(SassOpcode, AsynchronousCopiesAreLoadsWithoutARegister) {
  for (const char* text : {"LDGSTS.E.BYPASS.LTC128B.128", "UTMALDG.2D", "UBLKCP.S.G", "UBLKPF", "UTMAPF.L2"}) {
    EXPECT_EQ(decode_sass_opcode(text).op, Op::kAsyncLoad) << text;
    EXPECT_EQ(decode_sass_opcode(text).space, Space::kGlobal) << text;
  }
  EXPECT_EQ(decode_sass_opcode("LDGSTS.E.BYPASS.LTC128B.128").width, 16);
  EXPECT_FALSE(decode_sass_opcode("LDGSTS.E").bulk);
  EXPECT_TRUE(decode_sass_opcode("UTMALDG.2D").bulk);
  EXPECT_EQ(decode_sass_opcode("UBLKCP.G.S").op, Op::kStore);
  EXPECT_EQ(decode_sass_opcode("UTMASTG.2D").op, Op::kStore);
  EXPECT_EQ(decode_sass_opcode("UTMAREDG.2D.ADD").op, Op::kAtomic);
  EXPECT_EQ(decode_sass_opcode("LDGDEPBAR").op, Op::kCommitCopies);
  EXPECT_EQ(decode_sass_opcode("DEPBAR.LE").op, Op::kAwaitCopies);
}

TEST(SassOpcode, AMatrixProductOfAWarpgroupIsAsLargeAsItsShapeSays) {
  struct Case {
    const char* text;
    int products, destinations;
  };
  for (const Case& c : {Case{"HGMMA.64x256x16.F32.BF16", 32, 128}, Case{"HGMMA.64x64x16.F16", 8, 16},
                        Case{"QGMMA.64x128x32.F32.E4M3.E4M3", 16, 64}, Case{"IGMMA.64x8x32.S8.S8", 1, 4},
                        Case{"HGMMA.64x999999x16.F32", 32, 128}, Case{"HGMMA.64xQx16", 1, 2}}) {
    const SassOpcode opcode = decode_sass_opcode(c.text);
    EXPECT_EQ(opcode.op, Op::kMatrix) << c.text;
    EXPECT_EQ(opcode.pipe, Pipe::kTensor) << c.text;
    EXPECT_EQ(opcode.products, c.products) << c.text;
    EXPECT_EQ(opcode.destinations, c.destinations) << c.text;
  }
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
