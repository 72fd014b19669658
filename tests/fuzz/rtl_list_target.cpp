#include <filesystem>

#include "testbench/design/design.h"
#include "testbench/kind/kind.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

/// A module with the ports of a crossbar arbiter, which takes the first input.
constexpr const char* kTop =
    "`include \"widths.svh\"\n"
    "module listed import sizes::*; #(parameter int unsigned Inputs = `INPUTS) (\n"
    "  input  logic clk_i, rst_ni,\n"
    "  input  logic [Inputs-1:0] head_valid_i,\n"
    "  input  logic [Inputs-1:0][AppW-1:0] head_app_i,\n"
    "  input  logic [Inputs-1:0][7:0] head_flits_i, head_age_i,\n"
    "  input  logic [3:0][5:0] weight_i,\n"
    "  input  logic grant_ready_i,\n"
    "  output logic grant_valid_o,\n"
    "  output logic [Inputs-1:0] grant_o,\n"
    "  output logic [$clog2(Inputs)-1:0] grant_input_o);\n"
    "  part #(.W(Inputs)) i_part (.a_i(head_valid_i), .b_o(grant_o));\n"
    "  assign grant_valid_o = |grant_o;\n"
    "  assign grant_input_o = '0;\n"
    "endmodule\n";

/// What Verilator elaborates of the list, and the kind of design that its ports make of it.
void attack_rtl_list(const std::string& text) {
  static const Folder folder({{"listed.sv", kTop},
                              {"sizes.sv", "package sizes; localparam int unsigned AppW = 2; endpackage\n"},
                              {"parts/part.sv",
                               "module part #(parameter int unsigned W = 1) (input logic [W-1:0] a_i, output logic "
                               "[W-1:0] b_o); assign b_o = a_i; endmodule\n"},
                              {"include/widths.svh", "`ifndef INPUTS\n`define INPUTS 4\n`endif\n"},
                              {"more.f", "sizes.sv\nlisted.sv\n+incdir+include\n"}});
  const RtlDesign design(folder.write("listed.f", text));
  const RtlDesign::Interface interface = design.interface({});
  for (const std::string& file : interface.files)
    require(std::filesystem::exists(file), "a file that is part of the design is not there: " + file);
  require(kind_of_ports(design, interface).name == "flit_arbiter", "the ports are those of another kind");
}

const Registration of_rtl_list{{"rtl_list", Grammar::kLines, attack_rtl_list, {}, {}, 8}};

}  // namespace
}  // namespace gputlm::fuzz
