// Moves one word of a list to the front of its part of the list.
//
// Guarantee: the word at `at_i` moves to the first position of `part_i`; the words of the part before it move by one
// position, and all others stay. If `at_i` is 0, all words stay. Combinational.
//
// Cost: Slots * Width two-way multiplexers, and a prefix_or.
module to_front #(
  parameter int unsigned Slots = 16,
  parameter int unsigned Width = 4
) (
  input  logic [Width*Slots-1:0] plane_i,  // bit k of all positions at [k*Slots +: Slots]
  input  logic [Slots-1:0]       part_i,   // consecutive positions
  input  logic [Slots-1:0]       at_i,     // one-hot and in the part, or 0
  input  logic [Width-1:0]       word_i,   // the word at `at_i`
  output logic [Width*Slots-1:0] plane_o
);
  logic [Slots-1:0] not_before, displaced, front, moved;
  prefix_or #(.Width(Slots)) u_not_before (.data_i(at_i), .prefix_o(not_before));
  assign displaced = part_i & ~not_before & {Slots{|at_i}};
  assign front     = part_i & ~(part_i << 1) & {Slots{|at_i}};
  assign moved     = displaced << 1;
  always_comb begin
    for (int unsigned k = 0; k < Width; k++)
      plane_o[k*Slots+:Slots] = (plane_i[k*Slots+:Slots] & ~front & ~moved) | (front & {Slots{word_i[k]}})
          | ((plane_i[k*Slots+:Slots] << 1) & moved);
  end
endmodule
