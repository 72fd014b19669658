// Rotates a list: moves its first part behind the rest.
//
// Guarantee: the words outside `wrapped_i` come first, then those inside, each part in its order; there is no gap between
// them, and the positions from `count_i` on stay 0. Combinational.
//
// Cost: two shifters of Slots * Width bits.
module rotate_list #(
  parameter  int unsigned Slots  = 16,
  parameter  int unsigned Width  = 4,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned CountW = $clog2(Slots + 1)
) (
  input  logic [Width*Slots-1:0] plane_i,    // bit k of all positions at [k*Slots +: Slots]; 0 from count_i on
  input  logic [CountW-1:0]      count_i,
  input  logic [Slots-1:0]       wrapped_i,  // the lowest positions, but not all that have words
  output logic [Width*Slots-1:0] plane_o
);
  logic [SlotW-1:0]  down;  // the number of words that wrap
  logic [CountW-1:0] up;    // and of those that do not
  slot_number #(.Slots(Slots)) u_down (.select_i({wrapped_i[Slots-2:0], 1'b1} & ~wrapped_i), .slot_o(down));
  assign up = count_i - CountW'(down);
  always_comb begin
    for (int unsigned k = 0; k < Width; k++)
      plane_o[k*Slots+:Slots] = (plane_i[k*Slots+:Slots] >> down) | ((plane_i[k*Slots+:Slots] & wrapped_i) << up);
  end
endmodule
