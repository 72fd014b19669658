#include "testbench/cost/library.h"

#include <gmock/gmock.h>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

using testing::HasSubstr;

/// Every form that Liberty files have: comments, quoted and bare values, lines without a semicolon, tables, a line that
/// goes on, arithmetic, groups without a name, cells that are like a NAND2 or a flip-flop and are none.
constexpr const char* kLibrary = R"liberty(/* a
comment { */
library (tiny) {
  delay_model : table_lookup ; // and another }
  default_max_fanout : 8
  capacitive_load_unit (2,pf);
  define ("a", "cell", "string");
  slope : 1.0 + 2 ;
  lu_table_template(t) { variable_1 : x; index_1 ("1, 2, \
    3"); }
  cell (BIG_NAND) { area : 30; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "(A B)'"; timing() { related_pin : "A"; values ("1, 2"); } } }
  cell ("NAND") { area : 20.5; pin("A") { direction : "input"; } pin("B") { direction : "input"; }
    pin("Y") { direction : "output"; function : "!A | !B"; } };
  cell (CHEAP_NAND) { dont_use : true; area : 1; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "!(A&B)"; } }
  cell (TRISTATE) { area : 2; pin(A) { direction : input; } pin(E) { direction : input; }
    pin(Y) { direction : output; function : "!(A E)"; three_state : "!E"; } }
  cell (NAND_AND) { area : 3; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "!(A B)"; } pin(Z) { direction : output; function : "(A B)"; } }
  cell (NOR) { area : 19; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "!(A+B)"; } }
  cell (INV) { area : 10; pin(A) { direction : input; capacitance : 0.003; }
    pin(Y) { direction : output; function : "!A"; } }
  cell (BUF) { area : 9; pin(A) { direction : input; } pin(Y) { direction : output; function : "A"; } }
  cell (FLOP) { area : 100; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin(Q) { direction : output; function : "IQ"; } pin(D) { direction : input; } pin(CK) { direction : input; }
    test_cell () { ff (IQ, IQN) { next_state : "D"; } pin(Q) { direction : output; } } }
  cell (FOUR) { area : 390; ff_bank (IQ, IQN, 4) { clocked_on : "CK"; } bundle(Q) { members (Q0, Q1, Q2, Q3); } }
  cell (FILL) { }
}
)liberty";

std::string message(const std::string& text, const std::string& nand2 = "") {
  const TestFolder folder;
  try {
    load_library(folder.write("a.lib", text), nand2);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

TEST(Library, IsReadWithItsCellsAndUnits) {
  const TestFolder folder;
  const Library library = load_library(folder.write("a.lib", kLibrary));
  EXPECT_EQ(library.name, "tiny");
  EXPECT_EQ(library.cells.size(), 11u);
  EXPECT_EQ(library.cells.at("FLOP").area, 100);
  EXPECT_EQ(library.cells.at("FLOP").flip_flops, 1u);  // not once more for its test cell
  EXPECT_EQ(library.cells.at("FOUR").flip_flops, 4u);
  EXPECT_EQ(library.cells.at("NAND").flip_flops, 0u);
  EXPECT_EQ(library.inverter.name, "INV");
  EXPECT_DOUBLE_EQ(library.inverter_input, 6);  // 0.003 of 2 pF
}

TEST(Library, AreaIsCountedInTheSmallestCellWhoseFunctionIsNand) {
  const TestFolder folder;
  const std::string path = folder.write("a.lib", kLibrary);
  EXPECT_EQ(load_library(path).nand2.name, "NAND");
  EXPECT_EQ(load_library(path, "BIG_NAND").nand2.area, 30);
  EXPECT_THAT(message(kLibrary, "MISSING"), HasSubstr("no cell 'MISSING'"));
  EXPECT_THAT(message(kLibrary, "FILL"), HasSubstr("no cell 'FILL' with an area"));
}

TEST(Library, AMissingNandOrInverterIsAnErrorThatSaysWhatToDo) {
  const std::string no_nand = replaced(replaced(kLibrary, "(A B)'", "(A B)"), "!A | !B", "!A & !B");
  EXPECT_THAT(message(no_nand), HasSubstr("--nand2 CELL"));
  EXPECT_EQ(message(no_nand, "NOR"), "accepted");
  EXPECT_THAT(message(replaced(kLibrary, "\"!A\"", "\"A\"")), HasSubstr("has no inverter"));
}

TEST(Library, WhatIsNoLibertyFileIsRefusedWithTheLine) {
  EXPECT_THAT(message(""), HasSubstr("not a Liberty file"));
  EXPECT_THAT(message("module top;\nendmodule\n"), HasSubstr(":1: not a Liberty file"));
  EXPECT_THAT(message("library (a) {\n  cell (b) {\n    area : 1;\n"),
              HasSubstr(":4: not a Liberty file: the file ends inside a group"));
  EXPECT_THAT(message("library (a) { /* \n"), HasSubstr("ends before */"));
  EXPECT_THAT(message("library (a) {\n cell {\n"), HasSubstr(":2: not a Liberty file: found '{' after cell"));
  EXPECT_THAT(message("library (a) { } }"), HasSubstr("after the end of the library"));
  EXPECT_THAT(message("cell (a) { }"), HasSubstr("expected library (NAME)"));
  EXPECT_THAT(message("\x1f\x8b\x08 packed"), HasSubstr("compressed"));
}

TEST(Library, EveryBeginningOfAFileIsRefused) {
  const TestFolder folder;
  const std::string text = kLibrary;
  for (std::size_t length = 0; length < text.rfind('}'); length += 11)
    ASSERT_THROW(load_library(folder.write("a.lib", text.substr(0, length))), InputError) << length;
}

TEST(Library, AMissingFileIsAnErrorThatNamesIt) {
  const TestFolder folder;
  const auto loading = [](const std::string& path) { return [path] { load_library(path); }; };
  EXPECT_THAT(loading(folder.path("none.lib")),
              testing::ThrowsMessage<InputError>(testing::AllOf(HasSubstr("none.lib"), HasSubstr("cannot be read"))));
  EXPECT_THAT(loading(folder.path()), testing::ThrowsMessage<InputError>(HasSubstr("is a folder")));
  EXPECT_THAT(loading("/dev/zero"), testing::ThrowsMessage<InputError>(HasSubstr("is no regular file")));
}

TEST(Library, NestingIsBounded) {
  const TestFolder folder;
  std::string text = "library (a) { ";
  for (int i = 0; i < 100000; ++i) text += "g () { ";
  EXPECT_THAT([&] { load_library(folder.write("a.lib", text)); },
              testing::ThrowsMessage<InputError>(HasSubstr("nested too deeply: more than 50 levels")));
}

}  // namespace
}  // namespace gputlm::cost
