// Converts a list from bit planes to words. Wires only.
//
// Guarantee: word p of `word_o`, at [p*Width +: Width], consists of bit p of each plane.
module list_words #(
  parameter int unsigned Slots = 16,
  parameter int unsigned Width = 4
) (
  input  logic [Width*Slots-1:0] plane_i,  // bit k of all positions at [k*Slots +: Slots]
  output logic [Slots*Width-1:0] word_o
);
  always_comb begin
    for (int unsigned p = 0; p < Slots; p++)
      for (int unsigned k = 0; k < Width; k++) word_o[p*Width+k] = plane_i[k*Slots+p];
  end
endmodule
