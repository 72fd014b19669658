// Spreads each set bit to all positions above it.
//
// Guarantee: `prefix_o[i]` is the OR of `data_i[i:0]` (a thermometer code). Combinational.
//
// Cost: Width: a parallel prefix (Kogge-Stone) of up to 64 bits: delay grows with the logarithm, gates with Width times
// that. It is written as shifts of whole words, which a simulator executes as they are. A wider input has one per 64
// bits, and a set bit in any lower word sets all bits of the higher words. Two levels of groups of eight make an arbiter
// 1 to 4 % smaller, but a mapper more readily turns them into a ripple chain.
module prefix_or #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] prefix_o
);
  localparam int unsigned WordW = 64;  // a simulator is slow at shifting wider words
  for (genvar low = 0; low < Width; low = low + WordW) begin : gen_word
    localparam int unsigned W = Width - low < WordW ? Width - low : WordW;
    logic [W-1:0] word;
    always_comb begin
      word = data_i[low+:W];
      for (int unsigned step = 1; step < W; step = step * 2) word = word | (word << step);
    end
    if (low == 0) begin : gen_lowest
      assign prefix_o[low+:W] = word;
    end else begin : gen_above
      assign prefix_o[low+:W] = word | {W{|data_i[low-1:0]}};
    end
  end
endmodule
