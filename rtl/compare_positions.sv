// Compares the word at each position of a list with a given word.
//
// Guarantee: `above_o` marks the positions whose word is larger as an unsigned number, `equal_o` those whose word is
// equal. Combinational.
//
// Cost: a comparator of Width bits per position.
module compare_positions #(
  parameter int unsigned Slots = 16,
  parameter int unsigned Width = 4
) (
  input  logic [Width*Slots-1:0] plane_i,  // bit k of all positions at [k*Slots +: Slots]
  input  logic [Width-1:0]       word_i,
  output logic [Slots-1:0]       above_o,
  output logic [Slots-1:0]       equal_o
);
  always_comb begin
    above_o = '0;
    equal_o = '1;
    for (int k = Width - 1; k >= 0; k--) begin
      above_o = above_o | (equal_o & plane_i[k*Slots+:Slots] & ~{Slots{word_i[k]}});
      equal_o = equal_o & (plane_i[k*Slots+:Slots] ~^ {Slots{word_i[k]}});
    end
  end
endmodule
