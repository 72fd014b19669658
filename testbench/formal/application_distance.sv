// The number of turns from application `from_i` to `to_i` in cyclic order: 0 for the next application, Apps - 1 for
// `from_i` itself.
module application_distance #(
  parameter  int unsigned Apps = 4,
  localparam int unsigned AppW = Apps > 1 ? $clog2(Apps) : 1
) (
  input  logic [AppW-1:0] from_i,
  input  logic [AppW-1:0] to_i,
  output logic [AppW:0]   distance_o
);
  logic [AppW:0] from, to;
  assign from       = {1'b0, from_i};
  assign to         = {1'b0, to_i};
  assign distance_o = to > from ? to - from - 1'b1 : to + (AppW+1)'(Apps) - from - 1'b1;
endmodule
