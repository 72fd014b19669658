// Finds the first of several requests: the set bit with the lowest index.
//
// Guarantee: `first_o` has only that bit set, or is 0 if `request_i` is 0; `any_o` is 1 if it is not 0. Combinational.
//
// Cost: Width: that of prefix_or.
module find_first #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] request_i,
  output logic [Width-1:0] first_o,
  output logic             any_o
);
  localparam int unsigned WordW = 64;  // a simulator is slow at shifting wider words
  localparam int unsigned Words = (Width + WordW - 1) / WordW;
  logic [Words-1:0] any;
  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned W = w < Words - 1 ? WordW : Width - w * WordW;
    logic [W-1:0] word, from;  // the first request of the word is here or below
    assign word = request_i[w*WordW+:W];
    prefix_or #(.Width(W)) u_from (.data_i(word), .prefix_o(from));
    assign any[w] = from[W-1];
    if (w == 0) begin : gen_lowest
      assign first_o[w*WordW+:W] = word & ~(from << 1);
    end else begin : gen_above
      assign first_o[w*WordW+:W] = word & ~(from << 1) & ~{W{|any[w-1:0]}};
    end
  end
  assign any_o = |any;
endmodule
