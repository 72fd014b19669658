// Finds the first of several requests: the set bit with the lowest index.
//
// Guarantee: `first_o` is that bit alone, 0 if `request_i` is 0; `any_o` says which. Combinational.
//
// Cost: Width: as prefix_or.
module find_first #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] request_i,
  output logic [Width-1:0] first_o,
  output logic             any_o
);
  logic [Width-1:0] from;  // the first is here or below
  prefix_or #(.Width(Width)) u_from (.data_i(request_i), .prefix_o(from));

  assign first_o = request_i & ~(from << 1);
  assign any_o   = from[Width-1];
endmodule
