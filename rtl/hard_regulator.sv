// Private memory budgets of the applications: bandwidth_regulator without Reclaim, with its guarantee and cost. The reference
// is models/regulator/hard.cpp.
module hard_regulator #(
  parameter  int unsigned Apps    = 4,   // applications with a budget; 1 to 8
  parameter  int unsigned TokenW  = 16,  // bits of a budget; 1 to 32
  parameter  int unsigned LengthW = 8    // bits of the number of bytes of a request; 1 to 8
) (
  // The ports of bandwidth_regulator.
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [Apps*TokenW-1:0]  budget_i,
  input  logic [Apps-1:0]         begin_i,
  input  logic [Apps-1:0]         head_valid_i,
  input  logic [Apps*LengthW-1:0] head_bytes_i,
  output logic [Apps-1:0]         fits_o,
  input  logic [Apps-1:0]         pass_i
);
  bandwidth_regulator #(.Apps(Apps), .TokenW(TokenW), .LengthW(LengthW), .Reclaim(1'b0)) u_regulator (
    .clk_i, .rst_ni, .budget_i, .begin_i, .head_valid_i, .head_bytes_i, .fits_o, .pass_i
  );
endmodule
